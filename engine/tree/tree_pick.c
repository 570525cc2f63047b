#include "engine/tree/tree_pick.h"

uint32_t mc_tree_pick(const mc_tree *tree, uint32_t root, const mc_interval *intervals,
                      uint32_t level, double along) {
    mc_partition_tree partition = mc_tree_get_partition(tree);
    mc_node_span span = {root, root + 1};
    if (!(along >= 0 && along <= 1)) return MC_NONE;
    for (uint32_t i = 0; i < level; i++)
        span = mc_partition_get_children(&partition, span);
    // The first one that ends behind it.
    uint32_t low = span.first, high = span.end;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (intervals[middle].to <= along)
            low = middle + 1;
        else
            high = middle;
    }
    return low < span.end && intervals[low].from <= along ? low : MC_NONE;
}
