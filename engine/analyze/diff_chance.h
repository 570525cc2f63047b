// diff_chance.h - how many samples each group of two traces that are one was seen in, and whether
// chance explains that one side alone saw it.
//
// Known of traces that count samples ("samples"), and of allocation sites whose objects were
// sampled
// ("variance" of bytes). Samples are taken for independent. Threads: any, on separate objects.
// Method: Fisher's exact test of a group's samples among all of either side; of a heap, which does
// not have more of a group because it has more of others, the binomial one by at least halves.
// Bonferroni's bound for as many groups as were seen.
#pragma once
#include "engine/analyze/diff.h"

#define MC_DIFF_CHANCE 0.05 // that any group is told by chance, at most

typedef struct mc_diff_chance {
    bool is_known;
    bool is_of_heap;
    double *samples[MC_VERSUS_SIDES]; // per node; of inner ones nothing
    double total[MC_VERSUS_SIDES];
    uint32_t group_count; // leaves that were seen
} mc_diff_chance;

// O(nodes), of flows O(nodes * steps of the windows). Deinit whatever it returns.
mc_result mc_diff_chance_init(mc_diff_chance *chance, const mc_diff_desc *desc,
                              const mc_progress *progress, mc_error *error);
void mc_diff_chance_deinit(mc_diff_chance *chance);
// Of a leaf that `side` alone has seen.
bool mc_diff_chance_explains(const mc_diff_chance *chance, mc_versus_side side, uint32_t leaf);
