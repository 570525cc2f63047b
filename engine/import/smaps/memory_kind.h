// memory_kind.h - what a piece of a process's memory is: whose, and by which name it is found again
// at the next step.
//
// An owner that the JVM names goes first, then the mapping's name, then the place between its
// neighbours: malloc's arenas, stacks and zeroed data of libraries have no names. What nothing
// explains is of a kind of its own. Pure. Threads: any.
#pragma once
#include "engine/base/text.h"
#include "engine/import/smaps/memory_pieces.h"

typedef enum mc_memory_kind {
    MC_MEMORY_JAVA_HEAP,
    MC_MEMORY_METASPACE,
    MC_MEMORY_CODE_CACHE,
    MC_MEMORY_GC,
    MC_MEMORY_CLASS_ARCHIVE,
    MC_MEMORY_JVM,
    MC_MEMORY_STACKS,
    MC_MEMORY_MALLOC,
    MC_MEMORY_NAMED,
    MC_MEMORY_PROGRAMS,
    MC_MEMORY_FILES,
    MC_MEMORY_SHARED,
    MC_MEMORY_KERNEL,
    MC_MEMORY_UNEXPLAINED,
    MC_MEMORY_KIND_COUNT
} mc_memory_kind;

extern const char *const mc_memory_kind_names[MC_MEMORY_KIND_COUNT];

typedef struct mc_memory_place {
    mc_memory_kind kind;
    bool is_arena;   // of malloc, in what malloc_info() counts
    bool is_guessed; // from its neighbours
} mc_memory_place;

// `programs`: names of the files of which some mapping is executable. The piece's key and name are
// appended to the texts, which are empty.
mc_memory_place mc_memory_kind_find(const mc_process_memory *memory, const mc_memory_piece *piece,
                                    const mc_strings *programs, mc_text *key, mc_text *name);
