// estimate.h - how far the bytes of a trace may be off that was made from samples: ±, right 19
// times of 20.
//
// Such a trace has the metric "variance", of its bytes. Threads: any.
#pragma once
#include "engine/trace/trace.h"

// The metric that says the error of `metric`; MC_NONE: its values are no estimates.
mc_metric mc_estimate_find_variance(const mc_trace *trace, mc_metric metric);
// The error of so many bytes that a value of that metric stands for; of an unknown one 0.
uint64_t mc_estimate_get_error(const mc_trace *trace, mc_metric variance, uint64_t word,
                               uint64_t bytes);
