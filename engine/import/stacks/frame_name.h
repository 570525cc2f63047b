// frame_name.h - parses the name of a stack frame into package, class and method, for any language.
//
// Java ("com/acme/Shop.add_[j]", "com.acme.Shop.add(Shop.java:42)"), Python ("add
// (acme/shop.py:7)", where the file is the class), Go ("net/http.(*conn).serve"), C++ and Rust
// ("acme::Shop::add(int)"), and plain symbols, which have neither package nor class. Suffixes that
// tell how the code was compiled are dropped. Pure; parts point into the text. Threads: any.
#pragma once
#include "engine/base/base.h"

typedef struct mc_span {
    const char *at;
    size_t size;
} mc_span;

typedef struct mc_frame_name {
    mc_span package; // of several levels; of size 0: none
    mc_span class;   // likewise
    mc_span method;  // of size 0 only if the text is
    bool is_kernel;  // code of the operating system's
} mc_frame_name;

mc_frame_name mc_frame_name_parse(const char *text, size_t size);

// Takes the first level off a package. False: there is none any more.
bool mc_frame_name_take_level(mc_span *package, mc_span *level);

// Whether a stack's first frame names its thread, and does not belong to the program:
// "[main tid=7]", "thread (0x7F00): MainThread", "java-12/15". The name is what of it stays the
// same from run to run, as far as it says so.
bool mc_frame_name_is_thread(const char *text, size_t size, mc_span *name);
