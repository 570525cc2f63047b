// order.h - the buildings from back to front, exactly, without sorting.
//
// Plots don't overlap and every district is cut in two by straight lines until each child stands
// alone, so a walk that takes the far side of each cut first is a painter's order (Fuchs, Kedem,
// Naylor, "On Visible Surface Generation by A Priori Tree Structures", 1980). The eye's height
// plays no part: what stands on the far side of an upright plane never hides what is on the near
// side. O(buildings + districts), no allocation. Threads: any, with separate scratch.
#pragma once
#include "engine/city/city.h"

// Entries of scratch memory that mc_city_order needs at most; few of them are ever touched.
uint32_t mc_city_order_scratch_count(const mc_city *city);

// Fills `order` (room for every building) with building indices, farthest first, as seen from
// (eye_x, eye_z), inside or outside the city.
void mc_city_order(const mc_city *city, float eye_x, float eye_z, uint32_t (*scratch)[3],
                   uint32_t *order);

// Is the order from `now` the one from `before` (x, z)? True exactly if no cut lies between the
// two; so always while the eye is outside the city and stays at the same corner. Costs nothing
// there, else O(districts), and O(cuts) of those districts that the eye is level with in x or z.
bool mc_city_order_is_same(const mc_city *city, const float before[2], const float now[2]);
