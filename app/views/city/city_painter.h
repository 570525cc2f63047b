// city_painter.h - the city's view on a device.
//
// Used by the thread that has the renderer.
#pragma once
#include "app/views/painter/view_painter.h"

extern const mc_view_painter mc_city_painter;
