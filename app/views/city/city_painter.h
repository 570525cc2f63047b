// city_painter.h - draws the city's view on a device.
//
// Threads: the renderer's thread.
#pragma once
#include "app/views/painter/view_painter.h"

extern const mc_view_painter mc_city_painter;
