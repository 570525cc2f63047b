// top_n.h - finds the leaves with the largest values at a step.
//
// Threads: any.
#pragma once
#include "engine/trace/trace.h"

typedef struct mc_top_n {
    uint32_t node;
    uint64_t value; // as mc_trace_read_column()
} mc_top_n;

// Fills `found` with up to `most` leaves below `root` whose value is known and above 0, in
// descending order, ties by node number. O(nodes * log most).
mc_result mc_top_n_find(const mc_trace *trace, uint32_t step_index, mc_metric metric, uint32_t root,
                        mc_top_n *found, uint32_t most, uint32_t *count, mc_error *error);
