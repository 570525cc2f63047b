// city_labels.h - names in the picture.
//
// A part of the city's view, used by its session's thread.
#pragma once
#include "app/views/city/city_view_state.h"

// Returns how many of them were filled.
uint32_t mc_city_view_fill_labels(const mc_city_view *self, mc_label *labels, uint32_t capacity);
