// flat_painter.h - what of a sunburst or icicle needs a device.
#pragma once
#include "app/views/painter/view_painter.h"

extern const mc_view_painter mc_flat_painter;
