// unit_movers.h - the groups that move and have grown, and their increments. A part of units.h.
#pragma once
#include "engine/analyze/trend.h"

#define MC_UNITS_MOST_POINTS MC_TREND_MOST_POINTS // of a window's steps, evenly spread
#define MC_UNITS_MOST_MOVERS 8192                 // groups, those that move the most

typedef struct mc_unit_mover {
    uint32_t node;
    double first;  // objects at the window's first step
    double grown;  // by the last one
    double moved;  // the sum of its increments, each without its sign
    double square; // the sum of their squares
    int64_t bytes; // grown
    // Of sampled objects: the variance of a number of them, by that number. 0: they were counted.
    double spread;
} mc_unit_mover;

// Zero-initialise, read, deinit.
typedef struct mc_unit_movers {
    mc_unit_mover *items; // what moves the most first
    uint32_t count, all_count;
    uint32_t steps[MC_UNITS_MOST_POINTS], point_count;
    double *increments; // of each mover, point_count - 1
    int64_t bytes;      // what the whole heap has grown by
} mc_unit_movers;

mc_result mc_unit_movers_read(const mc_trace *trace, mc_step_range window,
                              const mc_progress *progress, mc_unit_movers *movers, mc_error *error);
void mc_unit_movers_deinit(mc_unit_movers *movers);

static inline const double *mc_unit_movers_get_increments(const mc_unit_movers *movers,
                                                          uint32_t mover) {
    return movers->increments + (size_t)mover * (movers->point_count - 1);
}
