// change_point.h - finds since when a series has grown as it does now: where its last phase began,
// and how certain that is.
//
// Pure CPU code. Method: the input is the floor of the series (growth.h), and how much the floor
// rises from point to point, for a saw-tooth from trough to trough. Those rises are replaced by
// their ranks, so that a single jump, however large, is merely the largest (Conover and Iman, "Rank
// Transformations as a Bridge", 1981). The hypothesis that their mean changes at one point is
// weighed against no change: Smith, "A Bayesian Approach to Inference about a Change-Point in a
// Sequence of Random Variables", 1975, with the weights of Schwarz's criterion (1978); a priori all
// points are equally likely, and a change is as likely as none. If a change is the more likely
// hypothesis, and the slope (Theil-Sen) of one side is less than a quarter of the other's, the part
// behind the change is examined in the same way. So a warm-up, a pause and a leak are told apart,
// and the result is where the leak began. Points count, not times: a recording may pause. Threads:
// any.
#pragma once
#include "engine/base/base.h"

#define MC_CHANGE_INTERVAL 0.9 // how likely the change is between `early` and `late`

typedef struct mc_change_point {
    bool is_found;  // false: it has grown as it does since its first point, or there are too few
    uint32_t since; // the last point before the last phase; not found: 0
    uint32_t early, late; // not found: 0
    double confidence; // found: that there is a change; else that there is none, 0 if there are too
                       // few points. 0 to 1
} mc_change_point;

// `values` are 0 to 2^63 - 1. O(count log count). MC_ERROR_OUT_OF_MEMORY is the only error.
mc_result mc_change_point_find(const int64_t *values, uint32_t count, mc_change_point *change,
                               mc_error *error);
