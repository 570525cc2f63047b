// city_labels.h - names in the city, and beacons over structures too small for a name.
//
// A part of the city's view, used by its session's thread.
#pragma once
#include "app/views/city/city_view_state.h"

uint32_t mc_city_view_fill_labels(const mc_city_view *self, mc_label *labels, uint32_t capacity);
void mc_city_view_update_beacons(mc_city_view *self); // once the frame's params are known
