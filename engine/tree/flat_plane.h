// flat_plane.h - the geometry of a sunburst or an icicle in a picture: maps rows and shares to
// pixels and back.
//
// Lengths in pixels, y downwards. Coordinates in a plane: `row` counts rows from the root's, whole
// numbers are where rows begin; `along` is a share of the root's extent, in a sunburst clockwise
// from the top. The same arithmetic as in shaders/flat.frag. Pure. Threads: any.
#pragma once
#include "engine/base/base.h"
#include "shaders/shared/flat_types.h"

typedef struct mc_flat_rect {
    double x0, y0, x1, y1;
} mc_flat_rect;

typedef struct mc_flat_point {
    double row, along;
} mc_flat_point;

// A plane that fills `rect` with rows of a form (MC_FLAT_*). `share`, 0 to 1: how large it is of
// what would fill it, by area: a sunburst's radius is its root. An icicle of less stands at the
// bottom (MC_FLAT_ICICLE) or at the left.
mc_flat_plane mc_flat_plane_get(uint32_t form, mc_flat_rect rect, double row_count, double share);

// On the way from an icicle (`way` 0) to a sunburst (1): its rows are arcs that close up. Both are
// of the same rows.
mc_flat_plane mc_flat_plane_bend(const mc_flat_plane *icicle, const mc_flat_plane *sunburst,
                                 double way);

mc_flat_point mc_flat_plane_locate(const mc_flat_plane *plane, double x, double y);
// Back again.
void mc_flat_plane_place(const mc_flat_plane *plane, mc_flat_point point, double *x, double *y);

// Pixels along the whole of a row, in its middle.
double mc_flat_plane_get_length(const mc_flat_plane *plane, double row);
// The longest of them.
double mc_flat_plane_get_most_length(const mc_flat_plane *plane);

// What a segment of a row may cover, and two pixels around it; within the plane.
mc_flat_rect mc_flat_plane_get_bounds(const mc_flat_plane *plane, double row, double from,
                                      double to);
