// memray_sites.h - finds the groups of a recording's stacks: Python's frames and native ones, put
// together.
//
// As memray puts them together: a call of the interpreter's loop stands for the Python frames that
// it carries out, from an entry frame inward; its own other frames are left out. That needs the
// interpreter's symbols (symbols.h). Without them, of native frames only those show that surely lie
// inside of the innermost Python frame: before the first one of the interpreter. Threads: one.
#pragma once
#include "engine/import/memray/memray_native.h"

typedef struct mc_memray_sites mc_memray_sites;

typedef struct mc_memray_sites_desc {
    const mc_memray_stacks *stacks; // these three are kept, and change no more
    const mc_memray_native *native;
    mc_stack_sites *sites;
    uint64_t hidden_count; // of the main thread's outermost frames, which are memray's own
    const char *symbols;   // as of mc_profile_options
    const char *path;      // of the recording; NULL: it has none
    const mc_log *log;     // may be NULL
} mc_memray_sites_desc;

mc_result mc_memray_sites_create(const mc_memray_sites_desc *desc, mc_memray_sites **sites,
                                 mc_error *error);
void mc_memray_sites_destroy(mc_memray_sites *sites); // NULL is fine

typedef struct mc_memray_stack {
    uint32_t node, native; // see memray_stacks.h and memray_native.h; 0: none
    bool is_main;          // of the main thread
} mc_memray_stack;

// MC_NONE: out of memory.
uint32_t mc_memray_sites_find(mc_memray_sites *sites, mc_memray_stack stack);
