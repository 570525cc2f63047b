// mann_kendall.h - does a series rise or fall more often than by chance.
//
// Pure CPU code. Method: Mann's test (1945) with Kendall's correction for ties ("Rank Correlation
// Methods", 1975). For 10 values and more the normal approximation with continuity correction;
// below that the exact distribution (of inversions of a multiset, so it covers ties as well).
// Threads: any.
#pragma once
#include <stdint.h>

#define MC_MANN_KENDALL_MOST 48 // values

typedef struct mc_mann_kendall {
    int32_t s;      // Kendall's S: pairs that rise minus pairs that fall
    double p_value; // how likely values in any order give that much or more, both ways
} mc_mann_kendall;

// `count` is 1 to MC_MANN_KENDALL_MOST. O(count^2).
mc_mann_kendall mc_mann_kendall_compute(const int64_t *values, uint32_t count);
