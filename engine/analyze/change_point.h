// change_point.h - since when does a series grow as it does: where its last phase began, and how
// sure that is.
//
// Pure CPU code. Method: what counts is what stays (the floors of growth.h), and how much of it
// comes from point to point, of a saw-tooth from trough to trough. Those rises are replaced by
// their ranks, so that one jump, however large, is but the largest (Conover and Iman, "Rank
// Transformations as a Bridge", 1981). That their mean changes at one point is weighed against that
// it does not: Smith, "A Bayesian Approach to Inference about a Change-Point in a Sequence of
// Random Variables", 1975, with the weights of Schwarz's criterion (1978), all points being as
// likely beforehand, and a change as likely as none. If a change is the more likely, and the slope
// (Theil-Sen) of one side is less than a quarter of the other's, the same is asked of what comes
// behind it: so a warm-up, a rest and a leak are told apart, and what comes out is where the leak
// began. Points count, not times: a recording may rest. Threads: any.
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
