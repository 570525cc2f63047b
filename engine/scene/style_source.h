// style_source.h - the styles of a city step by step, read from its trace.
//
// For the window and for pictures without one. Threads: one object serves one thread at a time.
#pragma once
#include "engine/city/style.h"
#include "engine/scene/look.h"

typedef struct mc_style_source mc_style_source;

// What is mapped to colours and heights. Metrics: MC_NONE where the modes show no value.
typedef struct mc_style_mapping {
    mc_color_mode color_mode;
    mc_height_mode height_mode;
    mc_metric color_metric;  // of MC_COLOR_MODE_VALUE
    mc_metric height_metric; // of MC_HEIGHT_MODE_VALUE
    uint32_t pin;            // the step of MC_COLOR_MODE_PIN; else MC_NONE
} mc_style_mapping;

// Colours show what changed since a step; MC_NONE: what they showed. Where colours say nothing they
// do so still.
static inline void mc_style_mapping_pin(mc_style_mapping *mapping, uint32_t step) {
    if (step == MC_NONE) return;
    mapping->color_mode = MC_COLOR_MODE_PIN;
    mapping->color_metric = MC_NONE;
    mapping->pin = step;
}

// What a look says, in a city that shows the metric `shown`. A value of a metric that the trace
// lacks is not mapped: the mode is then the usual one. Returns the name of one that it lacks; NULL:
// it has all.
const char *mc_style_mapping_init(mc_style_mapping *mapping, const mc_look *look,
                                  const mc_trace *trace, mc_metric shown);

// Whether the metric is the larger of two traces, whose growth is the one's against the other.
bool mc_style_is_of_pair(const mc_trace *trace, mc_metric shown);

static inline bool mc_style_mappings_differ(const mc_style_mapping *a, const mc_style_mapping *b) {
    return a->color_mode != b->color_mode || a->height_mode != b->height_mode ||
           a->color_metric != b->color_metric || a->height_metric != b->height_metric ||
           a->pin != b->pin;
}

// Whether buildings differ from what they are without styles: by what is mapped, or since the shown
// metric is one of which not everything is known.
bool mc_style_mapping_is_needed(const mc_style_mapping *mapping, const mc_trace *trace,
                                mc_metric shown);
// Whether that changes with time.
bool mc_style_mapping_follows_time(const mc_style_mapping *mapping, const mc_trace *trace,
                                   mc_metric shown);

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

// What is demolished at a step, and what falls with it: columns over nodes, NULL where nothing is.
typedef struct mc_fallen {
    uint32_t step;
    const uint32_t *demolished; // nodes
    uint32_t count;
    const uint64_t *objects, *bytes; // of each node, what goes
} mc_fallen;

// Outlines what is demolished and fades what falls, by its objects if the city shows them, else by
// its bytes. On failure all stands.
mc_result mc_style_source_demolish(mc_style_source *source, const mc_fallen *fallen,
                                   mc_error *error);

// Belongs to the source; whoever marks buildings does it here.
mc_styles *mc_style_source_get(mc_style_source *source);
