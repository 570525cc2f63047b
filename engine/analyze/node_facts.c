#include "engine/analyze/node_facts.h"

#include "engine/base/memory.h"

static const mc_node_facts none = {MC_COUNT_UNKNOWN, MC_COUNT_UNKNOWN, MC_COUNT_UNKNOWN,
                                   MC_COUNT_UNKNOWN};

static void add_step(const mc_metric_info *info, uint64_t value, mc_node_facts *facts) {
    if (value == MC_COUNT_UNKNOWN) return;
    if (facts->max == MC_COUNT_UNKNOWN || value > facts->max) facts->max = value;
    if (info->kind != MC_METRIC_FLOW) return;
    facts->sum = facts->sum == MC_COUNT_UNKNOWN ? value : mc_metric_add(info, facts->sum, value);
}

mc_result mc_node_facts_read(const mc_trace *trace, mc_metric metric, mc_step_range window,
                             const uint32_t *nodes, uint32_t count, mc_node_facts *facts,
                             mc_error *error) {
    const mc_metric_info *info = mc_trace_get_metric(trace, metric);
    uint64_t *values = mc_alloc((size_t)count + 1, sizeof *values);
    if (!values) return mc_error_out_of_memory(error);
    for (uint32_t i = 0; i < count; i++)
        facts[i] = none;
    mc_result result = MC_OK;
    for (uint32_t step = window.first_step; step <= window.last_step && result == MC_OK; step++) {
        result = mc_trace_read_values(trace, step, metric, nodes, count, values, error);
        for (uint32_t i = 0; i < count && result == MC_OK; i++) {
            add_step(info, values[i], &facts[i]);
            if (step == window.first_step) facts[i].first = values[i];
            if (step == window.last_step) facts[i].last = values[i];
        }
    }
    mc_free(values);
    return result;
}

mc_node_facts mc_node_facts_of_series(const mc_metric_info *info, const uint64_t *values,
                                      uint32_t count) {
    mc_node_facts facts = none;
    for (uint32_t i = 0; i < count; i++)
        add_step(info, values[i], &facts);
    if (count == 0) return facts;
    facts.first = values[0];
    facts.last = values[count - 1];
    return facts;
}
