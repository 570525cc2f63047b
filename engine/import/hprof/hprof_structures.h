// hprof_structures.h - to which data structure each object belongs: the nearest collection, or
// array of objects, that dominates it.
//
// A collection is named by its class and by the field that holds it: "HashMap in Shop.cache",
// "(several)" if different fields do, "(root)" if only GC roots do. Collections and arrays that a
// collection of the JDK is made of (HashSet.map, HashMap.table) are no structures of their own. An
// object that none dominates, or that nothing reaches, is in none. Memory: 4 bytes an object. Two
// passes over the edges, in threads.
#pragma once
#include "engine/import/hprof/hprof_collections.h"
#include "engine/import/hprof/hprof_heap.h"

// Objects of one leaf in one structure.
typedef struct mc_hprof_structure_part {
    uint32_t structure; // in `names`; MC_NONE: none
    uint32_t leaf;
    mc_group_sum sum;
} mc_hprof_structure_part;

typedef struct mc_hprof_structures {
    mc_strings names;
    uint32_t *of;                   // by the object's number in the tree: in `names`, or MC_NONE
    mc_hprof_structure_part *parts; // by structure and leaf
    size_t count;
} mc_hprof_structures;

// `heap` is linked. `patterns`: more classes that are collections; may be NULL. To be deinitialised
// in any case.
mc_result mc_hprof_structures_init(mc_hprof_structures *structures, const mc_hprof_heap *heap,
                                   const mc_hprof_patterns *patterns, mc_error *error);
void mc_hprof_structures_deinit(mc_hprof_structures *structures);
