// labels.h - selects and places the names in a picture of a city: above buildings, on roofs, and on
// the rims of districts (label_places.h).
//
// For the window and for pictures alike. Names are sorted by importance; overlapping ones are
// dropped when they are drawn (ui.h). Lengths in pixels of the picture. Threads: any.
#pragma once
#include "engine/analyze/walk.h"
#include "engine/city/style.h"
#include "engine/scene/label_places.h"

#define MC_LABEL_MOST_MARKED 12
#define MC_LABEL_MOST_GROWERS 32

// Whose names are wanted: nodes, the most important first.
typedef struct mc_label_request {
    uint32_t selected;             // MC_NONE: nothing
    const uint32_t *more_selected; // what is selected beside that
    uint32_t more_selected_count;
    const mc_walk *walk; // NULL: none is shown
    bool is_marking;     // what a search has marked is named instead of what grew
    bool is_of_change; // growers are what changed from one trace to another: no other roof is named
    const uint32_t *findings; // what is said to pile up; named before what grew the most
    uint32_t finding_count;
    const uint32_t *marked, *growers;
    uint32_t marked_count, grower_count;
    bool leaves_out_districts; // because they are on their way
} mc_label_request;

// The selection and the walk first, then what stands out, then districts. Returns how many of
// `capacity` were filled.
uint32_t mc_label_fill(const mc_label_scene *scene, const mc_label_request *settings,
                       mc_label *labels, uint32_t capacity);

// Buildings that are marked, as nodes: those of the first `hits`, which were marked, of a district
// the largest in it; then the largest of all. Returns how many. O(hits + buildings).
uint32_t mc_label_find_marked(const mc_styles *styles, const mc_city *city, const uint32_t *hits,
                              uint32_t hit_count, uint32_t nodes[MC_LABEL_MOST_MARKED]);
// Lists the buildings that changed the most from one trace to another, as nodes, in descending
// order. Buildings without a visible change are left out unless they were moved. False: the styles
// show something else. O(buildings).
bool mc_label_find_changed(const mc_styles *styles, const mc_city *city,
                           uint32_t nodes[MC_LABEL_MOST_GROWERS], uint32_t *count);
// Lists the buildings that grew the most in the city's window, as nodes; for a single step, and
// where two traces are compared, the largest. O(buildings), and one read of a step.
mc_result mc_label_find_growers(const mc_trace *trace, const mc_city *city,
                                uint32_t nodes[MC_LABEL_MOST_GROWERS], uint32_t *count,
                                mc_error *error);
