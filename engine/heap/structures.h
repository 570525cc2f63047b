// structures.h - assigns each object to a data structure: the nearest collection, or array of
// objects, that dominates it.
//
// A collection is named by its class and by the field that references it: "HashMap in Shop.cache",
// or "(several)" if different fields do. If its dominator references it directly, only that field
// counts; else fields take precedence over views, iterators and local variables. What GC roots
// alone reference is named by these, "ArrayList in Shop.run()"; what only late roots reach and
// nothing else references, by these. What is a collection, its elements
// or a part of it, the heap's reader says (mc_heap_role). Not structures of their own, but
// part of the collection, are the collections and arrays that it is made of (HashSet.map,
// HashMap.table), and those that are elements of collections and arrays only (the lists of a map of
// lists). Objects that no collection dominates, that a class object holds, or that are unreachable
// belong to no structure. Memory: 4 bytes per object. Three passes over the graph, two of them in
// threads.
#pragma once
#include "engine/heap/heap.h"

// Objects of one leaf in one structure.
typedef struct mc_heap_structure_part {
    uint32_t structure; // in `names`; MC_NONE: none
    uint32_t leaf;
    uint32_t position; // the first in the graph
    mc_group_sum sum;
} mc_heap_structure_part;

typedef struct mc_heap_structures {
    mc_strings names;
    uint32_t *of;                  // by the object's number in the tree: its part; MC_NONE: none
    mc_heap_structure_part *parts; // in any order
    size_t count;
} mc_heap_structures;

// `heap` is linked. To be deinitialised in any case.
mc_result mc_heap_structures_init(mc_heap_structures *structures, const mc_heap *heap,
                                  mc_error *error);
void mc_heap_structures_deinit(mc_heap_structures *structures);
