// diff_chance.h - in how many samples two combined traces saw each group, and whether chance
// explains that only one of them did.
//
// Known for traces that count samples ("samples"), and for allocation sites whose objects were
// sampled ("variance" of bytes). Samples are taken to be independent. Threads: any, on separate
// objects. Method: Fisher's exact test of a group's samples among all samples of either side. For a
// heap, which does not have more of one group because it has more of others, a binomial test in
// which the share of the side that saw the group is taken to be at least one half. Bonferroni's
// bound for as many groups as were seen.
#pragma once
#include "engine/analyze/max_tree.h"
#include "engine/trace/versus/versus.h"

#define MC_DIFF_CHANCE 0.05 // that any group is told by chance, at most

typedef struct mc_diff_chance {
    bool is_known;
    bool is_of_heap;
    double *samples[MC_VERSUS_SIDES]; // per node; of inner ones nothing
    double total[MC_VERSUS_SIDES];
    uint32_t group_count; // leaves that were seen
} mc_diff_chance;

// Of `metric` over each side's window. O(nodes), of flows O(nodes * steps of the windows). Deinit
// whatever it returns.
mc_result mc_diff_chance_init(mc_diff_chance *chance, const mc_trace *pair, mc_metric metric,
                              const mc_step_range windows[MC_VERSUS_SIDES],
                              const mc_progress *progress, mc_error *error);
void mc_diff_chance_deinit(mc_diff_chance *chance);
// Of a leaf that `side` alone has seen.
bool mc_diff_chance_explains(const mc_diff_chance *chance, mc_versus_side side, uint32_t leaf);
