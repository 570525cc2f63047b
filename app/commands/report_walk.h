// report_walk.h - the root-cause walks of a report, as HTML.
//
// Threads: any.
#pragma once
#include "engine/analyze/walk.h"

#define MC_REPORT_WALK_COUNT 4

#define MC_REPORT_SAME_COUNT 16

// Walks from what grew the most upward; starts that an earlier walk came past are left out, and
// those that end at the cause of an earlier one are only named there.
typedef struct mc_report_walks {
    mc_walk items[MC_REPORT_WALK_COUNT];
    uint32_t count;
    struct {
        uint32_t node, walk_index;
    } same[MC_REPORT_SAME_COUNT];
    uint32_t same_count;
} mc_report_walks;

// `order`: leaves by descending growth, of which the first `count` are starts. Zero-initialise,
// find, deinit. Cost: that of the walks.
mc_result mc_report_walks_find(mc_report_walks *walks, const mc_trace *trace, mc_metric metric,
                               mc_window window, const uint32_t *order, uint32_t count,
                               mc_error *error);
void mc_report_walks_deinit(mc_report_walks *walks);

void mc_report_append_walks(mc_text *out, const mc_trace *trace, const mc_report_walks *walks);
void mc_report_append_summary(mc_text *out, const mc_trace *trace, const mc_walk *walk);
