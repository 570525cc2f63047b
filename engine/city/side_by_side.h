// side_by_side.h - doubles a city: two traces with the same plots, side by side on one ground.
//
// All structures exist twice, one set behind the other: the buildings from `half_count` on are
// those of the second city; district 0 is the ground, followed by the districts of both. So code
// that draws, picks or labels a city does so for both. Pure. Threads: as of any city.
#pragma once
#include "engine/city/city.h"

// Doubles a city that is laid out and not shared yet. A city without districts stays as it is. On
// failure it can be destroyed. O(buildings + districts).
mc_result mc_city_put_side_by_side(mc_city *city, mc_error *error);

// The corresponding structure of the other city; none for the ground, or if there is one city only.
mc_structure mc_city_get_twin(const mc_city *city, mc_structure structure);
// Whether a structure belongs to the second city, as those that mc_city_find_node() finds do.
bool mc_city_is_second(const mc_city *city, mc_structure structure);
// Which of the two cities a district is the root of: 0, 1, or MC_NONE.
uint32_t mc_city_get_half(const mc_city *city, uint32_t district);
