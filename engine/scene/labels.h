// labels.h - where names stand in a picture of a city: over buildings, and on the rims of
// districts.
//
// Which buildings are named is the caller's choice, most important ones first; names that would
// overlap give way when they are drawn (ui.h). Lengths in pixels of the picture. Threads: any.
#pragma once
#include "engine/scene/camera.h"

// A city as it is drawn now; everything must live while labels are made.
typedef struct mc_label_scene {
    const mc_city *city;
    const mc_update_params *params;
    const uint64_t *from, *to; // counts, columns over buildings
    const mc_camera *camera;
    float scale; // of text, 1 on a plain screen
} mc_label_scene;

typedef struct mc_label {
    uint32_t node;    // whose name it is
    float x, y;       // the text's centre is above it, or there if `flat`
    float most_width; // of the text
    float opacity;    // 0 to 1
    bool strong, flat;
} mc_label;

// The name above a building. False: the building is not there, not in the picture, or its roof is
// behind an opaque one and the name not asked for (`is_wanted`). As fast as mc_city_pick().
bool mc_label_building(const mc_label_scene *scene, uint32_t building, bool is_wanted,
                       mc_label *label);
// The names of the first level on which there are several districts, the largest first, where there
// is room on a rim that faces the eye. Returns how many of `capacity` were filled.
uint32_t mc_label_districts(const mc_label_scene *scene, mc_label *labels, uint32_t capacity);
