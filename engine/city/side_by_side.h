// side_by_side.h - a city twice, side by side on one ground: of two traces whose plots are the
// same.
//
// Everything is there twice, one after the other: the buildings from `half_count` on are those of
// the second one, district 0 is the ground, behind which come the districts of either. So whatever
// draws, picks or names a city does so for both. Pure. Threads: as of any city.
#pragma once
#include "engine/city/city.h"

// Makes two of one that is laid out, of which nobody knows yet. One without districts stays as it
// is. On failure it can be destroyed. O(buildings + districts).
mc_result mc_city_put_side_by_side(mc_city *city, mc_error *error);

// The same in the other one; nothing of the ground, or where there is one city.
mc_structure mc_city_get_twin(const mc_city *city, mc_structure structure);
// Whether it is of the second one, as what mc_city_find_node() finds.
bool mc_city_is_second(const mc_city *city, mc_structure structure);
// Which of the two a district is the whole of: 0, 1, or MC_NONE.
uint32_t mc_city_get_half(const mc_city *city, uint32_t district);
