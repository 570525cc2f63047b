// order.h - sorts the buildings from back to front, exactly, by walking the treemap's cuts.
//
// Plots don't overlap, and straight lines cut every district in two until each child stands alone.
// So a walk that takes the far side of each cut first is a painter's order (Fuchs, Kedem, Naylor,
// "On Visible Surface Generation by A Priori Tree Structures", 1980). The eye's height does not
// matter: what stands on the far side of a vertical plane never hides what is on the near side.
// O(buildings + districts), no allocation. Threads: any, with separate scratch.
#pragma once
#include "engine/city/city.h"

// Entries of scratch memory that mc_city_order needs at most; few of them are ever touched.
uint32_t mc_city_order_scratch_count(const mc_city *city);

// Fills `order` (room for every building) with building indices, farthest first, as seen from
// (eye_x, eye_z), inside or outside the city.
void mc_city_order(const mc_city *city, float eye_x, float eye_z, uint32_t (*scratch)[3],
                   uint32_t *order);

// Whether the order seen from `now` equals that from `before` (x, z). True exactly if no cut lies
// between the two; so always while the eye is outside the city and stays at the same corner, which
// costs nothing. Else O(districts), and O(cuts) of those districts that the eye is level with in x
// or z.
bool mc_city_order_is_same(const mc_city *city, const float before[2], const float now[2]);
