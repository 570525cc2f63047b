// object_births.h - when each object of a heap was made: what of a heap was there at earlier
// moments already.
//
// A birth is a number that grows with time, an id or a count of collections. What died before the
// heap was written is in no moment, so this is a film of what survived. Threads: one object serves
// one thread at a time.
#pragma once
#include "engine/trace/step_tree.h"

typedef struct mc_object_moment {
    uint64_t last_birth; // what was born later is not there yet
    int64_t time_ms;     // since any time
} mc_object_moment;

// Zero-initialise, deinit.
typedef struct mc_object_births {
    uint64_t *births;          // by object; 0: not known, or before all moments. NULL: no moments
    mc_object_moment *moments; // both columns grow; all objects are there at the last one
    uint32_t moment_count;
    bool is_of_collections; // a moment's second is one
} mc_object_births;

void mc_object_births_deinit(mc_object_births *births);

// Keeps at most `most` of these moments, the last among them, spread evenly; those within a
// millisecond are one. False: out of memory.
bool mc_object_births_choose(mc_object_births *births, const mc_object_moment *moments,
                             size_t count, uint32_t most);
