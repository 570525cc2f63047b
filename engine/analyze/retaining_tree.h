// retaining_tree.h - the merged retaining paths of a group at a step (step_paths.h) as a tree, and
// which of them are new since an earlier step.
//
// Paths of two steps are the same if their fields and classes are, from the root on. Below a path
// whose branches the earlier step gives only in part, it is not known which are new, and none is
// marked. Cost: reading one or two steps' paths, and the group's rows. Threads: any.
#pragma once
#include "engine/trace/trace.h"

typedef struct mc_retaining_row {
    uint32_t parent; // row; MC_NONE: the GC roots
    uint32_t depth;
    uint32_t path;  // of the trace; MC_NONE: the GC roots, or what is_rest
    bool is_rest;   // the sum of what is not told below the parent
    bool is_folded; // see step_paths.h
    bool is_new;
    uint64_t objects, bytes;             // that end here, and what they retain
    uint64_t whole_objects, whole_bytes; // with all below
    uint64_t first_objects, first_bytes; // whole, at the earlier step
} mc_retaining_row;

// Breadth first: [0] is the GC roots; siblings next to each other, the one that retains the most
// first, a rest last. Zero-initialise, find, deinit.
typedef struct mc_retaining_tree {
    mc_retaining_row *rows;
    uint32_t count; // 0: the step's paths, or the node's, are not known
    bool has_first; // those of the earlier step are
} mc_retaining_tree;

// `first_step`: an earlier step; MC_NONE or the step itself: none.
mc_result mc_retaining_tree_find(const mc_trace *trace, uint32_t node, uint32_t step,
                                 uint32_t first_step, mc_retaining_tree *tree, mc_error *error);
void mc_retaining_tree_deinit(mc_retaining_tree *tree);
