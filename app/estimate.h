// estimate.h - the sampling error of a trace that was made from samples: ±, with 95 % confidence.
//
// Such a trace has the metric "variance" for its bytes. Threads: any.
#pragma once
#include "engine/trace/trace.h"

// The metric with the variance of `metric`; MC_NONE: its values are no estimates.
mc_metric mc_estimate_find_variance(const mc_trace *trace, mc_metric metric);
// The error of `bytes` bytes whose variance is `word`, a value of that metric; 0 if it is unknown.
uint64_t mc_estimate_get_error(const mc_trace *trace, mc_metric variance, uint64_t word,
                               uint64_t bytes);
