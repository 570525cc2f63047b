#include "engine/layout/partition.h"

// Whole numbers that are exact as 63 bits; beyond them sums are rounded.
#define EXACT_SUM 9.2e18

static double add_up(const uint64_t *values, uint32_t count) {
    double sum = 0;
    for (uint32_t i = 0; i < count; i++)
        sum += (double)values[i];
    return sum;
}

static void divide(const uint64_t *values, uint32_t count, uint64_t whole, mc_interval parent,
                   mc_interval *intervals) {
    double rounded_sum = add_up(values, count), width = parent.to - parent.from;
    bool is_exact = rounded_sum < EXACT_SUM;
    uint64_t sum = 0;
    for (uint32_t i = 0; i < count && is_exact; i++)
        sum += values[i];
    double total = is_exact ? (double)(sum > whole ? sum : whole) : rounded_sum;
    double scale = total > 0 ? width / total : 0;
    double at = parent.from, rounded = 0;
    uint64_t before = 0;
    for (uint32_t i = 0; i < count; i++) {
        before += values[i];
        rounded += (double)values[i];
        double end = parent.from + scale * (is_exact ? (double)(int64_t)before : rounded);
        // Rounding carries nothing beyond the parent, and the last child ends where it does.
        if (end > parent.to || (is_exact && before == sum && sum >= whole && sum > 0))
            end = parent.to;
        intervals[i] = (mc_interval){at, end};
        at = end;
    }
}

void mc_partition_layout(const mc_partition_tree *tree, const uint64_t *values, uint32_t root,
                         mc_interval *intervals) {
    intervals[root] = (mc_interval){0, 1};
    mc_node_span span = {root, root + 1};
    while (span.first < span.end) {
        for (uint32_t i = span.first; i < span.end; i++) {
            uint32_t count = tree->child_count[i], first = tree->first_child[i];
            if (count > 0)
                divide(values + first, count, values[i], intervals[i], intervals + first);
        }
        span = mc_partition_get_children(tree, span);
    }
}
