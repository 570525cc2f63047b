// markers.h - the markers of GC roots: small boxes at the city's front edge.
//
// Plain data: the code that shows a city sets what they stand for (engine/scene/root_marks.h) and
// stores them in mc_city.markers; frustums can then begin there. As boxes they are numbered after
// the districts: building_count + district_count + the marker's index. Threads: any.
#pragma once
#include "engine/city/city.h"

// Places all boxes: those of `classes[i]` stand together, in the order given, with a gap between
// two classes. A city without extent gets none.
void mc_city_markers_place(mc_city_markers *markers, const mc_city *city, const uint32_t *classes,
                           uint32_t count);
// The first one that the ray meets, MC_NONE: none; *distance in lengths of its direction.
uint32_t mc_city_markers_pick(const mc_city_markers *markers, const float origin[3],
                              const float direction[3], float *distance);
// The depth of the city including its markers; its own depth if it has none.
float mc_city_get_front(const mc_city *city);
