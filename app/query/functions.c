#include "app/query/functions.h"

#include "app/find_key.h"
#include "app/root_path_text.h"
#include "engine/analyze/owner_trail.h"
#include "engine/analyze/regex.h"
#include "engine/analyze/trend.h"
#include <string.h>
#include <strings.h>

static void fail(sqlite3_context *context, const mc_error *error) {
    if (error->code == MC_ERROR_OUT_OF_MEMORY)
        sqlite3_result_error_nomem(context);
    else
        sqlite3_result_error(context, error->message, -1);
}

static const mc_trace *get_trace(sqlite3_context *context) {
    const mc_query_source *source = sqlite3_user_data(context);
    return source->trace;
}

// MC_NONE: there is none.
static uint32_t find_node(sqlite3_context *context, sqlite3_value *value) {
    const mc_trace *trace = get_trace(context);
    mc_error error = {0};
    mc_text hint = {0};
    uint32_t node = MC_NONE;
    if (sqlite3_value_type(value) == SQLITE_INTEGER) {
        int64_t number = sqlite3_value_int64(value);
        bool is_node = number >= 0 && number < mc_trace_get_nodes(trace)->count;
        return is_node ? (uint32_t)number : MC_NONE;
    }
    const char *key = (const char *)sqlite3_value_text(value);
    if (!key) return MC_NONE;
    if (mc_find_key(trace, key, &node, &hint, &error) != MC_OK) fail(context, &error);
    mc_text_deinit(&hint);
    return node;
}

// The last one if none is given. False: there is no such step.
static bool find_step(sqlite3_context *context, int argc, sqlite3_value **argv, uint32_t *step) {
    uint32_t count = mc_trace_get_step_count(get_trace(context));
    int64_t number = argc > 1 ? sqlite3_value_int64(argv[1]) : (int64_t)count - 1;
    *step = (uint32_t)number;
    return number >= 0 && number < count;
}

static void tell_node(sqlite3_context *context, int argc, sqlite3_value **argv) {
    (void)argc;
    uint32_t node = find_node(context, argv[0]);
    if (node != MC_NONE) sqlite3_result_int64(context, node);
}

// Takes the text.
static void put_text(sqlite3_context *context, mc_text *text) {
    if (text->failed)
        sqlite3_result_error_nomem(context);
    else if (text->size > 0)
        sqlite3_result_text64(context, text->data, text->size, SQLITE_TRANSIENT, SQLITE_UTF8);
    mc_text_deinit(text);
}

static void tell_key(sqlite3_context *context, int argc, sqlite3_value **argv) {
    mc_text text = {0};
    (void)argc;
    uint32_t node = find_node(context, argv[0]);
    if (node != MC_NONE) mc_trace_append_full_key(get_trace(context), node, &text);
    put_text(context, &text);
}

static void tell_retained(sqlite3_context *context, int argc, sqlite3_value **argv) {
    const mc_trace *trace = get_trace(context);
    mc_metric metric = mc_trace_find_metric(trace, mc_metric_retained);
    mc_error error = {0};
    uint64_t value = MC_COUNT_UNKNOWN;
    uint32_t step, node = find_node(context, argv[0]);
    if (metric == MC_NONE || node == MC_NONE || !find_step(context, argc, argv, &step)) return;
    if (mc_trace_read_value(trace, step, metric, node, &value, &error) != MC_OK) {
        fail(context, &error);
        return;
    }
    const mc_metric_info *info = mc_trace_get_metric(trace, metric);
    if (value == MC_COUNT_UNKNOWN) return;
    if (info->is_real)
        sqlite3_result_double(context, mc_metric_unpack(value));
    else
        sqlite3_result_int64(context, (sqlite3_int64)value);
}

static mc_result find_way(const mc_trace *trace, uint32_t step, uint32_t node, mc_root_path *way,
                          mc_error *error) {
    mc_root_path_finder *finder = NULL;
    mc_root_path_desc desc = {.leaf = node};
    if (mc_trace_get_step(trace, step)->has_owners)
        return mc_owner_trail_find(trace, step, node, way, error);
    mc_result result = mc_root_path_finder_create(trace, step, step, &finder, error);
    if (result == MC_OK) result = mc_root_path_finder_find(finder, &desc, way, error);
    mc_root_path_finder_destroy(finder);
    return result;
}

static void tell_way(sqlite3_context *context, int argc, sqlite3_value **argv) {
    const mc_trace *trace = get_trace(context);
    mc_root_path way = {.is_known = false};
    mc_error error = {0};
    mc_text text = {0};
    uint32_t step, node = find_node(context, argv[0]);
    if (node == MC_NONE || mc_trace_get_nodes(trace)->child_count[node] > 0 ||
        !find_step(context, argc, argv, &step))
        return;
    if (find_way(trace, step, node, &way, &error) != MC_OK) {
        fail(context, &error);
        return;
    }
    if (way.is_known) mc_root_path_append_way(&way, trace, &text);
    put_text(context, &text);
}

static void tell_trend(sqlite3_context *context, int argc, sqlite3_value **argv) {
    const mc_query_source *source = sqlite3_user_data(context);
    const char *key = argc > 1 ? (const char *)sqlite3_value_text(argv[1]) : NULL;
    mc_metric metric =
        key ? mc_trace_find_metric(source->trace, key) : mc_trace_get_usual_metric(source->trace);
    mc_error error = {0};
    mc_trend trend;
    uint32_t node = find_node(context, argv[0]);
    if (node == MC_NONE || metric == MC_NONE) return;
    if (mc_trend_compute_nodes(source->trace, metric, mc_step_range_whole(source->trace), &node, 1,
                               &trend, source->progress, &error) != MC_OK) {
        fail(context, &error);
        return;
    }
    const char *state = mc_trend_get_state(&trend);
    if (state) sqlite3_result_text(context, state, -1, SQLITE_STATIC);
}

static void destroy_regex(void *regex) {
    mc_regex_destroy(regex);
}

// A pattern is compiled once in a statement.
static void match(sqlite3_context *context, int argc, sqlite3_value **argv) {
    const char *pattern = (const char *)sqlite3_value_text(argv[0]);
    const char *text = (const char *)sqlite3_value_text(argv[1]);
    mc_regex *regex = sqlite3_get_auxdata(context, 0);
    mc_error error = {0};
    size_t end = 0;
    (void)argc;
    if (!pattern || !text) return; // NULL
    bool is_new = !regex;
    mc_result result = MC_OK;
    if (is_new)
        result =
            mc_regex_create(pattern, (size_t)sqlite3_value_bytes(argv[0]), false, &regex, &error);
    if (result == MC_OK)
        result = mc_regex_find(regex, text, (size_t)sqlite3_value_bytes(argv[1]), 0, &end, &error);
    if (result == MC_OK)
        sqlite3_result_int(context, end > 0);
    else
        fail(context, &error);
    if (is_new && regex) sqlite3_set_auxdata(context, 0, regex, destroy_regex);
}

const mc_query_function mc_query_functions[] = {
    {"node", "key", "number of the group with this full key, or unique end of one; or NULL", 1, 1,
     true, 0, tell_node},
    {"key", "group", "full key of a group; or NULL", 1, 1, true, 0, tell_key},
    {"retained", "group [, step]", "bytes that it retains (import --retained); at the last step", 1,
     2, true, MC_QUERY_OF_RETAINED, tell_retained},
    {"way", "group [, step]", "way from a GC root to a leaf's objects; at the last step", 1, 2,
     true, MC_QUERY_OF_REFERENCES, tell_way},
    {"trend", "group [, metric]", "grows, stopped, shrinks or NULL; in bytes", 1, 2, true, 0,
     tell_trend},
    {"regexp", "pattern, text", "also text REGEXP pattern: Perl's regular expressions", 2, 2, false,
     0, match},
    {.name = NULL}};

const mc_query_function *mc_query_functions_find(const char *name) {
    for (const mc_query_function *at = mc_query_functions; at->name; at++)
        if (strcasecmp(name, at->name) == 0) return at;
    return NULL;
}

bool mc_query_functions_add(const mc_query_source *source, sqlite3 *database) {
    for (const mc_query_function *at = mc_query_functions; at->name; at++)
        for (int count = at->least; count <= at->most; count++)
            if (sqlite3_create_function_v2(database, at->name, count,
                                           SQLITE_UTF8 | SQLITE_DETERMINISTIC, (void *)source,
                                           at->call, NULL, NULL, NULL) != SQLITE_OK)
                return false;
    return true;
}
