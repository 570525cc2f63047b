// page_desc.h - what a page is made of, and what it then has.
#pragma once
#include "engine/analyze/causes.h"
#include "engine/city/city.h"
#include "engine/scene/camera_pose.h"

// What the page shows at first.
typedef struct mc_page_view {
    uint32_t step; // of the trace; MC_NONE: the last one
    uint32_t node; // selected; MC_NONE: none is
    uint32_t kind; // of a view, as settings have it: the city, a sunburst or an icicle
    bool has_pose;
    mc_camera_pose pose;
    bool is_dark; // else as the reader has it
    uint32_t palette;
} mc_page_view;

typedef struct mc_page_desc {
    const mc_trace *trace;
    mc_city_desc city;
    const char *title;
    uint32_t most_steps;      // evenly spread, the first and the last one among them; 0: all
    uint64_t most_size;       // bytes of the file; 0: as many as it takes
    const mc_causes *causes;  // of the city's metric and time window; NULL: they are looked for
    const mc_page_view *view; // NULL: all of the last step
} mc_page_desc;

typedef struct mc_page_report {
    mc_metric other;                 // that is said beside the city's; MC_NONE: none
    uint32_t node_count, step_count; // that the page has
    uint32_t all_step_count;         // of the time window
    uint32_t hidden_count;           // buildings that were left out
    double hidden_share;             // of the sum of maxima; < 0: these do not add up
} mc_page_report;
