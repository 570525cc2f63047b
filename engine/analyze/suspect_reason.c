#include "engine/analyze/suspect_reason.h"

#include "engine/base/memory.h"
#include "engine/trace/regroup/live_steps.h"

const mc_cause *mc_causes_find_below(const mc_causes *causes, const mc_trace *trace,
                                     uint32_t node) {
    const mc_cause *cause = mc_causes_get(causes, node);
    for (uint32_t i = 0; i < causes->count && !cause; i++)
        if (mc_nodes_is_inside(mc_trace_get_nodes(trace), causes->items[i].node, node))
            cause = &causes->items[i];
    return cause;
}

static void note_values(mc_step_range window, const uint64_t *counts, mc_suspect_reason *reason) {
    uint32_t count = window.last_step - window.first_step + 1;
    reason->first = reason->least = reason->most = counts[0];
    reason->last = counts[count - 1];
    reason->most_step = window.first_step;
    for (uint32_t i = 1; i < count; i++) {
        if (counts[i] < reason->least) reason->least = counts[i];
        if (counts[i] <= reason->most) continue;
        reason->most = counts[i];
        reason->most_step = window.first_step + i;
    }
}

static bool is_suspect(const mc_suspects *suspects, uint32_t node) {
    for (uint32_t i = 0; i < suspects->growing_count; i++)
        if (suspects->items[i].node == node) return true;
    return false;
}

static bool is_chance(const mc_suspects *suspects, uint32_t node) {
    for (uint32_t i = 0; i < suspects->chance_count; i++)
        if (suspects->items[suspects->count + i].node == node) return true;
    return false;
}

static mc_suspect_reason_kind judge(const mc_causes *causes, const mc_suspect_reason *s) {
    mc_step_range window = causes->desc.window;
    if (s->cause) {
        const mc_cause *own = mc_causes_get(causes, s->node);
        return own && own->node != s->node ? MC_SUSPECT_REASON_EXPLAINED : MC_SUSPECT_REASON_CAUSE;
    }
    if (is_suspect(&causes->suspects, s->node)) return MC_SUSPECT_REASON_LEFT_OUT;
    if (is_chance(&causes->suspects, s->node)) return MC_SUSPECT_REASON_CHANCE;
    if (s->most == 0) return MC_SUSPECT_REASON_ABSENT;
    if (causes->suspects.verdict == MC_HEAP_SINGLE) return MC_SUSPECT_REASON_SHORT;
    if (s->most == s->least) return MC_SUSPECT_REASON_STEADY;
    if (s->trend.growth.kind == MC_GROWTH_GOES_ON) return MC_SUSPECT_REASON_SMALL;
    if (s->trend.growth.kind == MC_GROWTH_STOPPED)
        return s->until_step == window.last_step ? MC_SUSPECT_REASON_SLOWS
                                                 : MC_SUSPECT_REASON_STOPPED;
    if (s->trend.direction < 0) return MC_SUSPECT_REASON_SHRINKS;
    bool is_short = window.last_step - window.first_step + 1 < MC_GROWTH_LEAST_POINTS;
    return is_short ? MC_SUSPECT_REASON_SHORT : MC_SUSPECT_REASON_UP_AND_DOWN;
}

mc_result mc_suspect_reason_judge(const mc_trace *trace, const mc_causes *causes, uint32_t node,
                                  const uint64_t *counts, mc_suspect_reason *reason,
                                  mc_error *error) {
    mc_step_range window = causes->desc.window;
    uint32_t all = window.last_step - window.first_step + 1, count = 0;
    bool is_some = mc_trace_counts_garbage(trace, window.first_step, window.last_step);
    int64_t *times = mc_alloc(all, sizeof *times);
    uint64_t *kept = mc_alloc(all, sizeof *kept);
    uint32_t *steps = mc_alloc(all, sizeof *steps);
    if (!times || !kept || !steps) {
        mc_free(times);
        mc_free(kept);
        mc_free(steps);
        return mc_error_out_of_memory(error);
    }
    for (uint32_t i = 0; i < all; i++) {
        const mc_step_info *info = mc_trace_get_step(trace, window.first_step + i);
        if (is_some && info->liveness != MC_LIVENESS_LIVE && i + 1 < all) continue;
        if (is_some && info->liveness != MC_LIVENESS_LIVE && count > 0) continue;
        times[count] = info->time_ms;
        steps[count] = window.first_step + i;
        kept[count++] = counts[i];
    }
    *reason = (mc_suspect_reason){.node = node, .cause = mc_causes_find_below(causes, trace, node)};
    note_values(window, counts, reason);
    reason->trend = mc_trend_is_crowded(trace) ? mc_trend_compute_crowded(times, kept, count)
                                               : mc_trend_compute(times, kept, count);
    reason->since_step = steps[reason->trend.growth.since];
    reason->until_step = steps[reason->trend.growth.until];
    reason->kind = judge(causes, reason);
    mc_free(times);
    mc_free(kept);
    mc_free(steps);
    return MC_OK;
}

mc_result mc_suspect_reason_find(const mc_trace *trace, const mc_causes *causes, uint32_t node,
                                 mc_suspect_reason *reason, mc_error *error) {
    const mc_metric_info *info = mc_trace_get_metric(trace, causes->desc.metric);
    mc_step_range window = causes->desc.window;
    uint32_t count = window.last_step - window.first_step + 1;
    uint64_t *counts = mc_alloc(count, sizeof *counts);
    mc_result result = counts ? MC_OK : mc_error_out_of_memory(error);
    for (uint32_t i = 0; i < count && result == MC_OK; i++)
        result = mc_trace_read_value(trace, window.first_step + i, causes->desc.metric, node,
                                     &counts[i], error);
    if (result == MC_OK) {
        mc_metric_get_counts(info, counts, count);
        result = mc_suspect_reason_judge(trace, causes, node, counts, reason, error);
    }
    mc_free(counts);
    return result;
}
