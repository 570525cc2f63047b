// city_pointing.h - the parameters of the current frame, picking, and positions of nodes in the
// picture.
//
// A part of the city's view, used by its session's thread.
#pragma once
#include "app/views/city/city_view_state.h"

void mc_city_view_update_params(mc_city_view *self);
uint32_t mc_city_view_pick(mc_city_view *self, double x, double y); // node; MC_NONE: none
bool mc_city_view_locate(const mc_city_view *self, uint32_t node, mc_view_place *place);
// Handles a click at (x, y).
mc_view_click mc_city_view_click(mc_city_view *self, double x, double y, bool is_double);
uint32_t mc_city_view_get_neighbour(const mc_city_view *self, uint32_t node, mc_view_way way);
