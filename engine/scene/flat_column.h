// flat_column.h - the values that colours of a flat tree show, per node and step: the same as for a
// city's buildings (style_source.h), but for groups as well.
//
// Threads: one object serves one thread at a time.
#pragma once
#include "engine/analyze/owner_growth.h"
#include "engine/city/style.h"
#include "engine/scene/flat_color.h"
#include "engine/trace/trace.h"

typedef struct mc_flat_column_desc {
    mc_color_mode mode; // MC_COLOR_MODE_STEP, _TREND, _FIRST, _OWNER or _VALUE
    mc_metric metric;   // what the tree shows
    mc_metric value;    // of MC_COLOR_MODE_VALUE: the other one
    mc_step_range window;
    uint32_t pin; // the step of MC_COLOR_MODE_PIN; else anything
} mc_flat_column_desc;

typedef struct mc_flat_column {
    mc_flat_column_desc desc;
    const mc_trace *trace;
    // Over nodes: what is shown, none at 0 and below; and a column whose largest entry of a level
    // is the full colour there. `most` may be `values`.
    double *values;
    const double *most;
    double *own_most;
    uint64_t *now, *before; // of a step
    // Of MC_COLOR_MODE_OWNER, as style_source.h has it: what findings are named by, the largest
    // first. None: the values are each group's own growth.
    mc_owner_growth owners[MC_CAUSES_MOST_OWNED];
    uint64_t owner_last[MC_CAUSES_MOST_OWNED]; // of the metric, at the window's last step
    uint32_t owner_count;
    double largest_growth; // of a leaf, in the window
} mc_flat_column;

// What a city calls it; of the modes that show a column.
mc_color_mode mc_flat_column_get_mode(mc_flat_color_mode mode);

// `trace` must outlive it. A trend takes O(nodes * steps), which `progress` may stop.
mc_result mc_flat_column_init(mc_flat_column *column, const mc_trace *trace,
                              const mc_flat_column_desc *desc, const mc_progress *progress,
                              mc_error *error);
// The same again, which can be brought to another step. O(nodes).
mc_result mc_flat_column_copy(mc_flat_column *copy, const mc_flat_column *column, mc_error *error);
void mc_flat_column_deinit(mc_flat_column *column); // zeroed is fine

// Brings the values to a step of the window. O(nodes).
mc_result mc_flat_column_set_step(mc_flat_column *column, uint32_t step, mc_error *error);
