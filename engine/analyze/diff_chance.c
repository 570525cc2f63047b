#include "engine/analyze/diff_chance.h"

#include "engine/base/memory.h"
#include "engine/trace/regroup/sliding_window.h"
#include <math.h>

#define SAMPLES "samples"
#define VARIANCE "variance" // of bytes

void mc_diff_chance_deinit(mc_diff_chance *chance) {
    for (uint32_t side = 0; side < MC_VERSUS_SIDES; side++)
        mc_free(chance->samples[side]);
    *chance = (mc_diff_chance){.is_known = false};
}

// A metric that both sides have; MC_NONE: one lacks it.
static mc_metric find_of_both(const mc_trace *pair, const char *key) {
    for (uint32_t side = 0; side < MC_VERSUS_SIDES; side++)
        if (mc_trace_find_metric(mc_versus_get_side(pair, (mc_versus_side)side), key) == MC_NONE)
            return MC_NONE;
    mc_metric metric = mc_trace_find_metric(pair, key);
    return metric != MC_NONE && mc_trace_get_metric(pair, metric)->is_additive ? metric : MC_NONE;
}

// Adds what a step has; nothing where that is not known.
static mc_result add_step(const mc_trace *pair, mc_versus_side side, uint32_t step,
                          mc_metric metric, double *sums, mc_error *error) {
    uint32_t count = mc_trace_get_nodes(pair)->count;
    const mc_metric_info *info = mc_trace_get_metric(pair, metric);
    uint64_t *words = mc_alloc(count, sizeof *words);
    if (!words) return mc_error_out_of_memory(error);
    mc_result result = mc_versus_read_column(pair, side, step, metric, words, error);
    for (uint32_t node = 0; node < count && result == MC_OK; node++)
        if (words[node] != MC_COUNT_UNKNOWN) sums[node] += mc_metric_get_number(info, words[node]);
    mc_free(words);
    return result;
}

static double *read_step(const mc_trace *pair, mc_versus_side side, uint32_t step, mc_metric metric,
                         mc_error *error, mc_result *result) {
    double *values = mc_alloc_zero(mc_trace_get_nodes(pair)->count, sizeof *values);
    if (!values) *result = mc_error_out_of_memory(error);
    if (*result == MC_OK) *result = add_step(pair, side, step, metric, values, error);
    return values;
}

// In a frame, methods have a part of what its steps were made of, and of samples whole numbers: how
// many samples of those steps a millisecond of what is shown stands for. 0: it is not known.
static mc_result find_per_ms(const mc_trace *side, uint32_t last, double *per_ms, mc_error *error) {
    const mc_trace *base = mc_trace_get_base(side);
    mc_metric samples = base ? mc_trace_find_metric(base, SAMPLES) : MC_NONE;
    mc_metric time = mc_trace_find_metric(side, mc_metric_time);
    uint64_t word = 0;
    double all = 0;
    *per_ms = 0;
    if (samples == MC_NONE || time == MC_NONE) return MC_OK;
    mc_result result = mc_trace_read_total(side, last, time, &word, error);
    double shown_ms = mc_metric_get_number(mc_trace_get_metric(side, time), word);
    int64_t end_ms = mc_trace_get_step(base, last)->time_ms;
    for (uint32_t step = last + 1; step-- > 0 && result == MC_OK;) {
        int64_t before_ms = end_ms - mc_trace_get_step(base, step)->time_ms;
        if ((double)before_ms >= mc_trace_get_frame_ms(side)) break;
        result = mc_trace_read_total(base, step, samples, &word, error);
        all += mc_metric_get_number(mc_trace_get_metric(base, samples), word);
    }
    if (shown_ms > 0) *per_ms = all / shown_ms;
    return result;
}

// Of a flow those of the window, as its values are summed up; else those of the last step.
static mc_result count_samples(mc_diff_chance *chance, const mc_trace *pair, mc_versus_side side,
                               mc_step_range window, bool is_flow, mc_metric samples,
                               const mc_progress *progress, mc_error *error) {
    uint32_t first = is_flow ? window.first_step : window.last_step;
    const mc_trace *from = mc_versus_get_side(pair, side);
    mc_result result = MC_OK;
    double factor = 1;
    if (mc_trace_get_frame_ms(from) > 0) {
        result = find_per_ms(from, window.last_step, &factor, error);
        samples = mc_trace_find_metric(pair, mc_metric_time);
        if (factor == 0) return result;
    }
    for (uint32_t step = first; step <= window.last_step && result == MC_OK; step++) {
        result = add_step(pair, side, step, samples, chance->samples[side], error);
        if (!mc_progress_report(progress, step - first, window.last_step - first))
            result = mc_fail(error, MC_ERROR_CANCELLED, "cancelled");
    }
    for (uint32_t node = 0; node < mc_trace_get_nodes(pair)->count; node++)
        chance->samples[side][node] *= factor;
    return result;
}

// How many samples objects are worth: the natural logarithm of one over the probability that none
// of them is sampled, which is about the number of samples where they are small. Of objects of one
// size s that are sampled with probability p, n samples say n / p objects, n s / p bytes and a
// variance of n s^2 (1 - p) / p^2.
static double estimate_samples(double objects, double bytes, double variance) {
    if (objects <= 0 || bytes <= 0) return 0;
    if (variance <= 0) return INFINITY; // none could be missed
    return objects * log1p(bytes * bytes / (variance * objects));
}

static mc_result estimate(mc_diff_chance *chance, const mc_trace *pair, mc_versus_side side,
                          uint32_t step, mc_metric variance, mc_error *error) {
    uint32_t count = mc_trace_get_nodes(pair)->count;
    mc_result result = MC_OK;
    double *objects = read_step(pair, side, step, MC_METRIC_OBJECTS, error, &result);
    double *bytes = read_step(pair, side, step, MC_METRIC_BYTES, error, &result);
    double *variances = read_step(pair, side, step, variance, error, &result);
    for (uint32_t node = 0; node < count && result == MC_OK; node++)
        chance->samples[side][node] = estimate_samples(objects[node], bytes[node], variances[node]);
    mc_free(objects);
    mc_free(bytes);
    mc_free(variances);
    return result;
}

static void sum_up(mc_diff_chance *chance, const mc_trace *pair) {
    const mc_node_columns *nodes = mc_trace_get_nodes(pair);
    for (uint32_t node = 0; node < nodes->count; node++) {
        if (nodes->child_count[node] > 0) continue;
        double before = chance->samples[MC_BEFORE][node], after = chance->samples[MC_AFTER][node];
        chance->group_count += before > 0 || after > 0;
        if (isfinite(before)) chance->total[MC_BEFORE] += before;
        if (isfinite(after)) chance->total[MC_AFTER] += after;
    }
    // A trace that has the metric may not have counted.
    chance->is_known = chance->total[MC_BEFORE] > 0 && chance->total[MC_AFTER] > 0;
}

mc_result mc_diff_chance_init(mc_diff_chance *chance, const mc_trace *pair, mc_metric metric,
                              const mc_step_range windows[MC_VERSUS_SIDES],
                              const mc_progress *progress, mc_error *error) {
    *chance = (mc_diff_chance){.is_known = false};
    mc_metric samples = find_of_both(pair, SAMPLES);
    mc_metric variance = find_of_both(pair, VARIANCE);
    bool is_of_heap = variance != MC_NONE && metric < MC_METRIC_FIRST_OWN;
    if (samples == MC_NONE && !is_of_heap) return MC_OK;
    bool is_flow = mc_trace_get_metric(pair, metric)->kind == MC_METRIC_FLOW;
    chance->is_of_heap = samples == MC_NONE;
    mc_result result = MC_OK;
    for (uint32_t side = 0; side < MC_VERSUS_SIDES && result == MC_OK; side++) {
        chance->samples[side] = mc_alloc_zero(mc_trace_get_nodes(pair)->count, sizeof(double));
        if (!chance->samples[side])
            result = mc_error_out_of_memory(error);
        else if (chance->is_of_heap)
            result = estimate(chance, pair, (mc_versus_side)side, windows[side].last_step, variance,
                              error);
        else
            result = count_samples(chance, pair, (mc_versus_side)side, windows[side], is_flow,
                                   samples, progress, error);
    }
    if (result == MC_OK) sum_up(chance, pair);
    return result;
}

// lgamma() writes a global of the C library's.
static double get_log_gamma(double x) {
    int sign;
    return lgamma_r(x, &sign);
}

// The logarithm of the probability that of `all` samples, `count` of which are of the group, none
// is among those of the other side (Fisher's exact test, of its extreme).
static double get_log_missed(double all, double other, double count) {
    double rest = fmax(all - count - other, 0);
    return get_log_gamma(all - count + 1) - get_log_gamma(rest + 1) - get_log_gamma(all + 1) +
           get_log_gamma(all - other + 1);
}

bool mc_diff_chance_explains(const mc_diff_chance *chance, mc_versus_side side, uint32_t leaf) {
    if (!chance->is_known) return false;
    double count = chance->samples[side][leaf], own = chance->total[side];
    double other = chance->total[MC_BEFORE + MC_AFTER - side], all = own + other;
    if (isinf(count)) return false;
    double missed =
        chance->is_of_heap ? count * log(fmax(own / all, 0.5)) : get_log_missed(all, other, count);
    return missed + log((double)chance->group_count) > log(MC_DIFF_CHANCE);
}
