// partition.h - lays a weighted tree out as nested intervals: the angles of a sunburst, the extents
// of an icicle.
//
// Pure CPU code: no I/O, no globals, no allocation. Values are whole numbers and are added as such;
// intervals are shares of the root's. Results agree with d3.partition for the same order to 1e-9 of
// the whole (it adds doubles). Threads: any.
#pragma once
#include "engine/base/base.h"

// In breadth-first order: parents precede children, siblings are contiguous and in the order in
// which they are drawn, and the children of one node come before those of the next. `first_child`
// of a node without children is where they would be.
typedef struct mc_partition_tree {
    uint32_t count;
    const uint32_t *first_child, *child_count;
} mc_partition_tree;

typedef struct mc_interval {
    double from, to;
} mc_interval;

// Some consecutive nodes.
typedef struct mc_node_span {
    uint32_t first, end;
} mc_node_span;

// The children of all nodes in a span.
static inline mc_node_span mc_partition_get_children(const mc_partition_tree *tree,
                                                     mc_node_span span) {
    if (span.first == span.end) return span;
    return (mc_node_span){tree->first_child[span.first],
                          tree->first_child[span.end - 1] + tree->child_count[span.end - 1]};
}

// Gives `root` the interval from 0 to 1 and whatever is below it its share of its parent's; other
// entries are not touched. What children do not explain of their parent stays empty at its end;
// where they are more than their parent, they share it. O(nodes below the root).
void mc_partition_layout(const mc_partition_tree *tree, const uint64_t *values, uint32_t root,
                         mc_interval *intervals);
