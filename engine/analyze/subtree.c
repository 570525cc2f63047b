#include "engine/analyze/subtree.h"

#include <string.h>

#include "engine/base/memory.h"

enum { COLUMN_COUNT = 5 };

static uint32_t count_below(const mc_node_columns *nodes, uint32_t root) {
    // Breadth first, what is below a node at some level is contiguous.
    uint32_t first = root, last = root + 1, count = 0;
    while (first < last) {
        uint32_t next_first = MC_NONE, next_last = 0;
        count += last - first;
        for (uint32_t i = first; i < last; i++) {
            if (nodes->child_count[i] == 0) continue;
            if (next_first == MC_NONE) next_first = nodes->first_child[i];
            next_last = nodes->first_child[i] + nodes->child_count[i];
        }
        if (next_first == MC_NONE) break;
        first = next_first;
        last = next_last;
    }
    return count;
}

mc_result mc_subtree_init(mc_subtree *subtree, const mc_node_columns *nodes, uint32_t root,
                          mc_error *error) {
    *subtree = (mc_subtree){.nodes = *nodes};
    if (root == 0) return MC_OK;
    assert(root < nodes->count);
    uint32_t count = count_below(nodes, root);
    subtree->node = mc_alloc(count, sizeof *subtree->node);
    subtree->columns = mc_alloc(count, COLUMN_COUNT * sizeof *subtree->columns);
    if (!subtree->node || !subtree->columns) {
        mc_subtree_deinit(subtree);
        return mc_error_out_of_memory(error);
    }
    uint32_t *column[COLUMN_COUNT];
    for (int i = 0; i < COLUMN_COUNT; i++)
        column[i] = subtree->columns + (size_t)i * count;
    uint32_t *parent = column[0], *first_child = column[1], *child_count = column[2];
    uint32_t *by_appearance = column[3], *level = column[4], *node = subtree->node;
    uint32_t used = 1, leaf_count = 0;
    node[0] = root;
    parent[0] = MC_NONE;
    level[0] = 0;
    by_appearance[0] = 0;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t first = nodes->first_child[node[i]];
        child_count[i] = nodes->child_count[node[i]];
        first_child[i] = used;
        leaf_count += child_count[i] == 0;
        for (uint32_t k = 0; k < child_count[i]; k++, used++) {
            node[used] = first + k;
            parent[used] = i;
            level[used] = level[i] + 1;
            by_appearance[used] = first_child[i] + nodes->child_by_appearance[first + k] - first;
        }
    }
    subtree->nodes = (mc_node_columns){.count = count,
                                       .leaf_count = leaf_count,
                                       .depth = level[count - 1],
                                       .parent = parent,
                                       .first_child = first_child,
                                       .child_count = child_count,
                                       .child_by_appearance = by_appearance,
                                       .level = level};
    return MC_OK;
}

void mc_subtree_deinit(mc_subtree *subtree) {
    mc_free(subtree->node);
    mc_free(subtree->columns);
    memset(subtree, 0, sizeof *subtree);
}

mc_result mc_subtree_cut_max_tree(const mc_subtree *subtree, mc_max_tree *tree, mc_error *error) {
    if (!subtree->node) return MC_OK;
    uint32_t count = subtree->nodes.count;
    mc_max_tree cut;
    mc_result result = mc_max_tree_init(&cut, count, error);
    if (result != MC_OK) return result;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t node = subtree->node[i];
        cut.max[i] = tree->max[node];
        cut.first[i] = tree->first[node];
        cut.last[i] = tree->last[node];
        int64_t growth = mc_max_tree_get_growth(&cut, i);
        bool counts = subtree->nodes.child_count[i] == 0 && mc_max_tree_knows_growth(&cut, i);
        if (counts && growth > cut.largest_growth) cut.largest_growth = growth;
    }
    mc_max_tree_deinit(tree);
    *tree = cut;
    return MC_OK;
}
