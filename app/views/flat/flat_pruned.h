// flat_pruned.h - a pruned copy of a layout's tree: read-only and reference-counted, like the
// layout.
//
// Threads: hold and release from any.
#pragma once
#include "engine/tree/tree.h"
#include <stdatomic.h>

typedef struct mc_flat_pruned {
    mc_tree *tree;
    atomic_uint referrer_count;
} mc_flat_pruned;

// The caller owns a reference. On failure *pruned is NULL.
mc_result mc_flat_pruned_create(const mc_tree *whole, const mc_node_columns *nodes,
                                const mc_tree_pruning *pruning, mc_flat_pruned **pruned,
                                mc_error *error);
mc_flat_pruned *mc_flat_pruned_hold(mc_flat_pruned *pruned);
void mc_flat_pruned_release(mc_flat_pruned *pruned); // NULL is fine
