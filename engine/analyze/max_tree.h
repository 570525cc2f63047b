// max_tree.h - a time window's summary of every node: largest, first and last value, and growth.
//
// Pure CPU code. Source: Weninger et al., "Memory Cities", 2020, section IV-B (max tree, growth
// tree).
#pragma once
#include "engine/trace/trace.h"

// Steps [first_step, last_step] of a trace: the time window.
typedef struct mc_step_range {
    uint32_t first_step, last_step;
} mc_step_range;

static inline mc_step_range mc_step_range_whole(const mc_trace *trace) {
    return (mc_step_range){0, mc_trace_get_step_count(trace) - 1};
}

// From its first step to its last; never overflows.
static inline int64_t mc_step_range_get_duration_ms(const mc_trace *trace, mc_step_range window) {
    return mc_trace_get_step(trace, window.last_step)->time_ms -
           mc_trace_get_step(trace, window.first_step)->time_ms;
}

// Finds the last step before the program released most of its heap for good (as at a shutdown),
// which would hide the growth until then. MC_NONE: it did not; or it had released half as much
// before and went on, as a saw-tooth does; or it did so at its start. Of a trace that counts
// garbage, only steps right behind a collection of the whole heap tell. For two combined traces
// (engine/trace/versus): the step at which each side is before its release, whatever the metric.
// O(steps).
uint32_t mc_step_range_find_release(const mc_trace *trace, mc_metric metric);

// Columns over all nodes of the trace, in one metric. Zero-initialise, compute, deinit. They share
// one block, which begins with `max`.
typedef struct mc_max_tree {
    uint32_t count;
    uint64_t
        *max; // leaves: the largest value in the window; inner nodes: the sum over their leaves
    // At the window's first step; MC_COUNT_UNKNOWN: the input does not say from what to what the
    // node went, so that its growth is not known.
    uint64_t *first;
    uint64_t *last;         // at the window's last step; 0 where that is not known
    int64_t largest_growth; // of any leaf; <= 0: nothing grew
} mc_max_tree;

// O(nodes * steps of the window); O(nodes) for the whole of a trace that knows its maxima. Sums
// that exceed 2^64 - 1 stay there. On failure `tree` is zeroed.
mc_result mc_max_tree_compute(mc_max_tree *tree, const mc_trace *trace, mc_metric metric,
                              mc_step_range window, const mc_progress *progress, mc_error *error);
// The same if each leaf's largest value, or a substitute, is known already; the entries of inner
// nodes are not read. O(nodes).
mc_result mc_max_tree_compute_known(mc_max_tree *tree, const mc_trace *trace, mc_metric metric,
                                    mc_step_range window, const uint64_t *max, mc_error *error);
// Allocates uninitialised columns for `count` nodes. On failure `tree` is as it was.
mc_result mc_max_tree_init(mc_max_tree *tree, uint32_t count, mc_error *error);
void mc_max_tree_deinit(mc_max_tree *tree);

static inline bool mc_max_tree_knows_growth(const mc_max_tree *tree, uint32_t node_index) {
    return tree->first[node_index] != MC_COUNT_UNKNOWN;
}

// 0 where it is not known.
static inline int64_t mc_max_tree_get_growth(const mc_max_tree *tree, uint32_t node_index) {
    if (!mc_max_tree_knows_growth(tree, node_index)) return 0;
    return (int64_t)(tree->last[node_index] - tree->first[node_index]);
}

// Sorts the leaves of the trace by descending growth, those with unknown growth last; ties by
// descending maximum (so a single step is sorted by size), then by node index (siblings in key
// order). `order` has room for nodes->leaf_count indices. O(leaves).
mc_result mc_max_tree_rank(const mc_max_tree *tree, const mc_node_columns *nodes, uint32_t *order,
                           mc_error *error);

// Child limit: keeps in every district the `child_limit` children with the largest maximum (equal
// ones by key); 0 keeps all. Nodes whose maximum is 0 are kept: they have no building but count as
// shown.
typedef struct mc_pruning {
    uint8_t *visible; // per node
    uint32_t hidden_leaf_count;
    double hidden_share; // of the sum of all leaves' maxima
} mc_pruning;

mc_result mc_pruning_compute(mc_pruning *pruning, const mc_max_tree *tree,
                             const mc_node_columns *nodes, uint32_t child_limit, mc_error *error);
void mc_pruning_deinit(mc_pruning *pruning);
