// gate_parts.h - breaks the findings of a gate down: the leaves within each that grew more than in
// the base.
//
// Growth is that over the two windows; for a flow, the sums over them. Threads: any, on separate
// objects.
#pragma once
#include "engine/analyze/diff.h"
#include "engine/analyze/gate.h"

#define MC_GATE_PART_MAX 10

typedef struct mc_gate_part_list {
    uint32_t node;        // the finding's, of the pair
    uint32_t was_node;    // in the base, of what is called otherwise there; MC_NONE: of nothing
    uint32_t count;       // of leaves within it that grew more; the finding itself is none
    mc_diff_entry *items; // the first MC_GATE_PART_MAX of them, the largest difference first
} mc_gate_part_list;

typedef struct mc_gate_parts {
    mc_gate_part_list *lists; // one a finding
    uint32_t count;
} mc_gate_parts;

// `pair` is the gate's base and its trace as one (engine/trace/versus). O(findings * metrics), and
// O(leaves * depth) and a mc_diff_compute() for each metric that findings are about.
mc_result mc_gate_parts_find(const mc_gate_desc *desc, const mc_gate *gate, const mc_trace *pair,
                             const mc_progress *progress, mc_gate_parts *parts, mc_error *error);
void mc_gate_parts_deinit(mc_gate_parts *parts);
