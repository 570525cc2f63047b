// hprof_memory.h - how much memory the graph of a dump will take, so that one that does not fit is
// left out, or refused, before it is built.
//
// Known once a dump is open: from the objects and references that were counted. Threads: any.
#pragma once
#include "engine/import/hprof/hprof_dump.h"

// What linking takes, in bytes: 24 an object and 4 a reference, or more where there are many more
// references than objects. Up to a fifth more than what was measured.
uint64_t mc_hprof_need_measure(uint64_t objects, uint64_t references);
// The same of a dump, and what is free now or, if the dump has one, below its limit.
mc_hprof_need mc_hprof_need_get(const mc_hprof_dump *dump);

static inline bool mc_hprof_need_fits(const mc_hprof_need *need) {
    return need->bytes <= need->free_bytes;
}

// Appends "the graph of 58.9 million objects and 93.0 million references at most takes about 2.0 GB
// of memory, and 0.5 GB are free".
void mc_hprof_need_append(const mc_hprof_need *need, mc_text *text);
