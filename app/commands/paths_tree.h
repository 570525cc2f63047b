// paths_tree.h - merged retaining paths as rows of names and figures, from a heap dump or a trace:
// marks new rows and sorts them.
//
// Strings are interned in one table, so that rows of two dumps can be compared. False: out of
// memory. Threads: any, on separate objects.
#pragma once
#include "engine/analyze/retaining_tree.h"
#include "engine/heap/heap.h"

// A node of the merged paths, in words that other dumps have, too.
typedef struct mc_path_row {
    uint32_t parent; // MC_NONE: the roots
    uint32_t depth;
    uint32_t field, class; // strings; field: MC_NONE, a GC root references it
    uint32_t before;       // of a dump: the same node in the first one; MC_NONE: it is new
    bool is_folded, is_cut, is_rest, is_new;
    mc_group_sum ends, whole, first; // first: what the node was at the first step
} mc_path_row;

typedef struct mc_path_tree {
    mc_path_row *rows; // parents before their children
    uint32_t count;
} mc_path_tree;

void mc_path_tree_deinit(mc_path_tree *tree);

// Fill an empty tree.
bool mc_path_tree_take(mc_path_tree *tree, const mc_heap *heap, const mc_paths *paths,
                       mc_strings *strings);
bool mc_path_tree_take_held(mc_path_tree *tree, const mc_trace *trace,
                            const mc_retaining_tree *held, mc_strings *strings);

// Finds each row's counterpart in the tree of the first dump.
bool mc_path_tree_compare(mc_path_tree *tree, const mc_path_tree *first);
// Breadth first; siblings by what they hold, and then by their names, whatever they come from.
bool mc_path_tree_sort(mc_path_tree *tree, const mc_strings *strings);
