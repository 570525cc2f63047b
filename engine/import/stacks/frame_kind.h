// frame_kind.h - whose code a stack frame is: the program's own, a library's, or the allocator's.
//
// Judged by names alone: of functions (C, C++, Rust, Go, Java, the interpreter of Python), of
// source files (where a language's library or a package manager puts them) and of modules. All else
// is the program's, but for what has none of these. Pure. Threads: any.
#pragma once
#include "engine/import/stacks/frame_name.h"

typedef enum mc_frame_kind {
    MC_FRAME_PROGRAM,
    MC_FRAME_LIBRARY,   // of a language, or installed by a package manager
    MC_FRAME_ALLOCATOR, // malloc, operator new, and what these call
    MC_FRAME_START      // what calls main, or a thread's function
} mc_frame_kind;

// Parts of size 0 are not known.
mc_frame_kind mc_frame_kind_find(mc_span function, mc_span file, mc_span module);

// A function's name without its return type, template arguments and parameters, as far as they
// stand around it: "void std::vector<int>::push_back(int)" begins as "std::vector<int>::push_back".
// Starts at the name; its end is the text's.
mc_span mc_frame_kind_skip_type(mc_span function);
