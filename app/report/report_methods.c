#include "app/report/report_methods.h"

#include "app/format.h"
#include "app/node_text.h"
#include "app/print/print.h"
#include "app/report/report_chart.h"
#include "engine/base/memory.h"
#include "engine/trace/regroup/sliding_window.h"

// Step by step, as one is made for all of them at once.
static mc_result read_values(mc_report_methods *methods, const mc_trace *trace, mc_metric metric,
                             uint32_t *nodes, uint64_t *words, mc_error *error) {
    const mc_metric_info *info = mc_trace_get_metric(trace, metric);
    uint32_t step_count = mc_trace_get_step_count(trace);
    mc_result result = MC_OK;
    for (uint32_t i = 0; i < methods->count; i++)
        nodes[i] = methods->items[i].node;
    for (uint32_t step = 0; step < step_count && methods->count > 0 && result == MC_OK; step++) {
        result = mc_trace_read_values(trace, step, metric, nodes, methods->count, words, error);
        for (uint32_t i = 0; i < methods->count && result == MC_OK; i++)
            methods->values[(size_t)i * step_count + step] = mc_metric_get_count(info, words[i]);
    }
    return result;
}

mc_result mc_report_methods_find(mc_report_methods *methods, const mc_trace *trace,
                                 mc_metric metric, mc_step_range window, uint32_t most,
                                 mc_error *error) {
    uint32_t leaves = mc_trace_get_nodes(trace)->leaf_count;
    if (most > leaves) most = leaves;
    size_t room = (size_t)most + 1;
    uint32_t *nodes = mc_alloc(room, sizeof *nodes);
    uint64_t *words = mc_alloc(room, sizeof *words);
    methods->frame_ms = mc_trace_get_frame_ms(trace);
    methods->items = mc_alloc(room, sizeof *methods->items);
    methods->values = mc_alloc_zero(room * mc_trace_get_step_count(trace), sizeof *methods->values);
    bool fits = nodes && words && methods->items && methods->values;
    mc_result result = fits ? mc_method_facts_find(trace, window.last_step, metric, 0,
                                                   methods->items, most, &methods->count, error)
                            : mc_error_out_of_memory(error);
    if (result == MC_OK) result = read_values(methods, trace, metric, nodes, words, error);
    mc_free(nodes);
    mc_free(words);
    return result;
}

void mc_report_methods_deinit(mc_report_methods *methods) {
    mc_free(methods->items);
    mc_free(methods->values);
    *methods = (mc_report_methods){0};
}

// ---- HTML

static void append_markup(mc_text *out, mc_text *line) {
    out->failed |= line->failed;
    if (line->data && !line->failed) mc_format_append_markup(out, line->data, line->size);
    mc_text_clear(line);
}

static mc_cell get_name(const mc_trace *trace, uint32_t node, mc_text *name) {
    mc_text line = {0};
    mc_node_append_name_line(trace, node, &line);
    append_markup(name, &line);
    mc_text_append_string(name, "<small>");
    if (node > 0) mc_node_append_path_line(trace, mc_trace_get_nodes(trace)->parent[node], &line);
    append_markup(name, &line);
    mc_text_append_string(name, "</small>");
    mc_text_deinit(&line);
    return mc_cell_ready(name);
}

static uint64_t get_largest(const mc_report *report, const uint64_t *values) {
    uint64_t largest = 0;
    for (uint32_t step = report->first_step; step <= report->last_step; step++)
        if (values[step] > largest) largest = values[step];
    return largest;
}

static void print_method(mc_print *print, const mc_report *report, uint32_t index) {
    const mc_method_facts *method = &report->methods->items[index];
    const uint64_t *values = report->methods->values + (size_t)index * report->step_count;
    mc_text name = {0}, spark = {0};
    mc_report_append_sparkline(&spark, report, values);
    MC_PRINT_ROW(
        print, mc_cell_index(index + 1), get_name(report->trace, method->node, &name),
        mc_cell_ready(&spark), mc_cell_marked(mc_cell_value(report->info, method->value), "up"),
        mc_cell_value(report->info, mc_metric_get_word(report->info, get_largest(report, values))),
        mc_cell_share(method->steady), mc_cell_count(method->threads), mc_cell_text(method->thread),
        mc_cell_count(method->calls));
    print->out->failed |= name.failed || spark.failed;
    mc_text_deinit(&name);
    mc_text_deinit(&spark);
}

void mc_report_append_methods(mc_text *out, const mc_report *report) {
    const mc_report_methods *methods = report->methods;
    mc_print print = {.form = MC_PRINT_HTML, .out = out};
    mc_text_append_string(out, "<h2>The highest methods</h2>\n");
    if (methods->count == 0) {
        mc_text_append_string(out, "<p>No method was seen.</p>\n");
        return;
    }
    const mc_column columns[] = {{.heading = ""},        {.heading = "method", .mark = "name"},
                                 {.heading = ""},        {.heading = report->info->title},
                                 {.heading = "largest"}, {.heading = "steady"},
                                 {.heading = "threads"}, {.heading = "longest thread"},
                                 {.heading = "calls"}};
    MC_PRINT_BEGIN_ROWS(&print, "suspects methods", columns);
    for (uint32_t i = 0; i < methods->count; i++)
        print_method(&print, report, i);
    mc_print_end_rows(&print);
    mc_text_append_string(out, "\n<p class=muted>");
    if (methods->frame_ms > MC_SLIDING_WINDOW_MOST_MS)
        mc_text_format(out, "From the beginning to step %u.</p>\n", report->last_step);
    else
        mc_text_format(out,
                       "In the %g s before step %u. Steady: the least elevation in the last ten "
                       "frames; what stays at 100&nbsp;%% does not end.</p>\n",
                       methods->frame_ms / 1000, report->last_step);
}
