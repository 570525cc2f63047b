#include "app/estimate.h"

#include <math.h>

mc_metric mc_estimate_find_variance(const mc_trace *trace, mc_metric metric) {
    mc_metric found = metric == MC_METRIC_BYTES ? mc_trace_find_metric(trace, "variance") : MC_NONE;
    return found != MC_NONE && mc_trace_get_metric(trace, found)->is_additive ? found : MC_NONE;
}

uint64_t mc_estimate_get_error(const mc_trace *trace, mc_metric variance, uint64_t word) {
    double value = mc_metric_get_number(mc_trace_get_metric(trace, variance), word);
    double error = 1.96 * sqrt(value);
    return error < 9e18 ? (uint64_t)llround(error) : MC_COUNT_MAX;
}
