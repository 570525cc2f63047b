// builder_nodes.h - renumbers a builder's nodes into the order of a finished trace; for the trace
// module's own files only.
//
// Old numbers follow the order in which nodes were first seen, with the self nodes behind them. New
// numbers are breadth first, siblings sorted by key. Use: init; set self[n] = 0 for every node that
// has a share which no child explains; run; deinit.
#pragma once
#include "engine/trace/build/builder_state.h"

typedef struct mc_node_order {
    mc_trace_builder *builder;
    mc_trace *trace;           // whose node columns and classifiers are filled
    uint32_t old_count;        // with self nodes
    uint32_t *self;            // per seen node: its self node, or MC_NONE
    uint32_t *self_parent;     // per self node
    uint32_t *self_key;        // per self node
    uint32_t *first, *count;   // per old node: its children in `children`
    uint32_t *children;        // in the order in which they were seen
    uint32_t *sorted;          // the same by key, for a while
    uint32_t *classifier_rank; // the trace's number of a classifier of the builder
    uint32_t *order;           // old number by new
    uint32_t *new_index;       // new number by old
} mc_node_order;

mc_result mc_node_order_init(mc_node_order *order, mc_trace_builder *builder, mc_trace *trace,
                             mc_error *error);
mc_result mc_node_order_run(mc_node_order *order, mc_error *error);
// Per seen node the new number of what has its objects: its self node, or itself. The caller frees
// it with mc_free(). NULL: out of memory.
uint32_t *mc_node_order_list_leaves(const mc_node_order *order);
void mc_node_order_deinit(mc_node_order *order);

static inline uint32_t mc_node_order_get_parent(const mc_node_order *order, uint32_t old) {
    const mc_trace_builder *builder = order->builder;
    return old < builder->node_count ? builder->nodes[old].parent
                                     : order->self_parent[old - builder->node_count];
}
