// markers.h - where GC roots stand: small boxes at the city's front edge.
//
// Plain data: whoever shows a city fills in what they stand for (engine/scene/root_marks.h) and
// gives them to mc_city.markers; then frustums can begin there. As boxes they come behind the
// districts: building_count + district_count + the marker's index. Threads: any.
#pragma once
#include "engine/city/city.h"

// All boxes are placed: those of `classes[i]` stand together, in the order given, with a gap
// between two classes. On a city of no extent there are none.
void mc_city_markers_place(mc_city_markers *markers, const mc_city *city, const uint32_t *classes,
                           uint32_t count);
// The first one that the ray meets, MC_NONE: none; *distance in lengths of its direction.
uint32_t mc_city_markers_pick(const mc_city_markers *markers, const float origin[3],
                              const float direction[3], float *distance);
// Where the city's front edge with its markers ends; its own depth without.
float mc_city_get_front(const mc_city *city);
