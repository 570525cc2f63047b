#include "engine/scene/flat_past.h"

#include "engine/base/memory.h"
#include <math.h>
#include <string.h>

void mc_flat_past_deinit(mc_flat_past *past) {
    mc_free(past->intervals);
    mc_free(past->colors);
    memset(past, 0, sizeof *past);
}

void mc_flat_past_take(mc_flat_past *past, const mc_flat_pane *pane) {
    const mc_tree *tree = pane->tree;
    mc_flat_past_deinit(past);
    past->intervals = mc_alloc(tree->node_count, sizeof *past->intervals);
    past->colors = mc_alloc(tree->node_count, sizeof *past->colors);
    if (!past->intervals || !past->colors) {
        mc_flat_past_deinit(past);
        return;
    }
    for (uint32_t node = 0; node < tree->node_count; node++) {
        uint32_t entry = tree->node_entry[node];
        past->intervals[node] = pane->now.intervals[entry];
        past->colors[node] = pane->now.colors[entry];
    }
    past->node_count = tree->node_count;
    past->root_node = tree->node[pane->now.root];
    past->row_count = pane->now.row_count;
}

// What its groups were in together.
static mc_interval get_other(const mc_flat_past *past, const mc_tree *tree, uint32_t entry) {
    uint32_t other = tree->other[entry];
    const uint32_t *groups = tree->hidden + tree->other_first[other];
    mc_interval all = past->intervals[groups[0]];
    for (uint32_t i = 1; i < tree->other_group_count[other]; i++) {
        mc_interval one = past->intervals[groups[i]];
        all.from = fmin(all.from, one.from);
        all.to = fmax(all.to, one.to);
    }
    return all;
}

bool mc_flat_past_begin(const mc_flat_past *past, mc_flat_pane *pane) {
    const mc_tree *tree = pane->tree;
    if (!past->intervals || past->node_count != tree->node_count) return false;
    if (past->root_node != tree->node[pane->now.root]) return false;
    mc_flat_state *before = &pane->before;
    for (uint32_t entry = pane->now.root; entry < tree->count; entry++) {
        bool is_other = mc_tree_is_other(tree, entry);
        uint32_t node = tree->node[entry];
        before->intervals[entry] = is_other ? get_other(past, tree, entry) : past->intervals[node];
        before->colors[entry] = is_other ? pane->now.colors[entry] : past->colors[node];
    }
    before->root = pane->now.root;
    before->row_count = past->row_count;
    pane->has_before = true;
    return true;
}
