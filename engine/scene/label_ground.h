// label_ground.h - lays names on the ground, in perspective, and finds colours for names that have
// no plate.
//
// A district that borders on the city's edge has its name in front of it, beyond the edge; any
// other in its street, if that is wide enough. It runs along the side that faces the eye, never
// upside down nor steeply, and its capitals are as high in the picture as those of other names or
// higher. All follows from the camera alone, so nothing flickers. Threads: any.
#pragma once
#include "engine/scene/label_places.h"

// False: there is no room, or the name would be too flat, too steep or hidden. Needs a theme.
bool mc_label_lay_on_ground(const mc_label_scene *scene, uint32_t district, mc_ground_text *text);

// Gives a name over a roof, of which it is in the image up to `ink_width`, the ink in which it is
// read without a plate. Nothing changes where contrast is too low, or the roof partly hidden.
void mc_label_choose_ink(const mc_label_scene *scene, uint32_t building, mc_label *label);
