#include "engine/trace/regroup/sliding_window.h"

#include "engine/trace/trace_columns.h"
#include <string.h>

const char mc_metric_elevation[] = "elevation", mc_metric_threads[] = "threads",
           mc_metric_steady[] = "steady", mc_metric_time[] = "time";
const char mc_classifier_method[] = "Method", mc_classifier_thread[] = "Thread";

static bool has_classifier(const mc_trace *trace, const char *name) {
    for (uint32_t i = 0; i < mc_trace_get_classifier_count(trace); i++)
        if (strcmp(mc_trace_get_classifier(trace, i, NULL), name) == 0) return true;
    return false;
}

bool mc_trace_has_methods(const mc_trace *trace) {
    mc_metric time = mc_trace_find_metric(trace, mc_metric_time);
    if (time == MC_NONE || !has_classifier(trace, mc_classifier_method)) return false;
    const mc_metric_info *info = mc_trace_get_metric(trace, time);
    return info->unit == MC_UNIT_TIME && info->kind == MC_METRIC_FLOW && info->is_additive &&
           mc_trace_find_metric(trace, mc_metric_elevation) == MC_NONE &&
           mc_trace_find_metric(trace, mc_metric_threads) == MC_NONE &&
           mc_trace_find_metric(trace, mc_metric_steady) == MC_NONE;
}

mc_regrouping mc_regrouping_of_methods(const mc_trace *trace, double frame_ms) {
    mc_regrouping grouping = {.frame_ms = frame_ms};
    for (uint32_t i = 0; i < mc_trace_get_classifier_count(trace); i++)
        if (strcmp(mc_trace_get_classifier(trace, i, NULL), mc_classifier_thread) != 0 &&
            grouping.count < MC_REGROUP_MOST)
            grouping.classifiers[grouping.count++] = i;
    return grouping;
}

double mc_trace_get_frame_ms(const mc_trace *trace) {
    return trace->source->get_frame_ms ? trace->source->get_frame_ms(trace) : 0;
}
