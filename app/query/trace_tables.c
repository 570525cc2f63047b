#include "app/query/table.h"
#include "engine/analyze/node_facts.h"
#include "engine/analyze/trend.h"
#include "engine/base/memory.h"
#include <string.h>

#define COUNT_OF(columns) (sizeof(columns) / sizeof *(columns))

static mc_result fail_memory(mc_error *error) {
    return mc_error_out_of_memory(error);
}

// ---- nodes

enum { NODE_OBJECTS = 9, NODE_BYTES = 10 };

static const mc_query_column node_columns[] = {
    {"node", MC_QUERY_NODE, 0, "number of the group, from 0: the whole heap"},
    {"parent", MC_QUERY_NODE, 0, "group around it"},
    {"key", MC_QUERY_KEY, 0, "full key, as all commands take it: Heap#java.util#HashMap"},
    {"name", MC_QUERY_NAME, 0, "its own name: HashMap"},
    {"path", MC_QUERY_PATH, 0, "names with classifiers: Heap → Package: java.util"},
    {"classifier", MC_QUERY_CLASSIFIER, 0, "Package, Type, …"},
    {"level", MC_QUERY_INTEGER, 0, "groups around it"},
    {"children", MC_QUERY_INTEGER, 0, "groups directly in it"},
    {"is_leaf", MC_QUERY_INTEGER, 0, "1: a building; leaves add up to the heap"},
    {"objects", MC_QUERY_INTEGER, 0, "at the last step"},
    {"bytes", MC_QUERY_INTEGER, 0, "likewise"},
};

// Two columns of counts; NULL: out of memory.
static uint64_t *read_counts(const mc_trace *trace, uint32_t step, mc_error *error) {
    uint32_t count = mc_trace_get_nodes(trace)->count;
    uint64_t *values = mc_alloc((size_t)count * 2, sizeof *values);
    if (!values) {
        (void)mc_error_out_of_memory(error);
        return NULL;
    }
    mc_result result = mc_trace_read_column(trace, step, MC_METRIC_OBJECTS, values, error);
    if (result == MC_OK)
        result = mc_trace_read_column(trace, step, MC_METRIC_BYTES, values + count, error);
    if (result == MC_OK) return values;
    mc_free(values);
    return NULL;
}

static bool add_node(const mc_query_source *source, mc_query_rows *rows, uint32_t node,
                     uint64_t objects, uint64_t bytes) {
    const mc_node_columns *nodes = mc_trace_get_nodes(source->trace);
    const uint64_t words[COUNT_OF(node_columns)] = {node,
                                                    mc_query_pack_index(nodes->parent[node]),
                                                    0,
                                                    0,
                                                    0,
                                                    0,
                                                    nodes->level[node],
                                                    nodes->child_count[node],
                                                    nodes->child_count[node] == 0,
                                                    objects,
                                                    bytes};
    return mc_query_rows_add(rows, words);
}

static mc_result read_moment(const mc_query_source *source, uint32_t step, uint32_t node,
                             uint64_t *objects, uint64_t *bytes, mc_error *error) {
    mc_result result =
        mc_trace_read_value(source->trace, step, MC_METRIC_OBJECTS, node, objects, error);
    if (result != MC_OK) return result;
    return mc_trace_read_value(source->trace, step, MC_METRIC_BYTES, node, bytes, error);
}

static mc_result fill_nodes(mc_query_source *source, const mc_query_part *part, mc_query_rows *rows,
                            mc_error *error) {
    uint32_t count = mc_trace_get_nodes(source->trace)->count;
    uint32_t last = mc_trace_get_step_count(source->trace) - 1;
    bool has_counts = mc_query_wants(rows, NODE_OBJECTS) || mc_query_wants(rows, NODE_BYTES);
    bool is_whole = true;
    if (part->node != MC_NONE) {
        uint64_t objects = 0, bytes = 0;
        mc_result result =
            has_counts ? read_moment(source, last, part->node, &objects, &bytes, error) : MC_OK;
        if (result != MC_OK) return result;
        return add_node(source, rows, part->node, objects, bytes) ? MC_OK : fail_memory(error);
    }
    uint64_t *values = has_counts ? read_counts(source->trace, last, error) : NULL;
    if (has_counts && !values) return error->code;
    for (uint32_t i = 0; i < count && is_whole; i++)
        is_whole =
            add_node(source, rows, i, values ? values[i] : 0, values ? values[count + i] : 0);
    mc_free(values);
    return is_whole ? MC_OK : fail_memory(error);
}

const mc_query_table mc_query_table_nodes = {
    .name = "nodes",
    .help = "groups: the leaves and all around them",
    .columns = node_columns,
    .column_count = COUNT_OF(node_columns),
    .takes_node = true,
    .fill = fill_nodes,
};

// ---- steps

static const mc_query_column step_columns[] = {
    {"step", MC_QUERY_INTEGER, 0, "from 0"},
    {"time_ms", MC_QUERY_INTEGER, 0, "when, in ms"},
    {"objects", MC_QUERY_INTEGER, 0, "of the heap"},
    {"bytes", MC_QUERY_INTEGER, 0, "likewise"},
    {"nodes", MC_QUERY_INTEGER, 0, "groups that it has, with those around leaves"},
    {"leaves", MC_QUERY_INTEGER, 0, "leaves that it has"},
    {"pairs", MC_QUERY_INTEGER, 0, "pairs of leaves with references"},
    {"heap_limit", MC_QUERY_INTEGER, 0, "what the heap may become, in bytes"},
    {"liveness", MC_QUERY_TEXT, 0, "live, garbage (uncollected garbage counts, too) or NULL"},
    {"note", MC_QUERY_TEXT, 0, "what somebody noted of it"},
    {"missing", MC_QUERY_TEXT, 0, "what an incomplete step lacks"},
};

static mc_result add_step(const mc_trace *trace, uint32_t step, mc_query_rows *rows,
                          mc_error *error) {
    const mc_step_info *info = mc_trace_get_step(trace, step);
    const char *liveness = info->liveness == MC_LIVENESS_LIVE      ? "live"
                           : info->liveness == MC_LIVENESS_GARBAGE ? "garbage"
                                                                   : NULL;
    const char *note = mc_trace_get_note(trace, step), *missing = NULL;
    size_t missing_size = 0;
    bool failed = false;
    mc_step_size size;
    mc_result result = mc_trace_read_size(trace, step, &size, error);
    if (result != MC_OK) return result;
    if (info->is_incomplete) missing = mc_trace_get_string(trace, info->missing, &missing_size);
    uint64_t limit = info->heap_limit > 0 ? info->heap_limit : MC_QUERY_NULL;
    const uint64_t words[COUNT_OF(step_columns)] = {
        step,
        (uint64_t)info->time_ms,
        info->objects,
        info->bytes,
        size.node_count,
        size.leaf_count,
        size.pair_count,
        limit,
        mc_query_rows_intern(rows, liveness, liveness ? strlen(liveness) : 0, &failed),
        mc_query_rows_intern(rows, note, note ? strlen(note) : 0, &failed),
        mc_query_rows_intern(rows, missing, missing_size, &failed)};
    return !failed && mc_query_rows_add(rows, words) ? MC_OK : fail_memory(error);
}

static mc_result fill_steps(mc_query_source *source, const mc_query_part *part, mc_query_rows *rows,
                            mc_error *error) {
    mc_result result = MC_OK;
    (void)part;
    for (uint32_t i = 0; i < mc_trace_get_step_count(source->trace) && result == MC_OK; i++)
        result = add_step(source->trace, i, rows, error);
    return result;
}

const mc_query_table mc_query_table_steps = {
    .name = "steps",
    .help = "the heap as a whole, step by step",
    .columns = step_columns,
    .column_count = COUNT_OF(step_columns),
    .fill = fill_steps,
};

// ---- metrics

static const mc_query_column metric_columns[] = {
    {"metric", MC_QUERY_TEXT, 0, "its key, as --metric takes it"},
    {"title", MC_QUERY_TEXT, 0, "for people"},
    {"unit", MC_QUERY_TEXT, 0, "count, bytes, time (ms), ratio or none"},
    {"kind", MC_QUERY_TEXT, 0, "stock: a level; flow: what happened since the step before"},
    {"is_additive", MC_QUERY_INTEGER, 0, "1: a group's value is the sum of its children's"},
    {"is_real", MC_QUERY_INTEGER, 0, "1: its values are not whole numbers"},
};

static mc_result fill_metrics(mc_query_source *source, const mc_query_part *part,
                              mc_query_rows *rows, mc_error *error) {
    bool failed = false;
    (void)part;
    for (mc_metric i = 0; i < mc_trace_get_metric_count(source->trace) && !failed; i++) {
        const mc_metric_info *info = mc_trace_get_metric(source->trace, i);
        const char *unit = mc_unit_names[info->unit], *kind = mc_metric_kind_names[info->kind];
        const uint64_t words[COUNT_OF(metric_columns)] = {
            mc_query_rows_intern(rows, info->key, info->key_size, &failed),
            mc_query_rows_intern(rows, info->title, info->title_size, &failed),
            mc_query_rows_intern(rows, unit, strlen(unit), &failed),
            mc_query_rows_intern(rows, kind, strlen(kind), &failed),
            info->is_additive,
            info->is_real};
        failed = failed || !mc_query_rows_add(rows, words);
    }
    return failed ? fail_memory(error) : MC_OK;
}

const mc_query_table mc_query_table_metrics = {
    .name = "metrics",
    .help = "what is measured of each group",
    .columns = metric_columns,
    .column_count = COUNT_OF(metric_columns),
    .fill = fill_metrics,
};

// ---- history

static const mc_query_column history_columns[] = {
    {"step", MC_QUERY_INTEGER, 0, "from 0"},
    {"time_ms", MC_QUERY_INTEGER, 0, "of the step"},
    {"node", MC_QUERY_NODE, 0, "group"},
    {"key", MC_QUERY_KEY, 2, "its full key"},
    {"is_leaf", MC_QUERY_INTEGER, 0, "1: a building; leaves add up to the heap"},
    {"objects", MC_QUERY_INTEGER, 0, "at the step; 0 where the group has none"},
    {"bytes", MC_QUERY_INTEGER, 0, "likewise"},
};

static bool add_moment(const mc_query_source *source, mc_query_rows *rows, uint32_t step,
                       uint32_t node, uint64_t objects, uint64_t bytes) {
    const uint64_t words[COUNT_OF(history_columns)] = {
        step, (uint64_t)mc_trace_get_step(source->trace, step)->time_ms, node,
        0,    mc_trace_get_nodes(source->trace)->child_count[node] == 0, objects,
        bytes};
    return mc_query_rows_add(rows, words);
}

static mc_result fill_moment(const mc_query_source *source, const mc_query_part *part,
                             mc_query_rows *rows, mc_error *error) {
    uint64_t objects, bytes;
    mc_result result = read_moment(source, part->step, part->node, &objects, &bytes, error);
    if (result != MC_OK) return result;
    return add_moment(source, rows, part->step, part->node, objects, bytes) ? MC_OK
                                                                            : fail_memory(error);
}

static mc_result fill_history(mc_query_source *source, const mc_query_part *part,
                              mc_query_rows *rows, mc_error *error) {
    if (part->node != MC_NONE) return fill_moment(source, part, rows, error);
    uint32_t count = mc_trace_get_nodes(source->trace)->count;
    uint64_t *values = read_counts(source->trace, part->step, error);
    bool is_whole = values != NULL;
    for (uint32_t i = 0; i < count && is_whole; i++)
        is_whole = add_moment(source, rows, part->step, i, values[i], values[count + i]);
    if (values && !is_whole) (void)mc_error_out_of_memory(error);
    mc_free(values);
    return is_whole ? MC_OK : error->code;
}

const mc_query_table mc_query_table_history = {
    .name = "history",
    .help = "objects and bytes of each group at each step",
    .columns = history_columns,
    .column_count = COUNT_OF(history_columns),
    .parts = MC_QUERY_BY_STEP,
    .takes_node = true,
    .is_large = true,
    .fill = fill_history,
};

// ---- measures

static const mc_query_column measure_columns[] = {
    {"metric", MC_QUERY_TEXT, 0, "its key; also objects and bytes"},
    {"step", MC_QUERY_INTEGER, 0, "from 0"},
    {"time_ms", MC_QUERY_INTEGER, 0, "of the step"},
    {"node", MC_QUERY_NODE, 0, "group"},
    {"key", MC_QUERY_KEY, 3, "its full key"},
    {"is_leaf", MC_QUERY_INTEGER, 0, "1: a building"},
    {"value", MC_QUERY_VALUE, 0, "in the metric's unit; a group of which it is unknown has no row"},
};

static mc_result fill_measures(mc_query_source *source, const mc_query_part *part,
                               mc_query_rows *rows, mc_error *error) {
    const mc_trace *trace = source->trace;
    const mc_node_columns *nodes = mc_trace_get_nodes(trace);
    bool is_one = part->node != MC_NONE, failed = false;
    uint64_t *values = mc_alloc(nodes->count, sizeof *values);
    if (!values) return fail_memory(error);
    rows->info = mc_trace_get_metric(trace, part->metric);
    uint64_t metric = mc_query_rows_intern(rows, rows->info->key, rows->info->key_size, &failed);
    mc_result result =
        is_one ? mc_trace_read_value(trace, part->step, part->metric, part->node, values, error)
               : mc_trace_read_column(trace, part->step, part->metric, values, error);
    int64_t time_ms = mc_trace_get_step(trace, part->step)->time_ms;
    for (uint32_t i = 0; i < (is_one ? 1 : nodes->count) && result == MC_OK && !failed; i++) {
        uint32_t node = is_one ? part->node : i;
        const uint64_t words[COUNT_OF(measure_columns)] = {
            metric,   part->step, (uint64_t)time_ms, node, 0, nodes->child_count[node] == 0,
            values[i]};
        if (values[i] != MC_COUNT_UNKNOWN) failed = !mc_query_rows_add(rows, words);
    }
    mc_free(values);
    return result == MC_OK && failed ? fail_memory(error) : result;
}

const mc_query_table mc_query_table_measures = {
    .name = "measures",
    .help = "any metric of each group at each step",
    .columns = measure_columns,
    .column_count = COUNT_OF(measure_columns),
    .parts = MC_QUERY_BY_METRIC_AND_STEP,
    .takes_node = true,
    .is_large = true,
    .fill = fill_measures,
};

// ---- growth

enum { GROWTH_TREND = 11, GROWTH_UNTIL = 15 };

static const mc_query_column growth_columns[] = {
    {"metric", MC_QUERY_TEXT, 0, "its key; also objects and bytes"},
    {"node", MC_QUERY_NODE, 0, "leaf"},
    {"key", MC_QUERY_KEY, 1, "its full key"},
    {"name", MC_QUERY_NAME, 1, "its own name"},
    {"path", MC_QUERY_PATH, 1, "names with classifiers"},
    {"classifier", MC_QUERY_CLASSIFIER, 1, "Type, Site, …"},
    {"first", MC_QUERY_VALUE, 0, "value at the first step"},
    {"last", MC_QUERY_VALUE, 0, "value at the last step"},
    {"max", MC_QUERY_VALUE, 0, "largest value"},
    {"growth", MC_QUERY_DELTA, 0, "last − first"},
    {"sum", MC_QUERY_VALUE, 0, "of a flow: over all steps"},
    {"trend", MC_QUERY_TEXT, 0, "grows, stopped, shrinks, or NULL: none of these"},
    {"slope_per_s", MC_QUERY_REAL, 0, "Theil-Sen, in the metric's unit"},
    {"p", MC_QUERY_REAL, 0, "how likely chance looks like that (Mann-Kendall)"},
    {"since_step", MC_QUERY_INTEGER, 0, "of growth"},
    {"until_step", MC_QUERY_INTEGER, 0, "likewise"},
};

// What is known of all leaves.
typedef struct leaf_facts {
    const mc_metric_info *info;
    mc_step_range window;
    uint32_t *leaves;
    uint32_t count;
    mc_node_facts *facts;
    mc_trend *trends; // NULL: nobody asks
} leaf_facts;

static void deinit_facts(leaf_facts *self) {
    mc_free(self->leaves);
    mc_free(self->facts);
    mc_free(self->trends);
}

// As `memcity top` does.
static mc_result find_facts(leaf_facts *self, const mc_query_source *source, mc_metric metric,
                            mc_error *error) {
    const mc_metric_info *info = self->info;
    mc_max_tree tree = {0};
    if (info->is_real || !info->is_additive || info->kind == MC_METRIC_FLOW)
        return mc_node_facts_read(source->trace, metric, self->window, self->leaves, self->count,
                                  self->facts, error);
    mc_result result =
        mc_max_tree_compute(&tree, source->trace, metric, self->window, source->progress, error);
    for (uint32_t i = 0; i < self->count && result == MC_OK; i++)
        self->facts[i] = (mc_node_facts){.first = tree.first[self->leaves[i]],
                                         .last = tree.last[self->leaves[i]],
                                         .max = tree.max[self->leaves[i]]};
    mc_max_tree_deinit(&tree);
    return result;
}

static uint64_t get_delta(const mc_metric_info *info, uint64_t first, uint64_t last) {
    if (first == MC_COUNT_UNKNOWN || last == MC_COUNT_UNKNOWN) return MC_QUERY_NULL;
    if (!info->is_real) return last - first;
    return mc_query_pack_real(mc_metric_get_number(info, last) - mc_metric_get_number(info, first));
}

static bool add_growth(const leaf_facts *self, uint32_t i, mc_query_rows *rows) {
    const mc_node_facts *facts = &self->facts[i];
    const mc_metric_info *info = self->info;
    mc_trend trend = self->trends ? self->trends[i] : (mc_trend){0};
    const char *state = mc_trend_get_state(&trend);
    bool failed = false, has_steps = trend.growth.kind != MC_GROWTH_NONE;
    uint32_t begin = self->window.first_step;
    const uint64_t words[COUNT_OF(growth_columns)] = {
        mc_query_rows_intern(rows, info->key, info->key_size, &failed),
        self->leaves[i],
        0,
        0,
        0,
        0,
        mc_query_pack_count(facts->first),
        mc_query_pack_count(facts->last),
        mc_query_pack_count(facts->max),
        get_delta(info, facts->first, facts->last),
        info->kind == MC_METRIC_FLOW ? mc_query_pack_count(facts->sum) : MC_QUERY_NULL,
        mc_query_rows_intern(rows, state, state ? strlen(state) : 0, &failed),
        mc_query_pack_real(mc_metric_scale_back(info, trend.slope_per_s)),
        mc_query_pack_real(trend.p_value),
        has_steps ? begin + trend.growth.since : MC_QUERY_NULL,
        has_steps ? begin + trend.growth.until : MC_QUERY_NULL};
    return !failed && mc_query_rows_add(rows, words);
}

static bool wants_trends(const mc_query_rows *rows) {
    for (uint32_t i = GROWTH_TREND; i <= GROWTH_UNTIL; i++)
        if (mc_query_wants(rows, i)) return true;
    return false;
}

static mc_result fill_growth(mc_query_source *source, const mc_query_part *part,
                             mc_query_rows *rows, mc_error *error) {
    const mc_node_columns *nodes = mc_trace_get_nodes(source->trace);
    bool has_trends = wants_trends(rows), is_whole = true;
    leaf_facts self = {.info = mc_trace_get_metric(source->trace, part->metric),
                       .window = mc_step_range_whole(source->trace),
                       .leaves = mc_alloc(nodes->leaf_count, sizeof(uint32_t)),
                       .facts = mc_alloc(nodes->leaf_count, sizeof(mc_node_facts)),
                       .trends = has_trends ? mc_alloc(nodes->leaf_count, sizeof(mc_trend)) : NULL};
    bool has_memory = self.leaves && self.facts && (self.trends || !has_trends);
    for (uint32_t i = 0; i < nodes->count && has_memory; i++)
        if (nodes->child_count[i] == 0) self.leaves[self.count++] = i;
    rows->info = self.info;
    mc_result result =
        has_memory ? find_facts(&self, source, part->metric, error) : fail_memory(error);
    if (result == MC_OK && has_trends)
        result = mc_trend_compute_nodes(source->trace, part->metric, self.window, self.leaves,
                                        self.count, self.trends, source->progress, error);
    for (uint32_t i = 0; i < self.count && result == MC_OK && is_whole; i++)
        is_whole = add_growth(&self, i, rows);
    deinit_facts(&self);
    return is_whole ? result : fail_memory(error);
}

const mc_query_table mc_query_table_growth = {
    .name = "growth",
    .help = "each leaf over all steps: by how much it grew, and whether it keeps growing",
    .columns = growth_columns,
    .column_count = COUNT_OF(growth_columns),
    .parts = MC_QUERY_BY_METRIC,
    .fill = fill_growth,
};
