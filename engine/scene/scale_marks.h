// scale_marks.h - the scale at the corners of a city whose heights are read off: poles as high as a
// building of 100 %, with a band each tenth.
//
// For the window and for pictures alike; drawn in place of GC roots, which methods do not have.
// Threads: any.
#pragma once
#include "engine/city/markers.h"
#include "engine/scene/theme.h"

// Of a city of another kind there are none.
void mc_scale_marks_make(mc_city_markers *markers, const mc_city *city, const mc_theme *theme);
