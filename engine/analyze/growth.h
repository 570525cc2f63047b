// growth.h - does a series keep growing: the one judgement that all of memcity shares.
//
// Pure CPU code. What counts is what stays: at every point the least of all values from there on,
// the floor. So a saw-tooth does not grow but by its troughs, and the last limb of one only by what
// it rises above all peaks before. Between a twentieth and nineteen twentieths of what the floor
// rises by lies the phase of growth; after a drop of a fifth of all that the series moves in, a
// trough begins. A series keeps growing if
// - what stays is at least half of all that the series moves in (less if p < 0.0001), rose at three
//   points or more, and is significant (Mann-Kendall over the phase and what follows);
// - it still rises: no rest at the end is longer than the longest before (or a tenth of the phase);
// - it does not flatten: the last third rises by three tenths of the first third or more, unless
//   its last half is a line, and rises by more than noise.
// A later part of the series is judged by itself if all of it does not keep growing (a warm-up that
// a leak follows), and so are the troughs of a saw-tooth. Points count, not times: a recording may
// rest. Why these numbers: tests/analyze/test_growth.c has the series, healthy and leaking, random
// and recorded, that they tell apart. Threads: any.
#pragma once
#include <stdint.h>

#define MC_GROWTH_LEAST_POINTS 5 // of fewer nobody can say whether they tell of chance
#define MC_GROWTH_MOST_POINTS 48

typedef enum mc_growth_kind {
    MC_GROWTH_NONE,    // it does not grow, or it goes up and down, or there are too few points
    MC_GROWTH_STOPPED, // it has grown, and does no more, or ever less
    MC_GROWTH_GOES_ON  // it keeps growing
} mc_growth_kind;

typedef struct mc_growth {
    mc_growth_kind kind;
    uint32_t since, until; // points between which it grew; MC_GROWTH_NONE: 0
    int64_t amount;        // by how much what stays rose
} mc_growth;

// `count` is 1 to MC_GROWTH_MOST_POINTS, values 0 to 2^63 - 1. O(count^2).
mc_growth mc_growth_judge(const int64_t *values, uint32_t count);

// What stays, at every point, of a series of any length from 1 on, and where its troughs are; both
// have room for `count`. Returns how many troughs there are, at least one. O(count).
uint32_t mc_growth_find_floors(const int64_t *values, uint32_t count, uint32_t *troughs,
                               int64_t *floors);
