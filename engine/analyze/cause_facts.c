#include "engine/analyze/cause_facts.h"

#include "engine/analyze/cause_roots.h"
#include "engine/base/memory.h"
#include <string.h>

#define BEGUN_STEPS 2u // until when what began with a cause has to be there

// The values of some nodes over the steps of the window.
typedef struct table {
    const mc_trace *trace;
    mc_step_range window;
    uint32_t step_count, node_count;
    uint32_t *nodes;   // causes and what they explain, each with its cause
    uint64_t *values;  // [node][step]
    int64_t *times_ms; // per step
    int64_t *series;   // scratch: a series
    uint64_t *sums;    // likewise
} table;

static void table_deinit(table *t) {
    mc_free(t->nodes);
    mc_free(t->values);
    mc_free(t->times_ms);
    mc_free(t->series);
    mc_free(t->sums);
}

static void list_nodes(table *t, const mc_causes *causes) {
    for (uint32_t i = 0; i < causes->count; i++) {
        const mc_cause *cause = &causes->items[i];
        t->nodes[t->node_count++] = cause->node;
        for (uint32_t k = 0; k < cause->explained_count; k++)
            t->nodes[t->node_count++] = cause->explained[k].node;
    }
}

static mc_result read_table(table *t, mc_metric metric, mc_error *error) {
    const mc_metric_info *info = mc_trace_get_metric(t->trace, metric);
    uint64_t *row = mc_alloc((size_t)t->node_count + 1, sizeof *row);
    mc_result result = row ? MC_OK : mc_error_out_of_memory(error);
    for (uint32_t i = 0; i < t->step_count && result == MC_OK; i++) {
        result = mc_trace_read_values(t->trace, t->window.first_step + i, metric, t->nodes,
                                      t->node_count, row, error);
        mc_metric_get_counts(info, row, result == MC_OK ? t->node_count : 0);
        for (uint32_t k = 0; result == MC_OK && k < t->node_count; k++)
            t->values[(size_t)k * t->step_count + i] = row[k];
    }
    mc_free(row);
    return result;
}

static mc_result table_init(table *t, const mc_causes *causes, mc_error *error) {
    uint32_t count = 0;
    t->window = causes->desc.window;
    t->step_count = t->window.last_step - t->window.first_step + 1;
    for (uint32_t i = 0; i < causes->count; i++)
        count += 1 + causes->items[i].explained_count;
    t->nodes = mc_alloc((size_t)count + 1, sizeof *t->nodes);
    t->values = mc_alloc(((size_t)count + 1) * t->step_count, sizeof *t->values);
    t->times_ms = mc_alloc(t->step_count, sizeof *t->times_ms);
    t->series = mc_alloc(t->step_count, sizeof *t->series);
    t->sums = mc_alloc(t->step_count, sizeof *t->sums);
    if (!t->nodes || !t->values || !t->times_ms || !t->series || !t->sums)
        return mc_error_out_of_memory(error);
    for (uint32_t i = 0; i < t->step_count; i++)
        t->times_ms[i] = mc_trace_get_step(t->trace, t->window.first_step + i)->time_ms;
    list_nodes(t, causes);
    return read_table(t, causes->unit, error);
}

// ---- growth

// Into t->sums: what the cause and its share of what it explains come to at each step.
static void sum_up(table *t, const mc_cause *cause, uint32_t row) {
    for (uint32_t i = 0; i < t->step_count; i++) {
        double sum = (double)t->values[(size_t)row * t->step_count + i];
        for (uint32_t k = 0; k < cause->explained_count; k++)
            sum += cause->explained[k].share *
                   (double)t->values[((size_t)row + 1 + k) * t->step_count + i];
        t->sums[i] = sum < (double)INT64_MAX ? (uint64_t)sum : MC_COUNT_MAX;
    }
}

// What a cause retains, where that is known at all steps and has grown by more than is known
// otherwise, tells better what it costs. Into t->sums.
static mc_result sum_retained(table *t, mc_cause *cause, uint32_t row, mc_metric retained,
                              mc_error *error) {
    mc_result result = MC_OK;
    bool is_known = true;
    uint64_t *values = mc_alloc(t->step_count, sizeof *values);
    if (!values) return mc_error_out_of_memory(error);
    for (uint32_t i = 0; i < t->step_count && result == MC_OK; i++) {
        result = mc_trace_read_value(t->trace, t->window.first_step + i, retained, cause->node,
                                     &values[i], error);
        if (result != MC_OK) break;
        bool was_known = cause->retained_bytes != MC_COUNT_UNKNOWN;
        cause->retained_bytes = values[i];
        if (values[i] != MC_COUNT_UNKNOWN) continue;
        is_known = is_known && !was_known;
        values[i] = 0; // before its first object it retains nothing
    }
    uint64_t last = t->step_count - 1;
    // Less than it takes itself: the dump's graph does not reach it, as it may be with loaders.
    if (result == MC_OK && cause->retained_bytes < t->values[(size_t)row * t->step_count + last])
        cause->retained_bytes = MC_COUNT_UNKNOWN;
    int64_t more = (int64_t)(values[last] - values[0]);
    if (result == MC_OK && is_known && cause->retained_bytes != MC_COUNT_UNKNOWN &&
        more > (int64_t)(t->sums[last] - t->sums[0]))
        memcpy(t->sums, values, t->step_count * sizeof *values);
    mc_free(values);
    return result;
}

static mc_result find_since(table *t, mc_cause *cause, uint32_t row, mc_error *error) {
    const uint64_t *values = t->values + (size_t)row * t->step_count;
    for (uint32_t i = 0; i < t->step_count; i++)
        t->series[i] = (int64_t)values[i];
    mc_result result = mc_change_point_find(t->series, t->step_count, &cause->change, error);
    uint32_t first = t->window.first_step;
    cause->since_step = first + cause->change.since;
    cause->since_early = first + cause->change.early;
    cause->since_late = first + cause->change.late;
    return result;
}

static mc_result measure_cause(table *t, mc_cause *cause, uint32_t row, mc_metric unit,
                               mc_error *error) {
    mc_metric retained = mc_trace_find_metric(t->trace, mc_metric_retained);
    uint32_t last = t->step_count - 1;
    cause->retained_bytes = MC_COUNT_UNKNOWN;
    mc_result result = find_since(t, cause, row, error);
    sum_up(t, cause, row);
    if (result == MC_OK && retained != MC_NONE && unit == MC_METRIC_BYTES)
        result = sum_retained(t, cause, row, retained, error);
    if (result != MC_OK) return result;
    const uint64_t *own = t->values + (size_t)row * t->step_count;
    uint32_t since = cause->change.since;
    cause->own_growth = (int64_t)(own[last] - own[0]);
    cause->growth = (int64_t)(t->sums[last] - t->sums[0]);
    mc_slope slope =
        mc_trend_estimate_slope(t->times_ms + since, t->sums + since, t->step_count - since);
    cause->growth_per_s = slope.per_s;
    cause->growth_per_s_low = slope.low;
    cause->growth_per_s_high = slope.high;
    uint64_t ends[2] = {0};
    for (int i = 0; i < 2 && result == MC_OK; i++)
        result = mc_trace_read_value(t->trace, i == 0 ? t->window.first_step : t->window.last_step,
                                     MC_METRIC_OBJECTS, cause->node, &ends[i], error);
    cause->growth_objects = (int64_t)(ends[1] - ends[0]);
    return result;
}

// What is known of its owner is measured; of its group alone at most as much.
static void measure_owned(const table *t, mc_cause *cause, uint32_t row) {
    const uint64_t *own = t->values + (size_t)row * t->step_count;
    cause->own_growth = (int64_t)(own[t->step_count - 1] - own[0]);
    if (cause->own_growth > cause->growth) cause->own_growth = cause->growth;
}

// Since the earliest cause began.
static mc_result measure_heap(table *t, mc_causes *causes, mc_error *error) {
    const mc_metric_info *info = mc_trace_get_metric(t->trace, causes->unit);
    uint32_t since = t->step_count - 1;
    if (!info->is_additive) return MC_OK;
    for (uint32_t i = 0; i < t->step_count; i++) {
        uint64_t total = 0;
        mc_result result =
            mc_trace_read_total(t->trace, t->window.first_step + i, causes->unit, &total, error);
        if (result != MC_OK) return result;
        t->sums[i] = mc_metric_get_count(info, total);
    }
    causes->heap = t->sums[t->step_count - 1];
    for (uint32_t i = 0; i < causes->count; i++)
        if (causes->items[i].change.since < since) since = causes->items[i].change.since;
    mc_slope slope =
        mc_trend_estimate_slope(t->times_ms + since, t->sums + since, t->step_count - since);
    causes->heap_per_s = slope.per_s;
    causes->heap_per_s_low = slope.low;
    causes->heap_per_s_high = slope.high;
    return MC_OK;
}

// The suspect's, if it is one.
static void find_trend(const table *t, const mc_causes *causes, uint32_t row, mc_cause *cause) {
    cause->trend =
        mc_trend_compute(t->times_ms, t->values + (size_t)row * t->step_count, t->step_count);
    for (uint32_t i = 0; i < causes->suspects.count; i++)
        if (causes->suspects.items[i].node == cause->node)
            cause->trend = causes->suspects.items[i].trend;
}

mc_result mc_cause_facts_measure(const mc_trace *trace, mc_causes *causes, mc_error *error) {
    table t = {.trace = trace};
    mc_result result = table_init(&t, causes, error);
    for (uint32_t i = 0, row = 0; i < causes->count && result == MC_OK; i++) {
        mc_cause *cause = &causes->items[i];
        if (cause->owner.hops && !cause->owner.is_located) {
            measure_owned(&t, cause, row);
        } else {
            find_trend(&t, causes, row, cause);
            result = measure_cause(&t, cause, row, causes->unit, error);
        }
        row += 1 + cause->explained_count;
    }
    if (result == MC_OK) result = measure_heap(&t, causes, error);
    table_deinit(&t);
    return result;
}

// ---- what began then

typedef struct begun {
    uint64_t value;
    uint32_t node;
} begun;

// Keeps the largest ones, sorted.
static void keep(begun *kept, uint32_t *count, begun one) {
    uint32_t at = *count < MC_CAUSE_MOST_BEGUN ? (*count)++ : MC_CAUSE_MOST_BEGUN;
    for (; at > 0 && (kept[at - 1].value < one.value ||
                      (kept[at - 1].value == one.value && kept[at - 1].node > one.node));
         at--)
        if (at < MC_CAUSE_MOST_BEGUN) kept[at] = kept[at - 1];
    if (at < MC_CAUSE_MOST_BEGUN) kept[at] = one;
}

typedef struct columns {
    uint64_t *first, *since, *soon, *last; // objects, per node
} columns;

static mc_result read_columns(const mc_trace *trace, mc_step_range window, uint32_t since,
                              uint32_t soon, columns *c, mc_error *error) {
    const struct {
        uint32_t step;
        uint64_t *values;
    } reads[] = {{window.first_step, c->first},
                 {since, c->since},
                 {soon, c->soon},
                 {window.last_step, c->last}};
    for (int i = 0; i < 4; i++) {
        mc_result result =
            mc_trace_read_counts(trace, reads[i].step, MC_METRIC_OBJECTS, reads[i].values, error);
        if (result != MC_OK) return result;
    }
    return MC_OK;
}

static void find_leaves(const mc_trace *trace, const columns *c, mc_cause *cause) {
    const mc_node_columns *nodes = mc_trace_get_nodes(trace);
    begun kept[MC_CAUSE_MOST_BEGUN] = {0};
    for (uint32_t node = 0; node < nodes->count; node++) {
        if (nodes->child_count[node] > 0 || c->first[node] > 0 || c->since[node] > 0 ||
            c->soon[node] == 0 || c->last[node] == 0 || node == cause->node)
            continue;
        cause->all_begun_count++;
        keep(kept, &cause->begun_count, (begun){c->last[node], node});
    }
    for (uint32_t i = 0; i < cause->begun_count; i++)
        cause->begun[i] = kept[i].node;
}

static bool has_partner(const mc_links *links, uint32_t partner) {
    for (uint32_t i = 0; i < links->count; i++)
        if (links->links[i].direction == MC_LINK_INCOMING && links->links[i].partner == partner)
            return true;
    return false;
}

// Who references the group soon after, and did not when it began.
static mc_result find_referrers(mc_link_finder *finder, uint32_t soon, mc_cause *cause,
                                mc_error *error) {
    mc_links before = {0}, after = {0};
    mc_result result = mc_link_finder_find(finder, cause->since_step, cause->node, &before, error);
    if (result == MC_OK) result = mc_link_finder_find(finder, soon, cause->node, &after, error);
    bool is_known = before.has_map[0] || before.has_map[1];
    for (uint32_t i = 0; result == MC_OK && is_known && i < after.count; i++) {
        const mc_link *link = &after.links[i];
        if (cause->referrer_count == MC_CAUSE_MOST_BEGUN) break;
        if (link->direction == MC_LINK_INCOMING && link->partner != cause->node &&
            !has_partner(&before, link->partner))
            cause->referrers[cause->referrer_count++] = link->partner;
    }
    mc_links_deinit(&before);
    mc_links_deinit(&after);
    return result;
}

mc_result mc_cause_facts_find_begun(const mc_trace *trace, mc_causes *causes, mc_error *error) {
    uint32_t count = mc_trace_get_nodes(trace)->count;
    mc_step_range window = causes->desc.window;
    mc_link_finder *finder = NULL;
    bool is_owned = causes->count > 0 && causes->items[0].owner.hops;
    columns c = {.first = mc_alloc(count, sizeof *c.first),
                 .since = mc_alloc(count, sizeof *c.since),
                 .soon = mc_alloc(count, sizeof *c.soon),
                 .last = mc_alloc(count, sizeof *c.last)};
    mc_result result =
        c.first && c.since && c.soon && c.last ? MC_OK : mc_error_out_of_memory(error);
    if (result == MC_OK && !is_owned && mc_trace_has_references(trace))
        result = mc_link_finder_create(trace, &finder, error);
    for (uint32_t i = 0; i < causes->count && result == MC_OK; i++) {
        mc_cause *cause = &causes->items[i];
        uint32_t soon = cause->since_step + BEGUN_STEPS;
        if (soon > window.last_step) soon = window.last_step;
        if (!cause->change.is_found) continue; // when it began is not in the window
        result = read_columns(trace, window, cause->since_step, soon, &c, error);
        if (result == MC_OK) find_leaves(trace, &c, cause);
        if (result == MC_OK && finder) result = find_referrers(finder, soon, cause, error);
        if (result == MC_OK && mc_trace_has_roots(trace))
            result =
                mc_cause_roots_find(trace, window.first_step, soon, window.last_step, cause, error);
    }
    mc_link_finder_destroy(finder);
    mc_free(c.first);
    mc_free(c.since);
    mc_free(c.soon);
    mc_free(c.last);
    return result;
}
