// label_places.h - finds the districts and roofs that are large enough in the picture for their
// names, and the names' places.
//
// A district's name is on the rim that faces the eye, in the middle of its visible part; all
// districts use the same rim, so the names are easy to find. A roof's name is in its middle. Names
// fade in with the drawn size. A walk through the treemap's cuts skips what is outside the picture
// or too small, so the cost depends on what is named, however large the city. Threads: any.
#pragma once
#include "engine/scene/labels.h"

enum { MC_LABEL_MOST_NEAR = 256 }; // that are looked at, the largest

typedef struct mc_label_place {
    mc_structure structure;
    float size; // in the picture: the root of its area, pixels
} mc_label_place;

// How wide a text of `height` pixels may be in the middle of a box's roof; pixels. 0: there is no
// room, or no roof in the picture.
double mc_label_get_roof_room(const mc_label_scene *scene, mc_box box, double height);

// What is large enough, the largest first. `places` has room for MC_LABEL_MOST_NEAR.
uint32_t mc_label_find_near(const mc_label_scene *scene, bool has_roofs, mc_label_place *places);

// The name of one of them. False: it has no room, or is hidden where it would stand.
bool mc_label_place_name(const mc_label_scene *scene, mc_structure structure, mc_label *label);
