// path_step.h - adds the merged retaining paths of each group of a heap to a step, in names that
// are comparable between heaps.
//
// Each group keeps the 60 branches that hold the most; group_paths.h tells what that costs. Paths
// with the same text and place are merged. Threads: one call, one thread.
#pragma once
#include "engine/heap/heap.h"
#include "engine/trace/step_paths.h"

// The heap is linked. Its sizes are gone while paths are searched, and after a failure.
// `tree_nodes`: by group, its node in the step's tree, or MC_NONE.
mc_result mc_heap_add_paths(mc_heap *heap, const uint32_t *tree_nodes, mc_step_paths *paths,
                            mc_error *error);
