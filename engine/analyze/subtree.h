// subtree.h - a node and its descendants as a tree of its own, for code that takes a whole tree:
// layout, ranking, pruning.
//
// Pure CPU code. Threads: separate objects may run in parallel.
#pragma once
#include "engine/analyze/max_tree.h"

// Zero-initialise, init, deinit.
typedef struct mc_subtree {
    // Numbered anew, breadth first, 0 is the root; siblings stay in their order. Keys, names, roles
    // and flags are NULL unless the root is the trace's own.
    mc_node_columns nodes;
    uint32_t *node; // the trace's number of each; NULL: the same
    uint32_t *columns;
} mc_subtree;

// With root 0, the whole tree, nothing is copied, and `nodes` must outlive the subtree. Else
// O(nodes below the root). On failure `subtree` is zeroed.
mc_result mc_subtree_init(mc_subtree *subtree, const mc_node_columns *nodes, uint32_t root,
                          mc_error *error);
void mc_subtree_deinit(mc_subtree *subtree);

// Reduces `tree`, computed for the trace's nodes, to those of the subtree. On failure it is as it
// was.
mc_result mc_subtree_cut_max_tree(const mc_subtree *subtree, mc_max_tree *tree, mc_error *error);

static inline uint32_t mc_subtree_get_node(const mc_subtree *subtree, uint32_t index) {
    return subtree->node ? subtree->node[index] : index;
}
