// report.h - what a report is made of.
//
// Plain data; strings belong to the caller.
#pragma once
#include "app/commands/report_walk.h"
#include "app/commands/report_why.h"
#include "engine/trace/trace.h"

// A city at a step.
typedef struct mc_report_picture {
    uint32_t step;
    const void *png;
    size_t png_size;
} mc_report_picture;

// A group that grew, or, of one step, a large one; counts of the report's metric.
typedef struct mc_report_suspect {
    uint32_t node;
    const char *name, *place; // its name, and the path of what it is in
    uint64_t first, last, max;
    uint64_t sum; // of a flow over the window
    int64_t growth;
    double growth_share;    // of what all buildings grew by together; <= 0: none
    const uint64_t *values; // one a step of the trace
    mc_trend trend;         // over the window
} mc_report_suspect;

typedef struct mc_report {
    const char *title;
    const char *note; // how the steps were chosen, if not all are shown; NULL: they all are
    mc_metric metric;
    const mc_metric_info *info;     // of it
    bool is_uniform;                // all plots are the same
    uint32_t first_step, last_step; // the time window
    uint32_t step_count;
    const mc_step_info *const *steps;
    const char *incomplete; // what steps of the window lack; NULL: nothing
    // The whole's values of a metric beyond objects and bytes, as mc_trace_read_value(); else NULL.
    const uint64_t *totals;
    const char *classifiers; // "Package → Type"
    uint32_t group_count, leaf_count;
    const mc_report_picture *pictures; // the first one large; may be none
    uint32_t picture_count;
    // The heap over time as small trees, as SVG elements; in a page of light and of dark colours.
    // Empty: none.
    const char *trees_light, *trees_dark;
    const mc_report_suspect *suspects;
    uint32_t suspect_count;
    const mc_trace *trace;
    const mc_report_walks *walks;
    mc_why why;
    const char *version;
} mc_report;
