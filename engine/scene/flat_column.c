#include "engine/scene/flat_column.h"

#include "engine/analyze/max_tree.h"
#include "engine/analyze/trend.h"
#include "engine/base/memory.h"
#include "engine/trace/versus/versus.h"
#include <math.h>
#include <string.h>

void mc_flat_column_deinit(mc_flat_column *column) {
    mc_free(column->values);
    mc_free(column->own_most);
    mc_free(column->now);
    mc_free(column->before);
    memset(column, 0, sizeof *column);
}

mc_color_mode mc_flat_column_get_mode(mc_flat_color_mode mode) {
    switch (mode) {
    case MC_FLAT_COLOR_TREND: return MC_COLOR_MODE_TREND;
    case MC_FLAT_COLOR_FIRST: return MC_COLOR_MODE_FIRST;
    case MC_FLAT_COLOR_OWNER: return MC_COLOR_MODE_OWNER;
    case MC_FLAT_COLOR_VALUE: return MC_COLOR_MODE_VALUE;
    case MC_FLAT_COLOR_PIN: return MC_COLOR_MODE_PIN;
    case MC_FLAT_COLOR_DIFFERENCE: return MC_COLOR_MODE_DIFFERENCE;
    default: return MC_COLOR_MODE_STEP;
    }
}

static uint32_t get_count(const mc_flat_column *column) {
    return mc_trace_get_nodes(column->trace)->count;
}

static mc_result read(const mc_flat_column *column, uint32_t step, mc_metric metric,
                      uint64_t *counts, mc_error *error) {
    return mc_trace_read_counts(column->trace, step, metric, counts, error);
}

// What does not grow steadily has none.
static mc_result find_trends(mc_flat_column *column, const mc_progress *progress, mc_error *error) {
    uint32_t count = get_count(column);
    uint32_t *nodes = mc_alloc(count, sizeof *nodes);
    mc_trend *trends = mc_alloc(count, sizeof *trends);
    mc_result result = nodes && trends ? MC_OK : mc_error_out_of_memory(error);
    for (uint32_t i = 0; i < count && result == MC_OK; i++)
        nodes[i] = i;
    if (result == MC_OK)
        result = mc_trend_compute_nodes(column->trace, column->desc.metric, column->desc.window,
                                        nodes, count, trends, progress, error);
    for (uint32_t i = 0; i < count && result == MC_OK; i++)
        column->values[i] = trends[i].direction > 0 ? trends[i].slope_per_s : 0;
    mc_free(nodes);
    mc_free(trends);
    return result;
}

// The later, the more; the window's last step is 1, also for what is never seen.
static mc_result find_first_steps(mc_flat_column *column, mc_error *error) {
    mc_step_range window = column->desc.window;
    uint32_t count = get_count(column), length = window.last_step - window.first_step;
    mc_result result = MC_OK;
    for (uint32_t i = 0; i < count; i++)
        column->values[i] = column->own_most[i] = 1;
    for (uint32_t step = window.last_step + 1; step-- > window.first_step && result == MC_OK;) {
        double share = length > 0 ? (double)(step - window.first_step) / length : 0;
        result = read(column, step, column->desc.metric, column->now, error);
        for (uint32_t i = 0; i < count && result == MC_OK; i++)
            if (column->now[i] > 0) column->values[i] = share;
    }
    return result;
}

static double get_growth(uint64_t first, uint64_t last) {
    return last > first ? (double)(last - first) : 0;
}

// `before` stays the window's first step.
static mc_result find_owners(mc_flat_column *column, const mc_progress *progress, mc_error *error) {
    const mc_flat_column_desc *desc = &column->desc;
    const mc_causes_desc causes = {.metric = desc->metric, .window = desc->window};
    const mc_node_columns *nodes = mc_trace_get_nodes(column->trace);
    mc_result result = mc_owner_growth_find(column->trace, &causes, progress, column->owners,
                                            &column->owner_count, error);
    if (result == MC_OK)
        result = read(column, desc->window.first_step, desc->metric, column->before, error);
    if (result == MC_OK)
        result = read(column, desc->window.last_step, desc->metric, column->now, error);
    if (result != MC_OK) return result;
    for (uint32_t i = 0; i < nodes->count; i++) {
        double growth = get_growth(column->before[i], column->now[i]);
        column->own_most[i] = column->owner_count > 0 ? (double)column->owners[0].growth : growth;
        if (nodes->child_count[i] == 0)
            column->largest_growth = fmax(column->largest_growth, growth);
    }
    for (uint32_t i = 0; i < column->owner_count; i++)
        column->owner_last[i] = column->now[column->owners[i].node];
    return MC_OK;
}

static mc_result find_largest(mc_flat_column *column, const mc_progress *progress,
                              mc_error *error) {
    mc_max_tree tree = {0};
    mc_result result = mc_max_tree_compute(&tree, column->trace, column->desc.value,
                                           column->desc.window, progress, error);
    for (uint32_t i = 0; i < get_count(column) && result == MC_OK; i++)
        column->own_most[i] = (double)tree.max[i];
    mc_max_tree_deinit(&tree);
    return result;
}

static mc_result reserve(mc_flat_column *column, const mc_trace *trace,
                         const mc_flat_column_desc *desc, mc_error *error) {
    *column = (mc_flat_column){.desc = *desc, .trace = trace};
    uint32_t count = get_count(column);
    bool has_most = desc->mode == MC_COLOR_MODE_FIRST || desc->mode == MC_COLOR_MODE_VALUE ||
                    desc->mode == MC_COLOR_MODE_STEP || desc->mode == MC_COLOR_MODE_PIN ||
                    desc->mode == MC_COLOR_MODE_DIFFERENCE || desc->mode == MC_COLOR_MODE_OWNER;
    column->values = mc_alloc_zero(count, sizeof *column->values);
    column->now = mc_alloc(count, sizeof *column->now);
    column->before = mc_alloc(count, sizeof *column->before);
    column->own_most = has_most ? mc_alloc_zero(count, sizeof *column->own_most) : NULL;
    column->most = has_most ? column->own_most : column->values;
    return column->values && column->now && column->before && column->most
               ? MC_OK
               : mc_error_out_of_memory(error);
}

mc_result mc_flat_column_copy(mc_flat_column *copy, const mc_flat_column *column, mc_error *error) {
    mc_result result = reserve(copy, column->trace, &column->desc, error);
    if (result != MC_OK) {
        mc_flat_column_deinit(copy);
        return result;
    }
    uint32_t count = get_count(column);
    memcpy(copy->values, column->values, count * sizeof *copy->values);
    if (copy->own_most) memcpy(copy->own_most, column->own_most, count * sizeof *copy->own_most);
    memcpy(copy->before, column->before, count * sizeof *copy->before);
    memcpy(copy->owners, column->owners, sizeof copy->owners);
    memcpy(copy->owner_last, column->owner_last, sizeof copy->owner_last);
    copy->owner_count = column->owner_count;
    copy->largest_growth = column->largest_growth;
    return MC_OK;
}

mc_result mc_flat_column_init(mc_flat_column *column, const mc_trace *trace,
                              const mc_flat_column_desc *desc, const mc_progress *progress,
                              mc_error *error) {
    mc_result result = reserve(column, trace, desc, error);
    if (result == MC_OK && desc->mode == MC_COLOR_MODE_TREND)
        result = find_trends(column, progress, error);
    else if (result == MC_OK && desc->mode == MC_COLOR_MODE_FIRST)
        result = find_first_steps(column, error);
    else if (result == MC_OK && desc->mode == MC_COLOR_MODE_OWNER)
        result = find_owners(column, progress, error);
    else if (result == MC_OK && desc->mode == MC_COLOR_MODE_VALUE)
        result = find_largest(column, progress, error);
    if (result != MC_OK) mc_flat_column_deinit(column);
    return result;
}

// A change that has the full colour; where nothing changed, none has any.
static double get_most(const mc_flat_column *column, double change) {
    const mc_metric_info *info = mc_trace_get_metric(column->trace, column->desc.metric);
    return change > 0 ? fmax(change, mc_metric_get_least_change(info)) : 0;
}

// Before the window's first step nothing is known.
static mc_result set_growth(mc_flat_column *column, uint32_t step, mc_error *error) {
    uint32_t before = step > column->desc.window.first_step ? step - 1 : step;
    mc_result result = read(column, before, column->desc.metric, column->before, error);
    if (result == MC_OK) result = read(column, step, column->desc.metric, column->now, error);
    for (uint32_t i = 0; i < get_count(column) && result == MC_OK; i++) {
        column->values[i] =
            column->now[i] > column->before[i] ? (double)(column->now[i] - column->before[i]) : 0;
        column->own_most[i] = get_most(column, column->values[i]);
    }
    return result;
}

static mc_result set_values(mc_flat_column *column, uint32_t step, mc_error *error) {
    mc_result result = read(column, step, column->desc.value, column->now, error);
    for (uint32_t i = 0; i < get_count(column) && result == MC_OK; i++)
        column->values[i] = (double)column->now[i];
    return result;
}

static mc_result set_changes(mc_flat_column *column, uint32_t step, mc_error *error) {
    mc_result result = read(column, column->desc.pin, column->desc.metric, column->before, error);
    if (result == MC_OK) result = read(column, step, column->desc.metric, column->now, error);
    for (uint32_t i = 0; i < get_count(column) && result == MC_OK; i++) {
        column->values[i] = (double)column->now[i] - (double)column->before[i];
        column->own_most[i] = get_most(column, fabs(column->values[i]));
    }
    return result;
}

// A group's own growth is pale, so that it leads nowhere else than to what it comes with. What
// holds the owner has its colour.
static mc_result set_owners(mc_flat_column *column, uint32_t step, mc_error *error) {
    mc_result result = read(column, step, column->desc.metric, column->now, error);
    if (result != MC_OK) return result;
    const mc_node_columns *nodes = mc_trace_get_nodes(column->trace);
    bool has_owners = column->owner_count > 0;
    double pale = has_owners && column->largest_growth > 0
                      ? MC_STYLE_OWNED_TINT * (double)column->owners[0].growth
                      : 0;
    for (uint32_t i = 0; i < nodes->count; i++) {
        double growth = get_growth(column->before[i], column->now[i]);
        column->values[i] =
            has_owners ? pale * fmin(growth / fmax(column->largest_growth, 1), 1) : growth;
    }
    for (uint32_t i = 0; i < column->owner_count; i++) {
        uint32_t node = column->owners[i].node;
        double way = get_growth(column->before[node], column->owner_last[i]);
        double share =
            way > 0 ? fmin(get_growth(column->before[node], column->now[node]) / way, 1) : 1;
        double growth = share * (double)column->owners[i].growth;
        for (; node != MC_NONE; node = nodes->parent[node])
            column->values[node] = fmax(column->values[node], growth);
    }
    return MC_OK;
}

// What one trace alone has is beyond all numbers.
static mc_result set_differences(mc_flat_column *column, uint32_t step, mc_error *error) {
    const mc_trace *trace = column->trace;
    mc_metric metric = column->desc.metric;
    mc_result result = read(column, step, mc_versus_get_metric(trace, metric, MC_VERSUS_BEFORE),
                            column->before, error);
    if (result == MC_OK)
        result = read(column, step, mc_versus_get_metric(trace, metric, MC_VERSUS_AFTER),
                      column->now, error);
    for (uint32_t i = 0; i < get_count(column) && result == MC_OK; i++) {
        double change = (double)column->now[i] - (double)column->before[i];
        column->values[i] = !mc_versus_has_node(trace, MC_BEFORE, i)  ? INFINITY
                            : !mc_versus_has_node(trace, MC_AFTER, i) ? -INFINITY
                                                                      : change;
        column->own_most[i] = get_most(column, fabs(change));
    }
    return result;
}

mc_result mc_flat_column_set_step(mc_flat_column *column, uint32_t step, mc_error *error) {
    if (column->desc.mode == MC_COLOR_MODE_STEP) return set_growth(column, step, error);
    if (column->desc.mode == MC_COLOR_MODE_VALUE) return set_values(column, step, error);
    if (column->desc.mode == MC_COLOR_MODE_OWNER) return set_owners(column, step, error);
    if (column->desc.mode == MC_COLOR_MODE_PIN) return set_changes(column, step, error);
    if (column->desc.mode == MC_COLOR_MODE_DIFFERENCE) return set_differences(column, step, error);
    return MC_OK;
}
