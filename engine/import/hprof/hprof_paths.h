// hprof_paths.h - how the roots hold each group of a heap dump, in words that other dumps have,
// too.
//
// Of each group the 60 branches that hold the most, see group_paths.h for what that costs; ways of
// one text and place are one. Threads: one call, one thread.
#pragma once
#include "engine/import/hprof/hprof_heap.h"
#include "engine/trace/step_paths.h"

// The heap is linked. `tree_nodes`: by group, its node in the step's tree, or MC_NONE.
mc_result mc_hprof_add_paths(const mc_hprof_heap *heap, const uint32_t *tree_nodes,
                             mc_step_paths *paths, mc_error *error);
