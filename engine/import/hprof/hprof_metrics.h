// hprof_metrics.h - adds the metrics of a heap dump's groups beyond objects and bytes to a step's
// tree.
//
// `tree_nodes` has an entry per group of the heap: its node in the tree, or MC_NONE. Threads: those
// of the heap's crew.
#pragma once
#include "engine/import/hprof/hprof_heap.h"

// The metrics `retained` (bytes) and `retained_objects`: see engine/graph/retained.h. `heap` has
// its graph.
mc_result mc_hprof_add_retained(const mc_hprof_heap *heap, const uint32_t *tree_nodes,
                                mc_step_tree *tree, mc_error *error);
// The metrics `waste` and its parts, in bytes: see hprof_wasted_bytes.h. One walk over the heap.
mc_result mc_hprof_add_waste(mc_hprof_heap *heap, const uint32_t *tree_nodes, mc_step_tree *tree,
                             mc_error *error);
