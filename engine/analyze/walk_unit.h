// walk_unit.h - finds whole object graphs that pile up: leaves of the program that grow by the same
// number. A part of walk.h.
#pragma once
#include "engine/analyze/link_finder.h"
#include "engine/analyze/max_tree.h"

#define MC_WALK_LEAST_UNIT 12

// Program leaves, maybe the walk's cause among them, that grew by the same number; the node is the
// one that references the most others. MC_NONE: there are fewer than MC_WALK_LEAST_UNIT, or they
// are few of the program's leaves.
typedef struct mc_walk_unit {
    uint32_t node, count;
    int64_t growth;
} mc_walk_unit;

typedef struct mc_walk_unit_desc {
    const mc_trace *trace;
    mc_step_range window;
    uint32_t step;                           // whose references `finder` reads
    const uint64_t *objects, *first_objects; // columns at that step and at the window's first
    const uint8_t *is_library;               // per node: its class is the language's
    int64_t most_growth;                     // of leaves that count
    mc_link_finder *finder;
} mc_walk_unit_desc;

// O(leaves log leaves + their links). `unit` is untouched if there is none, and on failure.
mc_result mc_walk_unit_find(const mc_walk_unit_desc *desc, mc_walk_unit *unit, mc_error *error);
