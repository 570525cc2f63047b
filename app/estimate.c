#include "app/estimate.h"

#include <math.h>

mc_metric mc_estimate_find_variance(const mc_trace *trace, mc_metric metric) {
    mc_metric found = metric == MC_METRIC_BYTES ? mc_trace_find_metric(trace, "variance") : MC_NONE;
    return found != MC_NONE && mc_trace_get_metric(trace, found)->is_additive ? found : MC_NONE;
}

uint64_t mc_estimate_get_error(const mc_trace *trace, mc_metric variance, uint64_t word,
                               uint64_t bytes) {
    double value = mc_metric_get_number(mc_trace_get_metric(trace, variance), word);
    // What a few samples say of their own scatter is too little, most of all where they are too
    // few: one more is counted. Of objects much smaller than the interval each has a variance of
    // the interval's square, and n of them stand for n intervals of bytes; of larger ones less.
    double one = bytes > 0 ? value / (double)bytes : 0;
    double error = 1.96 * sqrt(value + one * one);
    return error < 9e18 ? (uint64_t)llround(error) : MC_COUNT_MAX;
}
