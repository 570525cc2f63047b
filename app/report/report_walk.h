// report_walk.h - the root-cause walks of a report, as HTML.
//
// Threads: any.
#pragma once
#include "engine/analyze/walk.h"

#define MC_REPORT_WALK_COUNT 4

#define MC_REPORT_SAME_COUNT 16

// The verdict, and walks from the suspects upward; starts that an earlier walk came past are left
// out, and those that end at the cause of an earlier one are only named there. The first walk is
// always there: where nothing keeps growing it has no stops, but says so.
typedef struct mc_report_walks {
    mc_walk items[MC_REPORT_WALK_COUNT];
    uint32_t count;
    struct {
        uint32_t node, walk_index;
    } same[MC_REPORT_SAME_COUNT];
    uint32_t same_count;
} mc_report_walks;

// Zero-initialise, find, deinit. Cost: that of the walks.
mc_result mc_report_walks_find(mc_report_walks *walks, const mc_trace *trace, mc_metric metric,
                               mc_step_range window, mc_error *error);
void mc_report_walks_deinit(mc_report_walks *walks);

// Whether there are any to be shown.
bool mc_report_has_walks(const mc_trace *trace, const mc_report_walks *walks);
void mc_report_append_walks(mc_text *out, const mc_trace *trace, const mc_report_walks *walks);
void mc_report_append_summary(mc_text *out, const mc_trace *trace, const mc_walk *walk);
