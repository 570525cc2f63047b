// growth.h - does a series keep growing: the one judgement that all of memcity shares.
//
// Pure CPU code. The judgement is about the floor: at every point the least of all values from
// there on. So a saw-tooth grows only by its troughs, and its last rise only by what exceeds all
// earlier peaks. The phase of growth lies between a twentieth and nineteen twentieths of the
// floor's rise. A trough begins after a drop of a fifth of the series' range. A series keeps
// growing if
// - the floor's rise is at least half of the series' range (less if p < 0.0001), took place at
//   three points or more, and is significant (Mann-Kendall over the phase and what follows);
// - it still rises: no rest at the end is longer than the longest one before (or a tenth of the
//   phase);
// - it does not flatten: the last third rises by at least three tenths of the first third's rise,
//   unless its last half is a line, and rises by more than noise.
// What does all that may still be a cache that fills or a warm-up: if the rate at the end of a
// parabola through it is less than three quarters of the rate at first, and the bend is significant
// (t-test, for the residuals' autocorrelation with fewer points), it has stopped, only slower.
// If the whole series does not keep growing, a later part is judged by itself (a leak after a
// warm-up), and so are the troughs of a saw-tooth. Points count, not times: a recording may pause.
// The constants are justified by the series in tests/analyze/test_growth.c, healthy and leaking,
// random and recorded, which they tell apart. Threads: any.
#pragma once
#include <stdbool.h>
#include <stdint.h>

#define MC_GROWTH_LEAST_POINTS 5 // of fewer nobody can say whether they tell of chance
#define MC_GROWTH_MOST_POINTS 48
#define MC_GROWTH_LEAST_RISES 3 // of what keeps growing

typedef enum mc_growth_kind {
    MC_GROWTH_NONE,    // it does not grow, or it goes up and down, or there are too few points
    MC_GROWTH_STOPPED, // it has grown, and does no more, or ever less
    MC_GROWTH_GOES_ON  // it keeps growing
} mc_growth_kind;

typedef struct mc_growth {
    mc_growth_kind kind;
    uint32_t since, until; // points between which it grew; MC_GROWTH_NONE: 0
    int64_t amount;        // by how much what stays rose
    bool is_by_troughs;    // of a saw-tooth, which keeps growing by its troughs alone
    // Of what stopped only by becoming slower: by how much its rate at the end is less than at
    // first, 0.25 to 1, and after how many points more the rate would be half of what it is, if it
    // goes on like that. 0: it is not sure that it becomes slower.
    double slower_share, halving_points;
} mc_growth;

// `count` is 1 to MC_GROWTH_MOST_POINTS, values 0 to 2^63 - 1. O(count^2).
mc_growth mc_growth_judge(const int64_t *values, uint32_t count);

// Computes the floor at every point, and where the troughs are, for a series of any length from 1
// on; both outputs have room for `count`. Returns the number of troughs, at least one. O(count).
uint32_t mc_growth_find_floors(const int64_t *values, uint32_t count, uint32_t *troughs,
                               int64_t *floors);
