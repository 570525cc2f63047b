// flat_painter.h - draws a sunburst or icicle on a device.
#pragma once
#include "app/views/painter/view_painter.h"

extern const mc_view_painter mc_flat_painter;
