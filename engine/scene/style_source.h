// style_source.h - the styles of a city step by step, read from its trace.
//
// For the window and for pictures without one. Threads: one object serves one thread at a time.
#pragma once
#include "engine/city/style.h"

typedef struct mc_style_source mc_style_source;

// What is mapped to colours and heights. Metrics: MC_NONE: as the modes say.
typedef struct mc_style_mapping {
    mc_color_mode color_mode;
    mc_height_mode height_mode;
    mc_metric color_metric;  // of MC_COLOR_MODE_VALUE
    mc_metric height_metric; // the mode is then its unit's
} mc_style_mapping;

mc_result mc_style_source_create_mapped(const mc_trace *trace, const mc_city *city,
                                        const mc_style_mapping *mapping,
                                        const mc_progress *progress, mc_style_source **source,
                                        mc_error *error);
// The same without metrics of their own. `trace` and `city` must outlive the source. A trend takes
// O(buildings * steps), which `progress` may stop. MC_ERROR_UNSUPPORTED if the trace lacks what
// heights should show.
mc_result mc_style_source_create(const mc_trace *trace, const mc_city *city,
                                 mc_color_mode color_mode, mc_height_mode height_mode,
                                 const mc_progress *progress, mc_style_source **source,
                                 mc_error *error);
void mc_style_source_destroy(mc_style_source *source); // NULL is fine

// Brings the styles to a step; what they were is where they come from. `is_first`: they come from
// nowhere. On failure they are as they were, or in part those of the step.
mc_result mc_style_source_set_step(mc_style_source *source, uint32_t step, bool is_first,
                                   mc_error *error);

// Belongs to the source; whoever marks buildings does it here.
mc_styles *mc_style_source_get(mc_style_source *source);
