// report.h - the contents of a report.
//
// Plain data; strings belong to the caller.
#pragma once
#include "app/answers/property.h"
#include "app/method_facts.h"
#include "app/report/report_why.h"
#include "engine/base/text.h"
#include "engine/scene/legend.h"
#include "engine/trace/trace.h"

enum { MC_REPORT_LIGHT, MC_REPORT_DARK, MC_REPORT_SCHEME_COUNT };

// A city at a step, on a light page and on a dark one; a second one that is empty: as the first.
typedef struct mc_report_picture {
    uint32_t step;
    mc_text png[MC_REPORT_SCHEME_COUNT];
    mc_text narrow[MC_REPORT_SCHEME_COUNT]; // for a phone, with larger names; empty: as the others
} mc_report_picture;

// What their colours say; on a light page and on a dark one, alike but for the colours.
typedef struct mc_report_legend {
    mc_legend of[MC_REPORT_SCHEME_COUNT];
    float chain[MC_REPORT_SCHEME_COUNT][3]; // what joins the stops of a walk
} mc_report_legend;

// A group that grew, or, of one step, a large one; counts of the report's metric.
typedef struct mc_report_suspect {
    uint32_t node;
    const char *name, *place; // its name, and the path of what it is in
    uint64_t first, last, max;
    uint64_t sum; // of a flow over the window
    int64_t growth;
    double growth_share;            // of what all buildings grew by together; <= 0: none
    const uint64_t *values;         // one a step of the trace
    mc_trend trend;                 // over the window
    mc_property_answers properties; // at the window's last step
} mc_report_suspect;

// The highest methods at the last step of the window.
typedef struct mc_report_methods {
    double frame_ms; // in which they are shown
    mc_method_facts *items;
    uint32_t count;
    uint64_t *values; // of each one a step of the trace; counts of the report's metric
} mc_report_methods;

typedef struct mc_report {
    const char *title;
    const char *note; // how the steps were chosen, if not all are shown; NULL: they all are
    mc_metric metric;
    const mc_metric_info *info;     // of it
    bool is_uniform;                // all plots are the same
    bool is_elevated;               // likewise, and heights are values
    bool is_glass;                  // what stands before what grew the most is translucent
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
    const mc_report_picture *walk_picture; // of the first walk; NULL: none
    const mc_report_legend *legend;        // NULL: there are no pictures
    // The heap over time as small trees, as SVG elements; in a page of light and of dark colours.
    // Empty: none.
    const char *trees_light, *trees_dark;
    bool has_heap;                    // bytes
    bool has_objects;                 // ... and objects, which a process's memory, say, has not
    bool is_heap;                     // ... of a heap, not of files, say
    const char *subject;              // "heap", "methods", "trace"
    const mc_report_methods *methods; // it is about them, in a frame; NULL: it is not
    const mc_report_suspect *suspects;
    uint32_t suspect_count;
    const mc_trace *trace;
    mc_why why; // .causes NULL: nothing was judged
    const char *version;
    const char *page; // file beside it, in which to walk through the city; NULL: none
} mc_report;

// What is in a trace, in a word, and whether that is a heap.
void mc_report_find_subject(mc_report *report, const mc_trace *trace);
