#include "app/views/flat/flat_pruned.h"

#include "engine/base/memory.h"

mc_result mc_flat_pruned_create(const mc_tree *whole, const mc_node_columns *nodes,
                                const mc_tree_pruning *pruning, mc_flat_pruned **out,
                                mc_error *error) {
    mc_flat_pruned *pruned = mc_alloc_zero(1, sizeof *pruned);
    *out = NULL;
    if (!pruned) return mc_error_out_of_memory(error);
    atomic_init(&pruned->referrer_count, 1);
    mc_result result = mc_tree_create_pruned(whole, nodes, pruning, &pruned->tree, error);
    if (result == MC_OK)
        *out = pruned;
    else
        mc_flat_pruned_release(pruned);
    return result;
}

mc_flat_pruned *mc_flat_pruned_hold(mc_flat_pruned *pruned) {
    atomic_fetch_add(&pruned->referrer_count, 1);
    return pruned;
}

void mc_flat_pruned_release(mc_flat_pruned *pruned) {
    if (!pruned || atomic_fetch_sub(&pruned->referrer_count, 1) > 1) return;
    mc_tree_destroy(pruned->tree);
    mc_free(pruned);
}
