// city_transition.h - the animated transition from the old layout to the new one.
//
// A part of the city's view, used by its session's thread.
#pragma once
#include "app/views/city/city_view_state.h"

// Starts a transition from the city shown to `city`, and stores the old places in it.
void mc_city_view_begin_transition(mc_city_view *self, mc_city *city, const uint32_t *came_from);
// Continues the transition with another city that has the same ground plan.
void mc_city_view_keep_transition(mc_city_view *self, mc_city *city);
void mc_city_view_end_transition(mc_city_view *self);
void mc_city_view_advance_transition(mc_city_view *self);
float mc_city_view_get_transition(const mc_city_view *self); // 0 to 1
