// builder_nodes.h - renumbers a builder's nodes into the order of a finished trace; for the trace
// module's own files only.
//
// Old numbers follow the order in which nodes were first seen, with the self nodes behind them. New
// numbers are breadth first, siblings sorted by key. Use: init; want_self() for every node that has
// a share which no child explains; run; deinit.
#pragma once
#include "engine/trace/build/builder_state.h"

typedef struct mc_node_order {
    mc_trace_builder *builder;
    mc_trace *trace;           // whose node columns and classifiers are filled
    uint32_t old_count;        // with self nodes
    uint64_t *wants_self;      // one bit a seen node
    uint32_t *self;            // per seen node: its self node, or MC_NONE; NULL: none has one
    uint32_t *self_parent;     // per self node
    uint32_t *self_key;        // per self node
    uint32_t *ends;            // per old node: where its children end in `children`, and those of
                               // the next one begin; until run() how many there are
    uint32_t *children;        // in the order in which they were seen
    uint32_t *classifier_rank; // the trace's number of a classifier of the builder
    uint32_t *order;           // old number by new
    uint32_t *new_index;       // new number by old
} mc_node_order;

mc_result mc_node_order_init(mc_node_order *order, mc_trace_builder *builder, mc_trace *trace,
                             mc_error *error);
// Between init() and run(). Nodes without children get no self node.
static inline void mc_node_order_want_self(mc_node_order *order, uint32_t node) {
    mc_bits_set(order->wants_self, node);
}
mc_result mc_node_order_run(mc_node_order *order, mc_error *error);
// After run(): the old number of what has the objects of a seen node, its self node or itself.
static inline uint32_t mc_node_order_get_leaf(const mc_node_order *order, uint32_t node) {
    return order->self && order->self[node] != MC_NONE ? order->self[node] : node;
}
// Per seen node the new number of that. The caller frees it with mc_free(). NULL: out of memory.
uint32_t *mc_node_order_list_leaves(const mc_node_order *order);
void mc_node_order_deinit(mc_node_order *order);

static inline uint32_t mc_node_order_get_parent(const mc_node_order *order, uint32_t old) {
    const mc_trace_builder *builder = order->builder;
    return old < builder->node_count ? builder->nodes[old].parent
                                     : order->self_parent[old - builder->node_count];
}
