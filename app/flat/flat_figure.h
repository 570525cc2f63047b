// flat_figure.h - puts a sunburst or icicle on a sheet, with names in its segments.
//
// Threads: the main thread.
#pragma once
#include "app/flat/flat_sheet.h"

// Names are left out while it moves.
void mc_flat_figure_put(mc_flat_sheet *sheet, const mc_flat_figure *figure);

// Where the whole stands beside a part of it: `overview` takes of rect's width, at the bottom.
void mc_flat_figure_split(mc_flat_rect *rect, mc_flat_rect *overview);
