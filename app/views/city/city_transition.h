// city_transition.h - everything on its way from the old layout to the new one.
//
// A part of the city's view, used by its session's thread.
#pragma once
#include "app/views/city/city_view_state.h"

// From the city that is still shown to `city`, which then has where everything was.
void mc_city_view_begin_transition(mc_city_view *self, mc_city *city, const uint32_t *came_from);
// Another city with the plan of the one that transitions goes on with it.
void mc_city_view_keep_transition(mc_city_view *self, mc_city *city);
void mc_city_view_end_transition(mc_city_view *self);
void mc_city_view_advance_transition(mc_city_view *self);
float mc_city_view_get_transition(const mc_city_view *self); // 0 to 1
