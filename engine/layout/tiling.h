// tiling.h - places sorted siblings in a rectangle: the five tilings, and how their cuts are told.
//
// Each does the double operations of d3-hierarchy's tile function of that name in their order, so
// that results agree to the last bit. Where d3's own arithmetic breaks down (the rest of a sum lost
// to rounding, a sum beyond the doubles) and would leave the rectangle or yield NaN, positions stay
// at the rectangle's edge. No allocation, no recursion.
#pragma once
#include "engine/base/base.h"

typedef enum mc_tiling {
    MC_TILING_SQUARIFY,
    MC_TILING_BINARY,
    MC_TILING_SLICE,
    MC_TILING_DICE,
    MC_TILING_SLICE_DICE,
    MC_TILING_COUNT
} mc_tiling;

// Where a district is cut in two, again and again, until every child stands alone (all tilings are
// made of straight cuts). The `n - 1` cuts of a district with n visible children are in preorder:
// the cut at i over k children (in layout order) splits them into the first `left_count` and the
// rest; the cuts of the first part follow at i + 1, those of the rest at i + left_count. The first
// part lies where the coordinate (axis 0: x, axis 1: y) is below `position`, the rest above.
//
// If `is_row` is set, the k children stand side by side: all k - 1 cuts from i on are along this
// axis, at ascending positions, and each splits off one child, so that they can be searched.
typedef struct mc_cut {
    float position;
    uint32_t left_count : 30;
    uint32_t axis : 1;
    uint32_t is_row : 1;
} mc_cut;
_Static_assert(sizeof(mc_cut) == 8, "eight cuts a cache line: the painter's order streams them");

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
