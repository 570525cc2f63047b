// style_source.h - computes the styles of a city step by step from its trace.
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

// Makes colours show the change since a step; MC_NONE: leaves them as they are. A mode without
// colours stays without.
static inline void mc_style_mapping_pin(mc_style_mapping *mapping, uint32_t step) {
    if (step == MC_NONE) return;
    mapping->color_mode = MC_COLOR_MODE_PIN;
    mapping->color_metric = MC_NONE;
    mapping->pin = step;
}

// Sets the mapping of a look, for a city that shows the metric `shown`. If the trace lacks a
// metric, its values are not mapped and the default mode is used. Returns the name of a missing
// metric; NULL: all exist.
const char *mc_style_mapping_init(mc_style_mapping *mapping, const mc_look *look,
                                  const mc_trace *trace, mc_metric shown);

// Whether the metric is the larger of two traces, whose growth is the one's against the other.
bool mc_style_is_of_pair(const mc_trace *trace, mc_metric shown);

static inline bool mc_style_mappings_differ(const mc_style_mapping *a, const mc_style_mapping *b) {
    return a->color_mode != b->color_mode || a->height_mode != b->height_mode ||
           a->color_metric != b->color_metric || a->height_metric != b->height_metric ||
           a->pin != b->pin;
}

// Whether styles are needed at all: something is mapped, or some values of the shown metric are
// unknown.
bool mc_style_mapping_is_needed(const mc_style_mapping *mapping, const mc_trace *trace,
                                mc_metric shown);
// Whether that changes with time.
bool mc_style_mapping_follows_time(const mc_style_mapping *mapping, const mc_trace *trace,
                                   mc_metric shown);

// `trace` and `city` must outlive the source. A trend takes O(buildings * steps), which `progress`
// may stop. MC_ERROR_UNSUPPORTED if the trace lacks what heights should show.
mc_result mc_style_source_create_mapped(const mc_trace *trace, const mc_city *city,
                                        const mc_style_mapping *mapping,
                                        const mc_progress *progress, mc_style_source **source,
                                        mc_error *error);
void mc_style_source_destroy(mc_style_source *source); // NULL is fine

// Sets the step; styles transition from their previous values, or from none if `is_first`. On
// failure they are unchanged, or partly those of the step.
mc_result mc_style_source_set_step(mc_style_source *source, uint32_t step, bool is_first,
                                   mc_error *error);

// What is demolished at a step, and what is freed with it: columns over nodes, NULL where nothing
// is.
typedef struct mc_fallen {
    uint32_t step;
    const uint32_t *demolished; // nodes
    uint32_t count;
    const uint64_t *objects, *bytes; // of each node, what goes
} mc_fallen;

// Outlines what is demolished and fades what is freed, by objects if the city shows them, else by
// bytes. On failure all buildings stand.
mc_result mc_style_source_demolish(mc_style_source *source, const mc_fallen *fallen,
                                   mc_error *error);

// The styles, owned by the source; mark buildings in them.
mc_styles *mc_style_source_get(mc_style_source *source);
