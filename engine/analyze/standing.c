#include "engine/analyze/standing.h"

static bool is_within(const mc_trace *trace, uint32_t node, uint32_t district) {
    const uint32_t *parent = mc_trace_get_nodes(trace)->parent;
    while (node != MC_NONE && node > district)
        node = parent[node];
    return node == district;
}

const mc_cause *mc_causes_find_below(const mc_causes *causes, const mc_trace *trace,
                                     uint32_t node) {
    const mc_cause *cause = mc_causes_get(causes, node);
    for (uint32_t i = 0; i < causes->count && !cause; i++)
        if (is_within(trace, causes->items[i].node, node)) cause = &causes->items[i];
    return cause;
}

static mc_result read_values(const mc_trace *trace, const mc_causes *causes, mc_standing *standing,
                             mc_error *error) {
    const mc_metric_info *info = mc_trace_get_metric(trace, causes->desc.metric);
    mc_step_range window = causes->desc.window;
    for (uint32_t step = window.first_step; step <= window.last_step; step++) {
        uint64_t value;
        mc_result result =
            mc_trace_read_value(trace, step, causes->desc.metric, standing->node, &value, error);
        if (result != MC_OK) return result;
        value = mc_metric_get_count(info, value);
        standing->last = value;
        if (step == window.first_step) standing->first = standing->least = value;
        if (value < standing->least) standing->least = value;
        if (step > window.first_step && value <= standing->most) continue;
        standing->most = value;
        standing->most_step = step;
    }
    return MC_OK;
}

static bool is_suspect(const mc_suspects *suspects, uint32_t node) {
    for (uint32_t i = 0; i < suspects->growing_count; i++)
        if (suspects->items[i].node == node) return true;
    return false;
}

static mc_standing_kind judge(const mc_causes *causes, const mc_standing *s) {
    mc_step_range window = causes->desc.window;
    if (s->cause) {
        const mc_cause *own = mc_causes_get(causes, s->node);
        return own && own->node != s->node ? MC_STANDING_EXPLAINED : MC_STANDING_CAUSE;
    }
    if (is_suspect(&causes->suspects, s->node)) return MC_STANDING_LEFT_OUT;
    if (s->most == 0) return MC_STANDING_ABSENT;
    if (s->most == s->least) return MC_STANDING_STEADY;
    if (s->trend.growth.kind == MC_GROWTH_GOES_ON) return MC_STANDING_SMALL;
    if (s->trend.growth.kind == MC_GROWTH_STOPPED)
        return s->until_step == window.last_step ? MC_STANDING_SLOWS : MC_STANDING_STOPPED;
    if (s->trend.direction < 0) return MC_STANDING_SHRINKS;
    bool is_short = window.last_step - window.first_step + 1 < MC_GROWTH_LEAST_POINTS;
    return is_short ? MC_STANDING_SHORT : MC_STANDING_UP_AND_DOWN;
}

mc_result mc_standing_find(const mc_trace *trace, const mc_causes *causes, uint32_t node,
                           mc_standing *standing, mc_error *error) {
    *standing = (mc_standing){.node = node, .cause = mc_causes_find_below(causes, trace, node)};
    uint32_t first = causes->desc.window.first_step;
    mc_result result = read_values(trace, causes, standing, error);
    if (result == MC_OK)
        result = mc_trend_compute_nodes(trace, causes->desc.metric, causes->desc.window, &node, 1,
                                        &standing->trend, NULL, error);
    if (result != MC_OK) return result;
    standing->since_step = first + standing->trend.growth.since;
    standing->until_step = first + standing->trend.growth.until;
    standing->kind = judge(causes, standing);
    return MC_OK;
}
