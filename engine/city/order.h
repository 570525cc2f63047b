// order.h - the buildings from back to front, exactly, without sorting.
//
// Plots don't overlap and every district is cut in two by straight lines until each child stands
// alone, so a walk that takes the far side of each cut first is a painter's order (Fuchs, Kedem,
// Naylor, "On Visible Surface Generation by A Priori Tree Structures", 1980). O(buildings +
// districts), no allocation. Threads: any, with separate scratch.
#pragma once
#include "engine/city/city.h"

// Entries of scratch memory that mc_city_order needs.
uint32_t mc_city_order_scratch_count(const mc_city *city);

// Fills `order` (room for every building) with building indices, farthest first, as seen from
// (eye_x, eye_z).
void mc_city_order(const mc_city *city, float eye_x, float eye_z, uint32_t (*scratch)[3],
                   uint32_t *order);
