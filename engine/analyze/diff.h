// diff.h - the differences between two traces combined into one (engine/trace/versus), leaf by
// leaf.
//
// A difference compares a metric at the ends of two windows, or a flow's sums over them. Threads:
// any, on separate objects.
#pragma once
#include "engine/analyze/max_tree.h"
#include "engine/trace/versus/versus.h"

typedef enum mc_diff_state {
    MC_DIFF_BOTH,
    MC_DIFF_NEW,  // no step before has it
    MC_DIFF_GONE, // no step after has it
    MC_DIFF_STATE_COUNT
} mc_diff_state;
extern const char *const mc_diff_state_names[]; // as in JSON

// How a group is classified. SAME includes a group that one side alone has, but at other steps than
// the compared ones. CHANCE is a group that is new or gone by so few samples that chance explains
// it (diff_chance.h).
typedef enum mc_diff_kind {
    MC_DIFF_KIND_GREW,
    MC_DIFF_KIND_SHRANK,
    MC_DIFF_KIND_NEW,
    MC_DIFF_KIND_GONE,
    MC_DIFF_KIND_SAME,
    MC_DIFF_KIND_CHANCE,
    MC_DIFF_KIND_COUNT
} mc_diff_kind;

// Words of the metric; MC_COUNT_UNKNOWN: not known.
typedef struct mc_diff_entry {
    uint32_t node;
    mc_diff_state state;
    mc_diff_kind kind;
    bool is_moved;                   // it, or what it is in
    uint64_t first[MC_VERSUS_SIDES]; // at each window's first step
    uint64_t value[MC_VERSUS_SIDES]; // at its last; of a flow the sum
    double difference;               // value after - value before; what is not known is none
} mc_diff_entry;

typedef struct mc_diff_desc {
    const mc_trace *trace; // of mc_trace_versus()
    mc_metric metric;      // as `after` has it
    // By side, each of its own trace: the windows at whose ends values are compared.
    mc_step_range window[MC_VERSUS_SIDES];
    bool is_growth; // the difference is that of growth over the windows, not that of values
} mc_diff_desc;

typedef struct mc_diff {
    mc_diff_entry *entries; // leaves, the largest difference of either sign first, then by node
    uint32_t count;
    uint32_t kind_counts[MC_DIFF_KIND_COUNT];
    uint64_t total[MC_VERSUS_SIDES];         // of the whole heap
    bool is_sampled;                         // it is known how many samples each group was seen in
    uint32_t chance_counts[MC_VERSUS_SIDES]; // by the side that alone has them, of …_CHANCE
    double most_by_chance;                   // samples of any of them
    uint32_t seen_count;                     // groups that were seen at all
} mc_diff;

// O(leaves * log leaves + nodes); of a flow O(nodes * steps of the windows).
mc_result mc_diff_compute(const mc_diff_desc *desc, const mc_progress *progress, mc_diff *diff,
                          mc_error *error);
void mc_diff_deinit(mc_diff *diff);
