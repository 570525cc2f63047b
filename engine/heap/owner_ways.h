// owner_ways.h - by which fields objects of some places are referenced, and from where.
//
// One pass over the graph. Threads: the heap's.
#pragma once
#include "engine/heap/owner_places.h"
#include "engine/trace/step_owners.h"

typedef struct mc_owner_ways_desc {
    const mc_owner_facts *facts; // `links` are places
    const uint32_t *wanted;      // by place: the owner whose ways are asked for; MC_NONE
    const uint32_t *owners;      // by place: the nearest owner that is kept
    uint32_t most;               // of an owner
} mc_owner_ways_desc;

// Appends the ways of each owner, the most references first. References from what an object keeps
// alive itself don't count.
mc_result mc_owner_ways_add(const mc_owner_ways_desc *desc, mc_step_owners *owners,
                            mc_error *error);
