// flat_timeline.h - places small trees above a chart.
//
// Lengths in pixels. Pure. Threads: any.
#pragma once
#include "app/form.h"

enum { MC_FLAT_MOST_TREES = MC_FORM_STEPS_MAX + 1 }; // and one of the current step

typedef struct mc_flat_row {
    double x0, x1;        // trees stand between them, where there is room for all
    double width;         // of each
    double gap;           // between two, at least
    const double *widths; // of each its own; NULL: `width`
} mc_flat_row;

// Computes the centre of each tree: as close to its point as the others and the row's ends allow.
// `points`: ascending, MC_FLAT_MOST_TREES at most.
void mc_flat_row_place(const mc_flat_row *row, const double *points, uint32_t count,
                       double *middles);
