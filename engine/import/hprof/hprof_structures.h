// hprof_structures.h - to which data structure each object belongs: the nearest collection, or
// array of objects, that dominates it.
//
// A collection is named by its class and by the field that holds it: "HashMap in Shop.cache",
// "(several)" if different fields do. If what dominates it references it directly, that field
// counts alone, else fields count more than views, iterators and local variables; what GC roots
// alone hold is named by these, "ArrayList in Shop.run()" (mc_hprof_roots_tell_briefly(),
// hprof_roots.h): names are the same from dump to dump. Part of a collection and no structures of
// their own are the collections and arrays that it is made of (HashSet.map, HashMap.table), and
// those that only collections and arrays have for elements (the lists of a map of lists). An object
// that none dominates, what is held by a class object, and what nothing reaches is in none. Memory:
// 4 bytes an object. Three passes over the graph, two of them in threads.
#pragma once
#include "engine/import/hprof/hprof_collections.h"
#include "engine/import/hprof/hprof_heap.h"

// Objects of one class leaf (hprof_classes.h) in one structure.
typedef struct mc_hprof_structure_part {
    uint32_t structure; // in `names`; MC_NONE: none
    uint32_t leaf;
    uint32_t position; // the first in the graph
    mc_group_sum sum;
} mc_hprof_structure_part;

typedef struct mc_hprof_structures {
    mc_strings names;
    uint32_t *of;                   // by the object's number in the tree: its part; MC_NONE: none
    mc_hprof_structure_part *parts; // in any order
    size_t count;
} mc_hprof_structures;

// `heap` has its graph, with notes: without, nobody knows which roots hold what they alone hold.
// `patterns`: more classes that are collections, see hprof_collections.h. To
// be deinitialised in any case.
mc_result mc_hprof_structures_init(mc_hprof_structures *structures, const mc_hprof_heap *heap,
                                   const char *patterns, mc_error *error);
void mc_hprof_structures_deinit(mc_hprof_structures *structures);
