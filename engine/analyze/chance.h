// chance.h - how likely noise alone rises as a series does, where values remember those before.
//
// Pure CPU code. The noise is autoregressive: a value keeps a share of the deviation of the one
// before. How large the share is, a short series does not tell, least of all one that rises, but
// all groups of a trace together do: weigh each of them, learn, then compute. Methods:
// - "flat, then a line" with several points where the line begins is fitted under several shares by
//   generalized least squares; a one-sided t-test of the line's slope each (its tail by Wallace's
//   approximation, 1959). Their mean counts, weighed by restricted likelihood (Patterson and
//   Thompson, 1971) and by how common the shares are among all groups (empirical Bayes: Robbins,
//   1956; by expectation maximization), times the number of points that were tried (Bonferroni).
// - The sign test of a series that hardly falls: of noise, at most half of all changes are rises.
//   The smaller of both counts, for four fifths and a fifth of the error.
// - Which of many groups are more than chance: Benjamini and Hochberg, "Controlling the False
//   Discovery Rate", 1995, which holds for groups that grow together, too (Benjamini and Yekutieli,
//   2001), and lets them support each other.
// How often that errs, and what it finds: test_chance --table. Threads: any.
#pragma once
#include <stdbool.h>
#include <stdint.h>

#define MC_CHANCE_SHARES 12
#define MC_CHANCE_LEAST_POINTS 5

typedef struct mc_chance_evidence {
    double likelihood[MC_CHANCE_SHARES]; // of each share, relative
    double tail[MC_CHANCE_SHARES];       // that times the chance if the share is this one
    double signs;                        // the chance by how many changes are rises
    uint32_t change_count;               // points that are not as the one before
    bool is_noise;                       // it goes up and down: shares are learned from it
} mc_chance_evidence;

// How common each share is; sums to 1.
typedef struct mc_chance_shares {
    double weight[MC_CHANCE_SHARES];
} mc_chance_shares;

// `count` is MC_CHANCE_LEAST_POINTS to 48; values 0 to 2^63 - 1, not all the same. O(count).
mc_chance_evidence mc_chance_weigh(const int64_t *values, uint32_t count);

mc_chance_shares mc_chance_learn(const mc_chance_evidence *evidence, uint32_t count);

// 0 to 1.
double mc_chance_compute(const mc_chance_evidence *evidence, const mc_chance_shares *shares);

// The chance up to which groups are more than chance, such that of those named, on average, at most
// `rate` are not; 0: none is. `chances` is sorted on return; `all_count` is the number of groups
// that were tried, at least `count`.
double mc_chance_find_limit(double *chances, uint32_t count, uint32_t all_count, double rate);

// The upper tail of Student's t; 1 for t <= 0.
double mc_student_tail(double t, double freedom);
