// node_facts.h - the exact values of some nodes over a window, for output.
//
// Ranking and drawing take values as whole numbers (see mc_metric_get_count()); here they are as in
// the input. Threads: any.
#pragma once
#include "engine/analyze/max_tree.h"

// Words of the metric; MC_COUNT_UNKNOWN: the input says nothing.
typedef struct mc_node_facts {
    uint64_t first, last; // at the window's ends
    uint64_t max;         // of the window's steps
    uint64_t sum;         // of a flow; of a stock MC_COUNT_UNKNOWN
} mc_node_facts;

// `facts`: one per node. O(nodes asked for * steps of the window); O(nodes of the trace) per step
// if the file stores an additive metric's values for leaves only.
mc_result mc_node_facts_read(const mc_trace *trace, mc_metric metric, mc_step_range window,
                             const uint32_t *nodes, uint32_t count, mc_node_facts *facts,
                             mc_error *error);

// Computes the facts from the values of one node, step by step.
mc_node_facts mc_node_facts_of_series(const mc_metric_info *info, const uint64_t *values,
                                      uint32_t count);

// One number that stands for the window: a stock's last, a flow's sum.
static inline uint64_t mc_node_facts_get_value(const mc_node_facts *facts,
                                               const mc_metric_info *info) {
    return info->kind == MC_METRIC_FLOW ? facts->sum : facts->last;
}
