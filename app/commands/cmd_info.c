#include "app/command.h"
#include "app/format.h"
#include "app/incomplete_text.h"
#include "app/late_text.h"
#include "app/node_text.h"
#include "app/note_text.h"
#include "engine/base/memory.h"
#include "engine/trace/regroup/sliding_window.h"
#include <inttypes.h>
#include <limits.h>
#include <string.h>

static void write_metric_json(const mc_metric_info *info, bool is_first, mc_text *out) {
    mc_text_append_string(out, is_first ? "{\"name\":" : ",{\"name\":");
    mc_format_append_json(out, info->key, info->key_size);
    mc_text_append_string(out, ",\"title\":");
    mc_format_append_json(out, info->title, info->title_size);
    mc_text_format(out, ",\"unit\":\"%s\",\"kind\":\"%s\",\"additive\":%s,\"real\":%s}",
                   mc_unit_names[info->unit], mc_metric_kind_names[info->kind],
                   info->is_additive ? "true" : "false", info->is_real ? "true" : "false");
}

// ---- waste

// What a heap dump's metrics of waste mean (engine/import/hprof/hprof_wasted_bytes.h), and what
// helps.
static const struct {
    const char *key, *what, *advice;
} wastes[] = {
    {"duplicates", "arrays that equal another one",
     "keep one of each: strings that repeat through a map of their own or String.intern(), or "
     "-XX:+UseStringDeduplication"},
    {"empty_slots", "null elements of arrays of objects",
     "make collections as large as they get, or trim them once they are filled"},
    {"empty_collections", "collections without an element",
     "make them when the first element comes, or share Collections.emptyList() and its like"},
    {"boxed", "numbers as objects: Integer, Long …",
     "use primitive fields and arrays, or collections made for numbers"},
    {"builders", "room for characters in a StringBuilder or StringBuffer that has none there",
     "keep the String, not its builder, or trimToSize() one that stays"}};

#define WASTE_KINDS (sizeof wastes / sizeof *wastes)

// Of one kind, at the last step.
typedef struct waste_kind {
    bool is_known;
    uint64_t bytes;
    uint32_t leaf; // that has the most; MC_NONE: none has any
    uint64_t leaf_bytes;
} waste_kind;

static mc_result find_waste(const mc_trace *trace, uint64_t *values, size_t kind, waste_kind *found,
                            mc_error *error) {
    const mc_node_columns *nodes = mc_trace_get_nodes(trace);
    mc_metric metric = mc_trace_find_metric(trace, wastes[kind].key);
    *found = (waste_kind){.leaf = MC_NONE};
    if (metric == MC_NONE || mc_trace_get_metric(trace, metric)->is_real) return MC_OK;
    mc_result result =
        mc_trace_read_counts(trace, mc_trace_get_step_count(trace) - 1, metric, values, error);
    if (result != MC_OK) return result;
    found->is_known = true;
    found->bytes = values[0];
    for (uint32_t i = 0; i < nodes->count; i++) {
        if (nodes->child_count[i] > 0 || values[i] <= found->leaf_bytes) continue;
        found->leaf = i;
        found->leaf_bytes = values[i];
    }
    return MC_OK;
}

// False: the trace has no such metrics, or `error` says why they can't be read.
static bool find_wastes(const mc_trace *trace, waste_kind *found, mc_error *error) {
    uint64_t *values = NULL;
    mc_result result = MC_OK;
    if (mc_trace_find_metric(trace, "waste") == MC_NONE) return false;
    values = mc_alloc((size_t)mc_trace_get_nodes(trace)->count + 1, sizeof *values);
    if (!values) result = mc_error_out_of_memory(error);
    for (size_t i = 0; i < WASTE_KINDS && result == MC_OK; i++)
        result = find_waste(trace, values, i, &found[i], error);
    mc_free(values);
    return result == MC_OK;
}

static void write_waste_json(const mc_trace *trace, const waste_kind *found, mc_text *out) {
    bool is_first = true;
    mc_text_append_string(out, ",\"waste\":[");
    for (size_t i = 0; i < WASTE_KINDS; i++) {
        if (!found[i].is_known) continue;
        mc_text_format(out,
                       "%s\n{\"kind\":\"%s\",\"bytes\":%" PRIu64 ",\"leaf\":", is_first ? "" : ",",
                       wastes[i].key, found[i].bytes);
        if (found[i].leaf == MC_NONE)
            mc_text_append_string(out, "null");
        else
            mc_node_append_key_json(trace, found[i].leaf, out);
        mc_text_format(out, ",\"leaf_bytes\":%" PRIu64 ",\"advice\":", found[i].leaf_bytes);
        mc_format_append_json(out, wastes[i].advice, strlen(wastes[i].advice));
        mc_text_append_string(out, "}");
        is_first = false;
    }
    mc_text_append_string(out, "]");
}

static void write_waste_text(const mc_trace *trace, const waste_kind *found, mc_text *out) {
    char bytes[MC_FORMAT_SIZE], share[MC_FORMAT_SIZE];
    uint64_t all = mc_trace_get_step(trace, mc_trace_get_step_count(trace) - 1)->bytes;
    mc_text_append_string(out, "\nwaste at the last step\n");
    for (size_t i = 0; i < WASTE_KINDS; i++) {
        if (!found[i].is_known || found[i].leaf == MC_NONE) continue;
        mc_text_format(
            out, "%12s %8s  %s, most of it %s in ", mc_format_bytes(bytes, found[i].bytes),
            mc_format_share(share, all > 0 ? (double)found[i].bytes / (double)all : 0),
            wastes[i].what, mc_format_bytes((char[MC_FORMAT_SIZE]){0}, found[i].leaf_bytes));
        mc_node_append_place_line(trace, found[i].leaf, out);
        mc_text_format(out, "\n%23s%s\n", "", wastes[i].advice);
    }
}

// ---- methods

// What of a program's totals is told in the place of objects and bytes.
static const char *const method_keys[] = {mc_metric_elevation, mc_metric_threads, mc_metric_time,
                                          "calls", "samples"};
enum { MOST_COLUMNS = sizeof method_keys / sizeof *method_keys };

// Of a heap no columns. Zero-initialise, read, deinit.
typedef struct method_totals {
    mc_trace *framed; // the trace in a frame of time; NULL: it is one, or has no methods
    const mc_metric_info *infos[MOST_COLUMNS];
    uint32_t column_count;
    uint64_t *values; // `column_count` a step
} method_totals;

static void deinit_methods(method_totals *totals) {
    mc_trace_destroy(totals->framed);
    mc_free(totals->values);
}

// As recorded, where it was.
static const mc_trace *find_column(const mc_trace *trace, const mc_trace *framed, const char *key,
                                   mc_metric *metric) {
    *metric = mc_trace_find_metric(trace, key);
    if (*metric != MC_NONE || !framed) return trace;
    *metric = mc_trace_find_metric(framed, key);
    return framed;
}

static mc_result read_methods(const mc_trace *trace, method_totals *totals, mc_error *error) {
    const mc_trace *traces[MOST_COLUMNS];
    mc_metric metrics[MOST_COLUMNS];
    uint32_t step_count = mc_trace_get_step_count(trace), count = 0;
    mc_result result = MC_OK;
    if (mc_trace_has_methods(trace)) {
        mc_regrouping grouping = mc_regrouping_of_methods(trace, MC_SLIDING_WINDOW_USUAL_MS);
        result = mc_trace_regroup(trace, &grouping, NULL, &totals->framed, error);
    } else if (!(mc_trace_get_frame_ms(trace) > 0)) {
        return MC_OK;
    }
    for (uint32_t i = 0; i < MOST_COLUMNS && result == MC_OK; i++) {
        traces[count] = find_column(trace, totals->framed, method_keys[i], &metrics[count]);
        if (metrics[count] == MC_NONE) continue;
        totals->infos[count] = mc_trace_get_metric(traces[count], metrics[count]);
        count++;
    }
    totals->column_count = count;
    totals->values = mc_alloc((size_t)step_count * count + 1, sizeof *totals->values);
    if (!totals->values) return mc_error_out_of_memory(error);
    for (size_t at = 0; at < (size_t)step_count * count && result == MC_OK; at++)
        result = mc_trace_read_total(traces[at % count], (uint32_t)(at / count),
                                     metrics[at % count], &totals->values[at], error);
    return result;
}

// When a step was is a time as well.
static void write_method_heads(const method_totals *totals, mc_text *out) {
    for (uint32_t i = 0; i < totals->column_count; i++) {
        const mc_metric_info *info = totals->infos[i];
        bool is_time = info->key_size == strlen(mc_metric_time) &&
                       memcmp(info->key, mc_metric_time, info->key_size) == 0;
        mc_text_format(out, " %12.*s", is_time ? INT_MAX : (int)info->key_size,
                       is_time ? "busy" : info->key);
    }
}

static void write_method_totals(const method_totals *totals, uint32_t step, mc_text *out) {
    char value[MC_FORMAT_SIZE];
    for (uint32_t i = 0; i < totals->column_count; i++) {
        const mc_metric_info *info = totals->infos[i];
        uint64_t word = totals->values[(size_t)step * totals->column_count + i];
        bool is_count = info->unit == MC_UNIT_COUNT || info->unit == MC_UNIT_NONE;
        mc_text_format(out, " %12s",
                       is_count ? mc_format_figure(value, info, word)
                                : mc_format_value(value, info, word));
    }
}

// ---- all of it

static mc_step_size *read_sizes(const mc_trace *trace, mc_error *error) {
    uint32_t count = mc_trace_get_step_count(trace);
    mc_step_size *sizes = mc_alloc(count, sizeof *sizes);
    mc_result result = sizes ? MC_OK : mc_error_out_of_memory(error);
    for (uint32_t i = 0; i < count && result == MC_OK; i++)
        result = mc_trace_read_size(trace, i, &sizes[i], error);
    if (result == MC_OK) return sizes;
    mc_free(sizes);
    return NULL;
}

// `sizes`: one a step.
static mc_result write_json(const mc_trace *trace, const mc_step_size *sizes,
                            const waste_kind *waste, mc_text *out, mc_error *error) {
    const mc_node_columns *nodes = mc_trace_get_nodes(trace);
    mc_text_append_string(out, "{\"classifiers\":[");
    for (uint32_t i = 0; i < mc_trace_get_classifier_count(trace); i++) {
        size_t size;
        const char *name = mc_trace_get_classifier(trace, i, &size);
        if (i > 0) mc_text_append(out, ",", 1);
        mc_format_append_json(out, name, size);
    }
    mc_text_format(out,
                   "],\"nodes\":%" PRIu32 ",\"leaves\":%" PRIu32 ",\"depth\":%" PRIu32
                   ",\"references\":%s,\"metrics\":[",
                   mc_trace_get_input_node_count(trace), nodes->leaf_count, nodes->depth,
                   mc_trace_has_references(trace) ? "true" : "false");
    for (mc_metric i = 0; i < mc_trace_get_metric_count(trace); i++)
        write_metric_json(mc_trace_get_metric(trace, i), i == 0, out);
    mc_text_append_string(out, "],\"steps\":[");
    for (uint32_t i = 0; i < mc_trace_get_step_count(trace); i++) {
        const mc_step_info *step = mc_trace_get_step(trace, i);
        mc_text_format(out,
                       "%s{\"time\":%" PRId64 ",\"objects\":%" PRIu64 ",\"bytes\":%" PRIu64
                       ",\"nodes\":%" PRIu32 ",\"leaves\":%" PRIu32 ",\"pairs\":%" PRIu32 "}",
                       i > 0 ? "," : "", step->time_ms, step->objects, step->bytes,
                       sizes[i].node_count, sizes[i].leaf_count, sizes[i].pair_count);
    }
    mc_text_append_string(out, "]");
    mc_incomplete_append_json(trace, 0, mc_trace_get_step_count(trace) - 1, out);
    mc_notes_append_json(trace, out);
    mc_result result = mc_late_append_json(trace, out, error);
    if (waste) write_waste_json(trace, waste, out);
    mc_text_append_string(out, "}\n");
    return result;
}

// Beside objects and bytes, which every trace has.
static void write_metric_text(const mc_metric_info *info, bool is_first, mc_text *out) {
    mc_text_append_string(out, is_first ? "metrics      " : "             ");
    mc_format_append_line(out, info->key, info->key_size);
    mc_text_append_string(out, ": ");
    mc_format_append_line(out, info->title, info->title_size);
    if (info->unit != MC_UNIT_NONE) mc_text_format(out, ", %s", mc_unit_names[info->unit]);
    mc_text_format(out, ", a %s, %s\n", mc_metric_kind_names[info->kind],
                   info->is_additive ? "additive" : "not additive");
}

static mc_result write_text(const mc_trace *trace, const mc_step_size *sizes,
                            const method_totals *methods, mc_text *out, mc_error *error) {
    const mc_node_columns *nodes = mc_trace_get_nodes(trace);
    char a[MC_FORMAT_SIZE], b[MC_FORMAT_SIZE], c[MC_FORMAT_SIZE], d[MC_FORMAT_SIZE],
        e[MC_FORMAT_SIZE];
    mc_text_append_string(out, "classifiers  ");
    for (uint32_t i = 0; i < mc_trace_get_classifier_count(trace); i++) {
        size_t size;
        const char *name = mc_trace_get_classifier(trace, i, &size);
        if (i > 0) mc_text_append_string(out, " → ");
        mc_format_append_line(out, name, size);
    }
    mc_text_append_string(out, "\n");
    for (mc_metric i = MC_METRIC_FIRST_OWN; i < mc_trace_get_metric_count(trace); i++)
        write_metric_text(mc_trace_get_metric(trace, i), i == MC_METRIC_FIRST_OWN, out);
    mc_text_format(out,
                   "nodes        %s\nleaves       %s\ndepth        %" PRIu32
                   "\nreferences   %s\nsteps        %" PRIu32 "\n\n",
                   mc_format_count(a, mc_trace_get_input_node_count(trace)),
                   mc_format_count(b, nodes->leaf_count), nodes->depth,
                   mc_trace_has_references(trace) ? "yes" : "no", mc_trace_get_step_count(trace));
    mc_text_format(out, "%5s %19s", "step", "time");
    write_method_heads(methods, out);
    if (methods->column_count == 0) mc_text_format(out, " %16s %12s", "objects", "bytes");
    mc_text_format(out, " %12s %10s %10s\n", "nodes", "leaves", "pairs");
    for (uint32_t i = 0; i < mc_trace_get_step_count(trace); i++) {
        const mc_step_info *step = mc_trace_get_step(trace, i);
        char time[MC_FORMAT_SIZE];
        mc_text_format(out, "%5" PRIu32 " %19s", i, mc_format_time(time, step->time_ms));
        write_method_totals(methods, i, out);
        if (methods->column_count == 0)
            mc_text_format(out, " %16s %12s", mc_format_count(a, step->objects),
                           mc_format_bytes(b, step->bytes));
        mc_text_format(out, " %12s %10s %10s\n", mc_format_count(c, sizes[i].node_count),
                       mc_format_count(d, sizes[i].leaf_count),
                       mc_format_count(e, sizes[i].pair_count));
    }
    for (uint32_t i = 0; i < mc_trace_get_step_count(trace); i++)
        mc_incomplete_append_line(trace, i, i, out);
    mc_notes_append_lines(trace, out);
    return mc_late_append_lines(trace, out, error);
}

int mc_command_info(int argc, const char **argv) {
    bool json = false;
    mc_input_options input = {.is_raw = true};
    mc_option_list list = {0};
    mc_option_list_add_flag(&list, "json", &json, "one JSON object");
    mc_option_list_add_input(&list, &input);
    uint32_t path_count;
    int code;
    if (!mc_command_begin(
            &list, "memcity info TRACE… [--json]",
            "Says what a trace holds: its classifiers, how many nodes and leaves, and of every "
            "step the time and the totals; of methods how busy they were.",
            argc, argv, &path_count, &code))
        return code;

    mc_trace *trace = NULL;
    code = mc_command_open(argv, path_count, &input, &trace);
    if (code != MC_EXIT_OK) return code;
    mc_text out = {0};
    mc_error error = {.code = MC_OK};
    waste_kind waste[WASTE_KINDS];
    method_totals methods = {0};
    bool has_waste = find_wastes(trace, waste, &error);
    mc_step_size *sizes = error.code == MC_OK ? read_sizes(trace, &error) : NULL;
    if (!json && sizes && read_methods(trace, &methods, &error) != MC_OK) {
        mc_free(sizes);
        sizes = NULL;
    }
    if (json && sizes)
        write_json(trace, sizes, has_waste ? waste : NULL, &out, &error);
    else if (sizes)
        write_text(trace, sizes, &methods, &out, &error);
    if (!json && sizes && has_waste) write_waste_text(trace, waste, &out);
    mc_free(sizes);
    deinit_methods(&methods);
    mc_trace_destroy(trace);
    if (error.code == MC_OK) return mc_command_print(&out);
    mc_text_deinit(&out);
    return mc_command_fail(&error);
}
