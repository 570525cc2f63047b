#include "app/command.h"
#include "app/format.h"
#include <inttypes.h>

static void write_metric_json(const mc_metric_info *info, bool is_first, mc_text *out) {
    mc_text_append_string(out, is_first ? "{\"name\":" : ",{\"name\":");
    mc_format_append_json(out, info->key, info->key_size);
    mc_text_append_string(out, ",\"title\":");
    mc_format_append_json(out, info->title, info->title_size);
    mc_text_format(out, ",\"unit\":\"%s\",\"kind\":\"%s\",\"additive\":%s,\"real\":%s}",
                   mc_unit_names[info->unit], mc_metric_kind_names[info->kind],
                   info->is_additive ? "true" : "false", info->is_real ? "true" : "false");
}

static void write_json(const mc_trace *trace, mc_text *out) {
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
                       step->node_count, step->leaf_count, step->pair_count);
    }
    mc_text_append_string(out, "]}\n");
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

static void write_text(const mc_trace *trace, mc_text *out) {
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
    mc_text_format(out, "%5s %19s %16s %12s %12s %10s %10s\n", "step", "time", "objects", "bytes",
                   "nodes", "leaves", "pairs");
    for (uint32_t i = 0; i < mc_trace_get_step_count(trace); i++) {
        const mc_step_info *step = mc_trace_get_step(trace, i);
        char time[MC_FORMAT_SIZE];
        mc_text_format(out, "%5" PRIu32 " %19s %16s %12s %12s %10s %10s\n", i,
                       mc_format_time(time, step->time_ms), mc_format_count(a, step->objects),
                       mc_format_bytes(b, step->bytes), mc_format_count(c, step->node_count),
                       mc_format_count(d, step->leaf_count), mc_format_count(e, step->pair_count));
    }
}

int mc_command_info(int argc, const char **argv) {
    bool json = false;
    mc_input_options input = {0};
    mc_option_list list = {0};
    mc_option_list_add_flag(&list, "json", &json, "one JSON object");
    mc_option_list_add_input(&list, &input);
    uint32_t path_count;
    int code;
    if (!mc_command_begin(
            &list, "memcity info TRACE… [--json]",
            "Says what a trace holds: its classifiers, how many nodes and leaves, and of every "
            "step the time and the totals.",
            argc, argv, &path_count, &code))
        return code;

    mc_trace *trace = NULL;
    code = mc_command_open(argv, path_count, &input, &trace);
    if (code != MC_EXIT_OK) return code;
    mc_text out = {0};
    if (json)
        write_json(trace, &out);
    else
        write_text(trace, &out);
    mc_trace_destroy(trace);
    return mc_command_print(&out);
}
