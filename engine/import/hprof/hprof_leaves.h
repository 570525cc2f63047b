// hprof_leaves.h - maps the objects of a heap to the leaves of the tree.
//
// By default an object's leaf depends on its class alone (hprof_classes.h). If the data structure
// is a criterion, a leaf belongs to a class within a structure, and each object's leaf is looked up
// by the object's number (hprof_divide.h). Memory: 4 bytes per object then. Threads: reading, any.
#pragma once
#include "engine/import/hprof/hprof_classes.h"

typedef struct mc_hprof_leaves {
    uint32_t count;
    const uint64_t *objects, *bytes;   // of each leaf
    uint64_t *own_objects, *own_bytes; // the same where they are not those of classes; or NULL
    uint32_t *of; // by object (hprof_ids.h); NULL: the leaves are those of the classes
} mc_hprof_leaves;

// Those of the classes.
mc_hprof_leaves mc_hprof_leaves_of_classes(const mc_hprof_classes *classes);
void mc_hprof_leaves_deinit(mc_hprof_leaves *leaves);

// The leaf of the object of a record, whose leaf by its class is `class_leaf`. `*hint` as of
// mc_hprof_ids_find().
static inline uint32_t mc_hprof_leaves_get(const mc_hprof_leaves *leaves, const mc_hprof_ids *ids,
                                           uint64_t id, uint32_t class_leaf, uint32_t *hint) {
    if (!leaves->of || class_leaf == MC_NONE) return class_leaf;
    uint32_t object = mc_hprof_ids_find(ids, id, hint);
    return object == MC_NONE ? MC_NONE : leaves->of[object];
}
