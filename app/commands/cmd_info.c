#include "app/command.h"
#include "app/format.h"
#include "app/node_text.h"
#include "app/print/print_trace.h"
#include "engine/base/memory.h"
#include "engine/store/mct/mct.h"
#include "engine/trace/regroup/sliding_window.h"
#include <inttypes.h>
#include <string.h>

#define MOST_NAMES 5 // of late parts, in a line

// ---- waste

// What a heap dump's metrics of waste mean (engine/heap/step.h), and what
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

static void put_waste(mc_print *print, const mc_trace *trace, const waste_kind *found) {
    mc_print_begin_list(print, "waste");
    for (size_t i = 0; i < WASTE_KINDS; i++) {
        if (!found[i].is_known) continue;
        mc_print_break(print);
        mc_print_put(print, NULL,
                     MC_OBJECT({"kind", mc_cell_text(wastes[i].key)},
                               {"bytes", mc_cell_count(found[i].bytes)},
                               {"leaf", mc_cell_node(trace, found[i].leaf)},
                               {"leaf_bytes", mc_cell_count(found[i].leaf_bytes)},
                               {"advice", mc_cell_text(wastes[i].advice)}));
    }
    mc_print_end_list(print);
}

static void print_waste(mc_print *print, const mc_trace *trace, const waste_kind *found) {
    double all = (double)mc_trace_get_step(trace, mc_trace_get_step_count(trace) - 1)->bytes;
    const mc_column columns[] = {
        {.heading = "", .width = 12},      {.heading = "", .before = " ", .width = 8},
        {.heading = "", .before = "  "},   {.heading = "", .before = ", most of it "},
        {.heading = "", .before = " in "}, {.heading = "", .before = "\n                       "}};
    put_waste(print, trace, found);
    if (print->form != MC_PRINT_TEXT) return;
    mc_text_append_string(print->out, "\nwaste at the last step\n");
    MC_PRINT_BEGIN_ROWS(print, NULL, columns);
    for (size_t i = 0; i < WASTE_KINDS; i++)
        if (found[i].is_known && found[i].leaf != MC_NONE)
            MC_PRINT_ROW(print, mc_cell_bytes(found[i].bytes),
                         mc_cell_share(all > 0 ? (double)found[i].bytes / all : 0),
                         mc_cell_text(wastes[i].what), mc_cell_bytes(found[i].leaf_bytes),
                         mc_cell_node(trace, found[i].leaf), mc_cell_text(wastes[i].advice));
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
static const char *get_heading(const mc_metric_info *info) {
    return strcmp(info->key, mc_metric_time) == 0 ? "busy" : info->key;
}

static mc_cell get_method_total(const method_totals *totals, uint32_t column, uint32_t step) {
    const mc_metric_info *info = totals->infos[column];
    uint64_t word = totals->values[(size_t)step * totals->column_count + column];
    bool is_count = info->unit == MC_UNIT_COUNT || info->unit == MC_UNIT_NONE;
    return is_count ? mc_cell_figure(info, word) : mc_cell_value(info, word);
}

// ---- remarks

// "step 3 at 10 s: deploy", a line each, after an empty one.
static void print_notes(mc_print *print, const mc_trace *trace) {
    bool has_any = false;
    for (uint32_t i = 0; i < mc_trace_get_step_count(trace); i++) {
        char time[MC_FORMAT_SIZE];
        const char *note = mc_trace_get_note(trace, i);
        if (!note) continue;
        if (!has_any) mc_print_begin_list(print, "notes");
        mc_print_put(print, NULL,
                     MC_OBJECT({"step", mc_cell_count(i)}, {"note", mc_cell_text(note)}));
        if (print->form == MC_PRINT_TEXT)
            mc_text_format(print->out, "%sstep %" PRIu32 " at %s: %s\n", has_any ? "" : "\n", i,
                           mc_format_time(time, mc_trace_get_step(trace, i)->time_ms), note);
        has_any = true;
    }
    if (has_any) mc_print_end_list(print);
}

static void append_late_line(const mc_trace *trace, uint32_t step, const uint32_t *parts,
                             uint32_t count, mc_text *out) {
    mc_text_format(out, "step %" PRIu32 " has from before: ", step);
    for (uint32_t i = 0; i < count && i < MOST_NAMES; i++) {
        if (i > 0) mc_text_append_string(out, ", ");
        mc_node_append_place_line(trace, parts[i], out);
    }
    if (count > MOST_NAMES) mc_text_format(out, " and %" PRIu32 " more", count - MOST_NAMES);
    mc_text_append_string(out, "\n");
}

// Of a merged trace (docs/reference/merge.md): the steps in which a part was late, so that its
// values of the step before count. A line each, behind an empty one.
static mc_result print_late(mc_print *print, const mc_trace *trace, mc_error *error) {
    bool is_text = print->form == MC_PRINT_TEXT, has_any = false, is_merged;
    mc_result result = MC_OK;
    for (uint32_t step = 0; step < mc_trace_get_step_count(trace) && result == MC_OK; step++) {
        uint32_t count = 0, *parts = NULL;
        result = mc_mct_read_held(trace, step, &is_merged, &parts, &count, error);
        if (result != MC_OK || count == 0) continue;
        if (!has_any) mc_print_begin_list(print, "late");
        if (!has_any && is_text) mc_text_append_string(print->out, "\n");
        has_any = true;
        if (is_text) append_late_line(trace, step, parts, count, print->out);
        mc_print_begin_object(print, NULL);
        MC_PRINT(print, {"step", mc_cell_count(step)});
        mc_print_nodes(print, "parts", trace, parts, count);
        mc_print_end_object(print);
        mc_free(parts);
    }
    if (has_any) mc_print_end_list(print);
    return result;
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

static void put_head(mc_print *print, const mc_trace *trace) {
    const mc_node_columns *nodes = mc_trace_get_nodes(trace);
    mc_print_begin_list(print, "classifiers");
    for (uint32_t i = 0; i < mc_trace_get_classifier_count(trace); i++) {
        size_t size;
        const char *name = mc_trace_get_classifier(trace, i, &size);
        mc_print_put(print, NULL, mc_cell_bytes_of(name, size));
    }
    mc_print_end_list(print);
    MC_PRINT(print, {"nodes", mc_cell_count(mc_trace_get_input_node_count(trace))},
             {"leaves", mc_cell_count(nodes->leaf_count)}, {"depth", mc_cell_count(nodes->depth)},
             {"references", mc_cell_bool(mc_trace_has_references(trace))});
    mc_print_begin_list(print, "metrics");
    for (mc_metric i = 0; i < mc_trace_get_metric_count(trace); i++) {
        const mc_metric_info *info = mc_trace_get_metric(trace, i);
        mc_print_put(print, NULL,
                     MC_OBJECT({"name", mc_cell_metric(info)},
                               {"title", mc_cell_bytes_of(info->title, info->title_size)},
                               {"unit", mc_cell_text(mc_unit_names[info->unit])},
                               {"kind", mc_cell_text(mc_metric_kind_names[info->kind])},
                               {"additive", mc_cell_bool(info->is_additive)},
                               {"real", mc_cell_bool(info->is_real)}));
    }
    mc_print_end_list(print);
}

// Beside objects and bytes, which every trace has.
static void append_metric(const mc_metric_info *info, bool is_first, mc_text *out) {
    mc_text_append_string(out, is_first ? "metrics      " : "             ");
    mc_format_append_line(out, info->key, info->key_size);
    mc_text_append_string(out, ": ");
    mc_format_append_line(out, info->title, info->title_size);
    if (info->unit != MC_UNIT_NONE) mc_text_format(out, ", %s", mc_unit_names[info->unit]);
    mc_text_format(out, ", a %s, %s\n", mc_metric_kind_names[info->kind],
                   info->is_additive ? "additive" : "not additive");
}

static void append_head(const mc_trace *trace, mc_text *out) {
    const mc_node_columns *nodes = mc_trace_get_nodes(trace);
    char all[MC_FORMAT_SIZE], leaves[MC_FORMAT_SIZE];
    mc_text_append_string(out, "classifiers  ");
    for (uint32_t i = 0; i < mc_trace_get_classifier_count(trace); i++) {
        size_t size;
        const char *name = mc_trace_get_classifier(trace, i, &size);
        if (i > 0) mc_text_append_string(out, " → ");
        mc_format_append_line(out, name, size);
    }
    mc_text_append_string(out, "\n");
    for (mc_metric i = MC_METRIC_FIRST_OWN; i < mc_trace_get_metric_count(trace); i++)
        append_metric(mc_trace_get_metric(trace, i), i == MC_METRIC_FIRST_OWN, out);
    mc_text_format(out,
                   "nodes        %s\nleaves       %s\ndepth        %" PRIu32
                   "\nreferences   %s\nsteps        %" PRIu32 "\n\n",
                   mc_format_count(all, mc_trace_get_input_node_count(trace)),
                   mc_format_count(leaves, nodes->leaf_count), nodes->depth,
                   mc_trace_has_references(trace) ? "yes" : "no", mc_trace_get_step_count(trace));
}

// `sizes`: one a step.
static void print_steps(mc_print *print, const mc_trace *trace, const mc_step_size *sizes,
                        const method_totals *methods) {
    enum { OBJECTS = 2 + MOST_COLUMNS };
    // A massif file counts no objects, a recording of JFR neither those nor bytes.
    bool is_text = print->form == MC_PRINT_TEXT, has_methods = methods->column_count > 0;
    bool has_objects = mc_trace_counts_objects(trace);
    bool has_bytes = has_objects || mc_trace_get_usual_metric(trace) == MC_METRIC_BYTES;
    mc_column columns[OBJECTS + 5] = {
        {.heading = "step", .width = 5},
        {"time", "time", .before = " ", .width = 19},
        [OBJECTS] = {"objects", "objects", .before = " ", .width = 16,
                     .is_off = is_text && (has_methods || !has_objects)},
        {"bytes", "bytes", .before = " ", .width = 12,
         .is_off = is_text && (has_methods || !has_bytes)},
        {"nodes", "nodes", .before = " ", .width = 12},
        {"leaves", "leaves", .before = " ", .width = 10},
        {"pairs", "pairs", .before = " ", .width = 10}};
    for (uint32_t i = 0; i < methods->column_count; i++)
        columns[2 + i] =
            (mc_column){.heading = get_heading(methods->infos[i]), .before = " ", .width = 12};
    print->lines = MC_LINES_NONE;
    MC_PRINT_BEGIN_ROWS(print, "steps", columns);
    for (uint32_t i = 0; i < mc_trace_get_step_count(trace); i++) {
        const mc_step_info *step = mc_trace_get_step(trace, i);
        mc_cell cells[] = {mc_cell_index(i),
                           mc_cell_time(step->time_ms),
                           [OBJECTS] = mc_cell_count(step->objects),
                           mc_cell_bytes(step->bytes),
                           mc_cell_count(sizes[i].node_count),
                           mc_cell_count(sizes[i].leaf_count),
                           mc_cell_count(sizes[i].pair_count)};
        for (uint32_t k = 0; k < methods->column_count; k++)
            cells[2 + k] = get_method_total(methods, k, i);
        mc_print_row(print, cells);
    }
    mc_print_end_rows(print);
}

static mc_result print_info(mc_print *print, const mc_trace *trace, const mc_step_size *sizes,
                            const method_totals *methods, const waste_kind *waste,
                            mc_error *error) {
    uint32_t step_count = mc_trace_get_step_count(trace);
    bool is_text = print->form == MC_PRINT_TEXT;
    mc_print_begin_object(print, NULL);
    if (is_text) append_head(trace, print->out);
    put_head(print, trace);
    print_steps(print, trace, sizes, methods);
    for (uint32_t i = 0; is_text && i < step_count; i++)
        mc_print_incomplete(print, trace, i, i);
    if (!is_text) mc_print_incomplete(print, trace, 0, step_count - 1);
    print_notes(print, trace);
    mc_result result = print_late(print, trace, error);
    if (waste) print_waste(print, trace, waste);
    mc_print_end_object(print);
    mc_print_end(print);
    return result;
}

int mc_command_info(int argc, const char **argv) {
    bool json = false;
    mc_input_options input = {.is_raw = true};
    mc_option_list list = {0};
    mc_option_list_add_flag(&list, "json", &json, "print one JSON object");
    mc_option_list_add_input(&list, &input);
    uint32_t path_count;
    int code;
    if (!mc_command_begin(
            &list, "memcity info TRACE… [--json]",
            "Prints what a trace contains: its classifiers, the number of nodes and leaves, and "
            "the time and\ntotals of every step; for methods how busy they were.",
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
    mc_print print = mc_print_to(&out, json, false);
    if (sizes) print_info(&print, trace, sizes, &methods, has_waste ? waste : NULL, &error);
    mc_free(sizes);
    deinit_methods(&methods);
    mc_trace_destroy(trace);
    if (error.code == MC_OK) return mc_command_print(&out);
    mc_text_deinit(&out);
    return mc_command_fail(&error);
}
