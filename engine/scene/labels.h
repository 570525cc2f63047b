// labels.h - selects and places the names in a picture of a city: above buildings, on roofs, and on
// the rims of districts (label_places.h).
//
// For the window and for pictures alike. Names are sorted by importance; overlapping ones are
// dropped when they are drawn (ui.h). Lengths in pixels of the picture. Threads: any.
#pragma once
#include "engine/analyze/walk.h"
#include "engine/city/style.h"
#include "engine/scene/camera.h"

#define MC_LABEL_MOST_MARKED 12
#define MC_LABEL_MOST_GROWERS 32

// A city as it is drawn now; everything must live while labels are made.
typedef struct mc_label_scene {
    const mc_city *city;
    const mc_update_params *params;
    const uint64_t *from, *to; // counts, columns over buildings
    const mc_camera *camera;
    float scale; // of text, 1 on a plain screen
} mc_label_scene;

#define MC_LABEL_MOST_WIDTH 180 // of a name over a roof that is less wide; at a scale of 1

typedef enum mc_label_rank {
    MC_LABEL_SELECTED,    // whatever else had a name before
    MC_LABEL_WANTED,      // asked for
    MC_LABEL_OUTSTANDING, // of what stands out
    MC_LABEL_SMALL,       // of what does, seen from above as less than a name: beside that
    MC_LABEL_NEAR         // of what is large in the picture; the larger come first
} mc_label_rank;

typedef struct mc_label {
    uint32_t node; // whose name it is
    mc_label_rank rank;
    uint32_t number;  // of a stop of the walk, from 1; 0: it is none
    float x, y;       // the text's centre is above it, or there if `flat`
    float most_width; // of the text
    float over_width; // of the text over its roof, if it is torn on it; 0: it stays there
    float height;     // of the building below that; 0: it is none
    float opacity;    // 0 to 1
    bool strong, flat;
    uint32_t half; // of two cities side by side: 1 or 2; 0: there is one
    bool is_whole; // it is all of that one
} mc_label;

// Whose names are wanted: nodes, the most important first.
typedef struct mc_label_request {
    uint32_t selected;             // MC_NONE: nothing
    const uint32_t *more_selected; // what is selected beside that
    uint32_t more_selected_count;
    const mc_walk *walk; // NULL: none is shown
    bool is_marking;     // what a search has marked is named instead of what grew
    bool is_of_change; // growers are what changed from one trace to another: no other roof is named
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

// Places the name above a building. False: the building does not exist, is not in the picture, or
// its roof is hidden by an opaque one and the name was not asked for (`is_wanted`). As fast as
// mc_city_pick().
bool mc_label_building(const mc_label_scene *scene, uint32_t building, bool is_wanted,
                       mc_label *label);
// Whether only translucent buildings stand between the eye and a point of a building or, for
// MC_NONE, of a district's floor. As fast as mc_city_pick().
bool mc_label_is_seen(const mc_label_scene *scene, const double point[3], uint32_t building);
// How wide the rim of a district is around what stands in it.
double mc_label_get_border(const mc_city *city, uint32_t district);
