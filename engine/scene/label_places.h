// label_places.h - which districts and roofs are large enough in a picture to bear their names, and
// where on them.
//
// A district's name is on the rim that faces the eye, in the middle of what is seen of it: the same
// rim for all of them, so that one finds it. A roof's name is in its middle. Both come up gradually
// with the size that they are drawn in. Found by a walk through the treemap's cuts, which leaves
// out what is beside the picture or too small in it: the cost is that of what is named, however
// large the city. Threads: any.
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
