#include "app/command.h"
#include "app/format.h"
#include "engine/base/memory.h"
#include <inttypes.h>
#include <stdio.h>

static void write_json(const mc_trace *trace, const mc_max_tree *tree, const uint32_t *order,
                       uint32_t count, mc_text *out) {
    mc_text text = {0};
    mc_text_append(out, "[", 1);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t node = order[i];
        mc_text_append_string(out, i > 0 ? ",\n{\"key\":" : "{\"key\":");
        mc_text_clear(&text);
        mc_trace_append_full_key(trace, node, &text);
        mc_format_append_json(out, text.data, text.size);
        mc_text_append_string(out, ",\"path\":");
        out->failed |= text.failed;
        mc_text_clear(&text);
        mc_trace_append_path(trace, node, &text);
        mc_format_append_json(out, text.data, text.size);
        out->failed |= text.failed;
        mc_text_format(out,
                       ",\"first\":%" PRIu64 ",\"last\":%" PRIu64 ",\"max\":%" PRIu64
                       ",\"growth\":%" PRId64 "}",
                       tree->first[node], tree->last[node], tree->max[node],
                       mc_max_tree_get_growth(tree, node));
    }
    mc_text_append_string(out, "]\n");
    mc_text_deinit(&text);
}

static void write_text(const mc_trace *trace, const mc_city_desc *desc, const mc_max_tree *tree,
                       const uint32_t *order, uint32_t count, mc_text *out) {
    mc_text text = {0};
    mc_text_format(out, "%16s %16s %16s %16s  %s, steps %" PRIu32 " to %" PRIu32 "\n", "growth",
                   "first", "last", "max", mc_metric_names[desc->metric], desc->window.first_step,
                   desc->window.last_step);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t node = order[i];
        char growth[MC_FORMAT_SIZE], first[MC_FORMAT_SIZE], last[MC_FORMAT_SIZE],
            max[MC_FORMAT_SIZE];
        mc_format_growth(growth, mc_max_tree_get_growth(tree, node));
        // The signs of none and minus are more than one byte wide.
        int width = 16 + (growth[0] == '+' ? 0 : (unsigned char)growth[0] == 0xe2 ? 2 : 1);
        mc_text_clear(&text);
        mc_trace_append_path(trace, node, &text);
        mc_text_format(
            out, "%*s %16s %16s %16s  ", width, growth, mc_format_count(first, tree->first[node]),
            mc_format_count(last, tree->last[node]), mc_format_count(max, tree->max[node]));
        mc_format_append_line(out, text.data, text.size);
        mc_text_append(out, "\n", 1);
        out->failed |= text.failed;
    }
    mc_text_deinit(&text);
}

// A leak that was freed at the end has not grown from the first to the last step.
static void tell_release(const mc_trace *trace, const mc_city_desc *desc) {
    uint32_t release = mc_window_find_release(trace, desc->metric);
    if (release == MC_NONE || desc->window.first_step >= release ||
        desc->window.last_step <= release)
        return;
    fprintf(stderr,
            "memcity: most of the heap was freed at the end; --window %" PRIu32 ":%" PRIu32
            " shows what grew before that\n",
            desc->window.first_step, release);
}

static int print_top(const mc_trace *trace, const mc_city_desc *desc, uint32_t most, bool json) {
    const mc_node_columns *nodes = mc_trace_get_nodes(trace);
    mc_max_tree tree = {0};
    mc_error error = {0};
    mc_text out = {0};
    uint32_t *order = mc_alloc(nodes->leaf_count, sizeof *order);
    mc_result result = MC_ERROR_OUT_OF_MEMORY;
    if (order)
        result = mc_max_tree_compute(&tree, trace, desc->metric, desc->window, NULL, &error);
    else
        mc_error_out_of_memory(&error);
    if (result == MC_OK) result = mc_max_tree_rank(&tree, nodes, order, &error);
    if (result == MC_OK) {
        uint32_t count = most < nodes->leaf_count ? most : nodes->leaf_count;
        if (json) {
            write_json(trace, &tree, order, count, &out);
        } else {
            tell_release(trace, desc);
            write_text(trace, desc, &tree, order, count, &out);
        }
    }
    mc_max_tree_deinit(&tree);
    mc_free(order);
    return result == MC_OK ? mc_command_print(&out) : mc_command_fail(&error);
}

int mc_command_top(int argc, const char **argv) {
    bool json = false;
    uint32_t most = 20;
    mc_input_options input = {0};
    mc_layout_options layout = mc_layout_options_default();
    mc_option_list list = {0};
    mc_option_list_add(&list, (mc_option){.name = "metric",
                                          .kind = MC_OPTION_CHOICE,
                                          .target = &layout.metric,
                                          .choices = mc_metric_names,
                                          .argument = "M",
                                          .help = "what is counted (bytes)"});
    mc_option_list_add(&list, (mc_option){.name = "n",
                                          .kind = MC_OPTION_UINT,
                                          .target = &most,
                                          .argument = "N",
                                          .help = "how many (20)"});
    mc_option_list_add(&list, (mc_option){.name = "window",
                                          .kind = MC_OPTION_RANGE,
                                          .target = layout.window,
                                          .argument = "A:B",
                                          .help = "growth from step A to step B, counted from 0"});
    mc_option_list_add(&list, (mc_option){.name = "json",
                                          .kind = MC_OPTION_FLAG,
                                          .target = &json,
                                          .value = true,
                                          .help = "a JSON array"});
    mc_option_list_add_input(&list, &input);
    mc_command_usage usage = {
        .synopsis = "memcity top TRACE… [--metric objects|bytes] [-n N] [--window A:B] [--json]",
        .text = "Lists the leaves that grew the most between the first and the last step.",
        .options = list.options,
        .option_count = list.count,
        .least_positional = 1,
        .most_positional = MC_NONE};
    uint32_t path_count;
    mc_options_result parsed = mc_options_parse(&usage, argc, argv, &path_count);
    if (parsed != MC_OPTIONS_OK) return parsed == MC_OPTIONS_HELP ? MC_EXIT_OK : MC_EXIT_USAGE;

    mc_trace *trace = NULL;
    int code = mc_command_open(argv, path_count, &input, &trace);
    if (code != MC_EXIT_OK) return code;
    mc_city_desc desc;
    code = mc_command_get_city_desc(&layout, trace, &desc);
    if (code == MC_EXIT_OK) code = print_top(trace, &desc, most, json);
    mc_trace_destroy(trace);
    return code;
}
