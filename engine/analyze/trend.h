// trend.h - whether a series grows, and how fast: a robust slope and a test of its significance.
//
// Pure CPU code. A saw-tooth, a single peak or a last step after a collection are not mistaken for
// growth, as they would be by comparing only the first and the last value. Threads: all functions,
// any thread. Method: the slope is the median of the slopes between all pairs of points (Theil
// 1950; Sen, "Estimates of the Regression Coefficient Based on Kendall's Tau", 1968), p is Mann's
// and Kendall's (mann_kendall.h), and growth is judged in one place (growth.h).
#pragma once
#include "engine/analyze/chance.h"
#include "engine/analyze/growth.h"
#include "engine/analyze/max_tree.h"

#define MC_TREND_SIGNIFICANCE 0.05
#define MC_TREND_MOST_POINTS 48 // of a window's steps, evenly spread, where there are more

typedef struct mc_trend {
    double slope_per_s;  // in the metric's unit per second of the run
    double p_value;      // how likely a series without a trend looks like that, both ways
    int direction;       // 1: it keeps growing (growth.h); -1: it shrinks significantly; else 0
    double look_again_s; // growth.halving_points, in time
    mc_growth growth;    // its points are the series' own, or steps of the window
} mc_trend;

// Computes the trend of one series. Times ascend strictly within MC_TIME_MIN to MC_TIME_MAX; values
// are at most MC_COUNT_MAX. A longer series is reduced to MC_TREND_MOST_POINTS evenly spread
// points, including the first and the last. O(points^2).
mc_trend mc_trend_compute(const int64_t *times_ms, const uint64_t *values, uint32_t count);
// Whether steps may lie ever closer together, as massif's do, which keeps all of its latest
// snapshots and fewer of the others: judged by their numbers, a leak would seem to become slower.
bool mc_trend_is_crowded(const mc_trace *trace);
// Of such a series: points are as far from each other as most of its steps are, if steps do, and
// there are six such points or more. mc_trend_weigh_nodes() does so where the trace is.
mc_trend mc_trend_compute_crowded(const int64_t *times_ms, const uint64_t *values, uint32_t count);

// "grows", "stopped" or "shrinks"; NULL: none of these.
static inline const char *mc_trend_get_state(const mc_trend *trend) {
    if (trend->growth.kind == MC_GROWTH_GOES_ON) return "grows";
    if (trend->growth.kind == MC_GROWTH_STOPPED) return "stopped";
    return trend->direction < 0 ? "shrinks" : NULL;
}

// The slope alone; 0 of fewer than two points.
double mc_trend_compute_slope(const int64_t *times_ms, const uint64_t *values, uint32_t count);

typedef struct mc_slope {
    double per_s;     // Theil-Sen
    double low, high; // it is between them with MC_SLOPE_CERTAINTY
} mc_slope;

#define MC_SLOPE_CERTAINTY 0.95

// With Sen's interval (1968), wider where neighbouring residuals are alike: n points that remember
// a share r of their deviation tell as much as n (1 - r) / (1 + r) others (Bayley and Hammersley,
// 1946). All 0 of fewer than two points; without bounds (-INFINITY, INFINITY) of fewer than five.
mc_slope mc_trend_estimate_slope(const int64_t *times_ms, const uint64_t *values, uint32_t count);

// Computes the trends of nodes over a window; `trends` has one per node. Takes some 5 us per node
// that changes at all, and at most 50 MB beside the trace. On failure the content of `trends` is
// undefined.
mc_result mc_trend_compute_nodes(const mc_trace *trace, mc_metric metric, mc_step_range window,
                                 const uint32_t *nodes, uint32_t count, mc_trend *trends,
                                 const mc_progress *progress, mc_error *error);

// The same, and the evidence against chance, one of each node; all zero: there is none, since the
// node has too few values, or always the same.
mc_result mc_trend_weigh_nodes(const mc_trace *trace, mc_metric metric, mc_step_range window,
                               const uint32_t *nodes, uint32_t count, mc_trend *trends,
                               mc_chance_evidence *evidence, const mc_progress *progress,
                               mc_error *error);
