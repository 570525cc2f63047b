// tiling.h - places sorted siblings in a rectangle: the five tilings. Internal to engine/layout.
//
// Each does the double operations of d3-hierarchy's tile function of that name in their order, so
// that results agree to the last bit. Where d3's own arithmetic breaks down (the rest of a sum lost
// to rounding, a sum beyond the doubles) and would leave the rectangle or yield NaN, positions stay
// at the rectangle's edge. No allocation, no recursion.
#pragma once
#include "engine/layout/treemap.h"

typedef struct mc_rect {
    double x0, y0, x1, y1;
} mc_rect;

typedef struct mc_siblings {
    uint32_t count;       // >= 1
    uint32_t level;       // of the parent, in the larger tree if there is one
    const double *values; // descending
    double total;         // the parent's value
    mc_rect area;         // what the siblings share
    double slack;         // how far beyond `area` rounding may carry a position; 0: not at all
    double *sums;         // scratch, count + 1 entries
    mc_rect *plots;       // out
    mc_cut *cuts;         // out, count - 1 entries; may be NULL
} mc_siblings;

// O(n), binary O(n log n).
void mc_tiling_place(mc_tiling tiling, const mc_siblings *siblings);
