// page.h - one HTML file with a trace and all it takes to walk through it as a city.
//
// The file has the viewer (page/), the plan of the city, every value of every building at its
// steps, and the findings in words; it asks for nothing else. docs/page.md describes what is in it.
// Threads: the main thread.
#pragma once
#include "engine/city/city.h"

typedef struct mc_page_desc {
    const mc_trace *trace;
    mc_city_desc city;
    const char *title;
    uint32_t most_steps; // evenly spread, the first and the last one among them; 0: all
    uint64_t most_size;  // bytes of the file; 0: as many as it takes
    const char *view;    // what the page shows at first, as its address says it; NULL: everything
} mc_page_desc;

typedef struct mc_page_report {
    uint32_t node_count, step_count; // that the page has
    uint32_t all_step_count;         // of the time window
    uint32_t hidden_count;           // buildings that were left out
    double hidden_share;             // of the sum of maxima; < 0: these do not add up
} mc_page_report;

// Appends the page to `out`. With `most_size`, steps are left out first, then the smallest
// buildings of each district; MC_ERROR_USAGE: not even that is enough. `progress` may be NULL.
mc_result mc_page_append(const mc_page_desc *desc, const mc_progress *progress, mc_text *out,
                         mc_page_report *report, mc_error *error);
