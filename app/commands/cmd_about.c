#include "app/answers/property.h"
#include "app/command.h"
#include "app/node_text.h"
#include "app/print/print_trace.h"
#include "engine/base/memory.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define OWN_COLUMN_COUNT 4 // key, objects, bytes, and for people the place
#define MOST_COLUMNS (OWN_COLUMN_COUNT + MC_PROPERTY_COUNT * (1 + MC_PROPERTY_MOST_VALUES))

typedef struct about_options {
    const char *of, *metric_key;
    uint32_t step, most;
    mc_metric metric;
    bool tsv, json;
} about_options;

typedef struct about {
    const mc_trace *trace;
    const about_options *options;
    uint64_t *objects, *bytes, *values; // columns at the step; values: by which leaves are sorted
    mc_property_source source;
} about;

// ---- rows

// JSON has an object for each property, other forms a column for each of its values.
static uint32_t make_columns(mc_column *columns) {
    uint32_t count = 0;
    columns[count++] = (mc_column){.key = "key"};
    columns[count++] = (mc_column){"objects", "objects", .width = 13};
    columns[count++] = (mc_column){"bytes", "bytes", .before = " ", .width = 11};
    for (uint32_t i = 0; i < MC_PROPERTY_COUNT; i++) {
        const mc_property *property = mc_properties[i];
        columns[count++] = (mc_column){.key = property->name, .forms = MC_IN_JSON};
        for (uint32_t k = 0; k < property->column_count; k++) {
            columns[count] = property->columns[k];
            columns[count++].forms = MC_IN_TEXT | MC_IN_TSV;
        }
    }
    columns[count++] = (mc_column){.heading = "group", .before = "  "};
    return count;
}

static mc_result print_node(about *a, mc_print *print, uint32_t node, mc_error *error) {
    mc_property_answers answers = {0};
    mc_field fields[MC_PROPERTY_COUNT][MC_PROPERTY_MOST_VALUES];
    mc_cell cells[MOST_COLUMNS], key = mc_cell_node(a->trace, node);
    uint32_t count = 0;
    mc_property_key asked = {node, a->options->step};
    mc_result result = mc_property_answers_find(&a->source, asked, &answers, error);
    if (result != MC_OK) return result;
    cells[count++] = key;
    cells[count++] = mc_cell_count(a->objects[node]);
    cells[count++] = mc_cell_bytes(a->bytes[node]);
    for (uint32_t i = 0; i < MC_PROPERTY_COUNT; i++) {
        const mc_property_answer *answer = &answers.items[i];
        cells[count++] = mc_property_answer_get_object(mc_properties[i], answer, fields[i]);
        for (uint32_t k = 0; k < mc_properties[i]->column_count; k++)
            cells[count++] = answer->is_known ? answer->values[k] : mc_cell_null();
    }
    cells[count++] = key;
    mc_print_row(print, cells);
    mc_property_answers_deinit(&answers);
    return MC_OK;
}

static mc_result print_rows(about *a, mc_print *print, const uint32_t *nodes, uint32_t count,
                            mc_error *error) {
    mc_column columns[MOST_COLUMNS];
    mc_result result = MC_OK;
    mc_print_begin_object(print, NULL);
    MC_PRINT(print, {"step", mc_cell_count(a->options->step)});
    mc_print_begin_rows(print, "groups", columns, make_columns(columns));
    for (uint32_t i = 0; i < count && result == MC_OK && mc_command_pass_on(print->out); i++)
        result = print_node(a, print, nodes[i], error);
    mc_print_end_rows(print);
    mc_print_incomplete(print, a->trace, a->options->step, a->options->step);
    mc_print_end_object(print);
    mc_print_end(print);
    return result;
}

// One group, as people read it.
static mc_result print_text(about *a, mc_text *out, uint32_t node, mc_error *error) {
    char objects[MC_FORMAT_SIZE], bytes[MC_FORMAT_SIZE], time[MC_FORMAT_SIZE];
    uint32_t step = a->options->step;
    mc_property_answers answers = {0};
    mc_result result =
        mc_property_answers_find(&a->source, (mc_property_key){node, step}, &answers, error);
    if (result != MC_OK) return result;
    mc_node_append_path_line(a->trace, node, out);
    mc_text_format(out, "\n%s, %s at step %" PRIu32 " (%s)\n",
                   mc_format_counted(objects, a->objects[node], "object"),
                   mc_format_bytes(bytes, a->bytes[node]), step,
                   mc_format_time(time, mc_trace_get_step(a->trace, step)->time_ms));
    for (uint32_t i = 0; i < MC_PROPERTY_COUNT; i++) {
        const mc_text *sentence = &answers.items[i].sentence;
        mc_text_format(out, "%s: %s\n", mc_properties[i]->title,
                       sentence->data ? sentence->data : "not known: the trace does not say");
    }
    mc_property_answers_deinit(&answers);
    return MC_OK;
}

// ---- which

static int compare_nodes(const void *a, const void *b, void *user) {
    const uint64_t *values = user;
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    if (values[x] != values[y]) return values[x] > values[y] ? -1 : 1;
    return (x > y) - (x < y);
}

// Leaves that have any objects, the largest first.
static mc_result print_largest(about *a, mc_print *print, mc_error *error) {
    const mc_node_columns *nodes = mc_trace_get_nodes(a->trace);
    uint32_t *leaves = mc_alloc(nodes->leaf_count, sizeof *leaves), count = 0;
    if (!leaves) return mc_error_out_of_memory(error);
    for (uint32_t node = 0; node < nodes->count; node++)
        if (nodes->child_count[node] == 0 && a->values[node] > 0) leaves[count++] = node;
    qsort_r(leaves, count, sizeof *leaves, compare_nodes, a->values);
    uint32_t shown = count < a->options->most ? count : a->options->most;
    mc_result result = print_rows(a, print, leaves, shown, error);
    if (result == MC_OK && print->form == MC_PRINT_TEXT && shown < count)
        mc_message_say("%" PRIu32 " more; -n says how many", count - shown);
    mc_free(leaves);
    return result;
}

static mc_result read_columns(about *a, mc_error *error) {
    uint32_t count = mc_trace_get_nodes(a->trace)->count, step = a->options->step;
    a->objects = mc_alloc(count, sizeof *a->objects);
    a->bytes = mc_alloc(count, sizeof *a->bytes);
    a->values = mc_alloc(count, sizeof *a->values);
    if (!a->objects || !a->bytes || !a->values) return mc_error_out_of_memory(error);
    mc_result result = mc_trace_read_column(a->trace, step, MC_METRIC_OBJECTS, a->objects, error);
    if (result == MC_OK)
        result = mc_trace_read_column(a->trace, step, MC_METRIC_BYTES, a->bytes, error);
    if (result == MC_OK)
        result = mc_trace_read_counts(a->trace, step, a->options->metric, a->values, error);
    return result;
}

static int print_about(const mc_trace *trace, const about_options *options, uint32_t node) {
    about a = {.trace = trace, .options = options, .source.trace = trace};
    mc_error error = {0};
    mc_text out = {0};
    mc_print print = mc_print_to(&out, options->json, options->tsv);
    mc_result result = read_columns(&a, &error);
    if (result == MC_OK) {
        if (node == MC_NONE)
            result = print_largest(&a, &print, &error);
        else if (print.form == MC_PRINT_TEXT)
            result = print_text(&a, &out, node, &error);
        else
            result = print_rows(&a, &print, &node, 1, &error);
    }
    mc_property_source_deinit(&a.source);
    mc_free(a.objects);
    mc_free(a.bytes);
    mc_free(a.values);
    if (result == MC_OK) return mc_command_print(&out);
    mc_text_deinit(&out);
    return mc_command_fail(&error);
}

static int run(const mc_trace *trace, about_options *options) {
    mc_city_desc desc = mc_city_desc_default(trace);
    uint32_t node = MC_NONE;
    options->metric = mc_trace_get_usual_metric(trace);
    int code = mc_command_get_step(trace, &desc, &options->step);
    if (code == MC_EXIT_OK && options->metric_key)
        code = mc_command_find_metric(trace, "--metric", options->metric_key, &options->metric);
    if (code == MC_EXIT_OK && options->of)
        code = mc_command_find_node(trace, "--of", options->of, &node);
    return code == MC_EXIT_OK ? print_about(trace, options, node) : code;
}

int mc_command_about(int argc, const char **argv) {
    about_options options = {.step = MC_NONE, .most = 20};
    uint32_t path_count;
    int code;
    mc_input_options input = {0};
    mc_option_list list = {0};
    mc_option_list_add_string(
        &list, "of", &options.of, "KEY",
        "full key, or its end, of the building or district (the largest leaves)");
    mc_option_list_add_uint(&list, "step", &options.step, "K", "step, counted from 0 (the last)");
    mc_option_list_add_uint(&list, "n", &options.most, "N", "print at most N leaves (20)");
    mc_option_list_add_string(&list, "metric", &options.metric_key, "NAME",
                              "metric that ranks the leaves (bytes)");
    mc_option_list_add_flag(&list, "tsv", &options.tsv, "print tab-separated values");
    mc_option_list_add_flag(&list, "json", &options.json, "print one JSON object");
    mc_option_list_add_input(&list, &input);
    mc_option_list_hide(&list, "paths");
    mc_option_list_hide(&list, "no-references");
    if (!mc_command_begin(
            &list,
            "memcity about TRACE… [--of KEY] [--step K] [-n N] [--metric NAME] [--tsv|--json]",
            "Prints how many distinct owners a group has at a step: other groups whose objects "
            "reference its\nobjects, and not only weakly. A group with one owner is kept alive "
            "from one place; one with\nhundreds is not the cause of anything.",
            argc, argv, &path_count, &code))
        return code;
    mc_trace *trace = NULL;
    code = mc_command_open(argv, path_count, &input, &trace);
    if (code == MC_EXIT_OK) code = run(trace, &options);
    mc_trace_destroy(trace);
    return code;
}
