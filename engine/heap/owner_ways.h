// owner_ways.h - by which fields objects at some places are referenced, and from where.
//
// One pass over the graph. Memory: 32 bytes for each of up to 2^20 ways and worker; those beyond
// are not counted. Threads: the heap's.
#pragma once
#include "engine/heap/owner_places.h"

typedef struct mc_owner_reference {
    uint32_t place, from; // places
    uint32_t field;       // text of the words
    uint64_t count;       // references
} mc_owner_reference;

typedef struct mc_owner_references {
    mc_owner_reference *items; // by place, the most first
    uint32_t count;
    size_t capacity;
    mc_slots slots;
} mc_owner_references;

// Of objects at the places that are wanted, an entry a place. References from what an object keeps
// alive itself don't count. Places of objects are the facts' links; `stand_ins` says by place which
// other one counts as where references come from. To be deinitialised in any case.
mc_result mc_owner_references_find(mc_owner_references *references, const mc_owner_facts *facts,
                                   const bool *is_wanted, const uint32_t *stand_ins,
                                   mc_error *error);
void mc_owner_references_deinit(mc_owner_references *references);
// Adds to the entry that is the same but for its count. False: out of memory.
bool mc_owner_references_add(mc_owner_references *references, mc_owner_reference added);
// By place, the most first; of equals the order does not depend on threads. False: out of memory.
bool mc_owner_references_sort(mc_owner_references *references, const mc_strings *texts);
