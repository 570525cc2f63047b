// owner_profile.h - who owns a heap: its dominator tree merged into places by fields and classes
// (step_owners.h).
//
// Places are those of owner_places.h, roots as owner_facts.h counts them. Of places below another
// those are left out that retain less than a 32,768th of what is reachable; so are such places
// without a parent, but what they retain is added up, for each kind of root, at one place with no
// field and the class "(several)". Ways are told of places that no field of the parent references,
// if they retain more than a 256th: the eight that most references take. Memory: that of places and
// facts. Passes over the graph: two, and one for ways if there is such a place; one over the tree.
// Threads: the heap's.
#pragma once
#include "engine/heap/heap.h"
#include "engine/trace/step_owners.h"

// Of a film whose heap says what is new (mc_heap.is_new): the same at its first moment.
typedef struct mc_heap_owners_before {
    const uint32_t *tree_nodes; // likewise, of that moment's tree
    mc_step_owners *owners;
} mc_heap_owners_before;

// Adds to `owners`, which is reset, all but the time. `heap` is linked; `tree_nodes` has an entry
// per group of the heap: its node in the step's tree, or MC_NONE. `before`: NULL: not wanted.
mc_result mc_heap_add_owners(mc_heap *heap, const uint32_t *tree_nodes, mc_step_owners *owners,
                             const mc_heap_owners_before *before, mc_error *error);
