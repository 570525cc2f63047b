#include "app/command.h"
#include "app/format.h"
#include "app/node_text.h"
#include "engine/analyze/search.h"
#include "engine/base/memory.h"
#include <inttypes.h>
#include <string.h>

typedef struct find_options {
    const char *pattern;
    bool regex, json;
    uint32_t most, step;
    const char *metric_key;
    mc_metric metric; // to show beside objects and bytes, or MC_NONE
} find_options;

// A node's values at the step.
typedef struct counts {
    uint64_t objects, bytes;
    uint64_t other; // of the metric that is asked for
} counts;

static mc_result read_counts(const mc_trace *trace, const find_options *options, uint32_t node,
                             counts *values, mc_error *error) {
    uint32_t step = options->step;
    mc_result result =
        mc_trace_read_value(trace, step, MC_METRIC_OBJECTS, node, &values->objects, error);
    if (result == MC_OK)
        result = mc_trace_read_value(trace, step, MC_METRIC_BYTES, node, &values->bytes, error);
    if (result == MC_OK && options->metric != MC_NONE)
        result = mc_trace_read_value(trace, step, options->metric, node, &values->other, error);
    return result;
}

static void write_json_row(const mc_trace *trace, const find_options *options, uint32_t node,
                           counts values, mc_text *out) {
    mc_text_append_string(out, "\n{\"key\":");
    mc_node_append_key_json(trace, node, out);
    mc_text_format(out, ",\"leaf\":%s,\"objects\":%" PRIu64 ",\"bytes\":%" PRIu64,
                   mc_trace_get_nodes(trace)->child_count[node] == 0 ? "true" : "false",
                   values.objects, values.bytes);
    if (options->metric != MC_NONE) {
        const mc_metric_info *info = mc_trace_get_metric(trace, options->metric);
        char text[MC_FORMAT_SIZE];
        mc_text_append_string(out, ",");
        mc_format_append_json(out, info->key, info->key_size);
        mc_text_format(out, ":%s", mc_format_exact(text, info, values.other));
    }
    mc_text_append_string(out, "}");
}

static void write_text_row(const mc_trace *trace, const find_options *options, uint32_t node,
                           counts values, mc_text *out) {
    char objects[MC_FORMAT_SIZE], bytes[MC_FORMAT_SIZE];
    mc_text_format(out, "%14s %12s  ", mc_format_count(objects, values.objects),
                   mc_format_bytes(bytes, values.bytes));
    if (options->metric != MC_NONE)
        mc_text_format(
            out, values.other == MC_COUNT_UNKNOWN ? "%16s  " : "%14s  ",
            mc_format_value(bytes, mc_trace_get_metric(trace, options->metric), values.other));
    mc_node_append_key_tsv(trace, node, out);
    mc_text_append_string(out, "\n");
}

static mc_result write_hits(const mc_trace *trace, const find_options *options,
                            const mc_search_result *found, const uint32_t *hits, mc_text *out,
                            mc_error *error) {
    uint32_t count = found->own_count < options->most ? found->own_count : options->most;
    if (options->json)
        mc_text_format(
            out, "{\"step\":%" PRIu32 ",\"hits\":%" PRIu32 ",\"leaves\":%" PRIu32 ",\"nodes\":[",
            options->step, found->own_count, found->leaf_count);
    for (uint32_t i = 0; i < count && mc_command_pass_on(out); i++) {
        counts values;
        mc_result result = read_counts(trace, options, hits[i], &values, error);
        if (result != MC_OK) return result;
        if (options->json) {
            mc_text_append_string(out, i > 0 ? "," : "");
            write_json_row(trace, options, hits[i], values, out);
        } else {
            write_text_row(trace, options, hits[i], values, out);
        }
    }
    if (options->json) mc_text_append_string(out, "]}\n");
    if (!options->json && count < found->own_count)
        mc_message_say("%" PRIu32 " more; -n says how many", found->own_count - count);
    return MC_OK;
}

static mc_result write_rows(const mc_trace *trace, const find_options *options,
                            const mc_search_result *found, mc_text *out, mc_error *error) {
    uint32_t *hits = mc_alloc((size_t)found->own_count + 1, sizeof *hits);
    if (!hits) return mc_error_out_of_memory(error);
    memcpy(hits, found->own, found->own_count * sizeof *hits);
    mc_metric metric =
        options->metric != MC_NONE ? options->metric : mc_trace_get_usual_metric(trace);
    mc_result result = mc_search_sort_at(trace, metric, options->step, mc_step_range_whole(trace),
                                         hits, found->own_count, error);
    if (result == MC_OK) result = write_hits(trace, options, found, hits, out, error);
    mc_free(hits);
    return result;
}

static int run(const mc_trace *trace, find_options *options) {
    mc_city_desc desc = mc_city_desc_default(trace);
    int code = mc_command_get_step(trace, &desc, &options->step);
    if (code == MC_EXIT_OK && options->metric_key)
        code = mc_command_find_metric(trace, "--metric", options->metric_key, &options->metric);
    if (code != MC_EXIT_OK) return code;
    if (options->metric < MC_METRIC_FIRST_OWN) options->metric = MC_NONE; // it is there anyway
    mc_error error = {0};
    mc_search *search = NULL;
    mc_search_result found = {0};
    mc_text out = {0};
    mc_command_progress shown;
    mc_progress progress = mc_command_begin_progress(&shown, "searching");
    mc_result result = mc_search_create(trace, &search, &error);
    if (result == MC_OK)
        result = mc_search_find(search, options->pattern, strlen(options->pattern),
                                options->regex ? MC_SEARCH_REGEX : MC_SEARCH_SUBSTRING, &progress,
                                &found, &error);
    result = mc_command_end_progress(&shown, result, &error);
    bool is_wrong = result == MC_ERROR_BAD_DATA;
    if (result == MC_OK) result = write_rows(trace, options, &found, &out, &error);
    mc_search_destroy(search);
    if (result == MC_OK) return mc_command_print(&out);
    mc_text_deinit(&out);
    return is_wrong ? mc_command_wrong_usage("find: %s", error.message) : mc_command_fail(&error);
}

int mc_command_find(int argc, const char **argv) {
    find_options options = {.most = 100, .step = MC_NONE, .metric = MC_NONE};
    uint32_t count;
    int code;
    mc_input_options input = {0};
    mc_option_list list = {0};
    mc_option_list_add_flag(&list, "regex", &options.regex,
                            "the pattern is a regular expression, as Perl's");
    mc_option_list_add_uint(&list, "n", &options.most, "N", "at most so many (100)");
    mc_option_list_add_uint(&list, "step", &options.step, "K",
                            "whose counts are printed, counted from 0 (the last)");
    mc_option_list_add_string(&list, "metric", &options.metric_key, "NAME",
                              "print another metric of the trace beside objects and bytes");
    mc_option_list_add_flag(&list, "json", &options.json, "one JSON object");
    mc_option_list_add_input(&list, &input);
    mc_option_list_hide(&list, "paths");
    if (!mc_command_begin(
            &list,
            "memcity find TRACE… PATTERN [--regex] [-n N] [--step K] [--metric NAME] "
            "[--json]",
            "Lists what has the pattern in its full key, in capitals or not: objects, "
            "bytes, full key; the largest at the step first. What is below a district that has it "
            "is not listed for "
            "that.",
            argc, argv, &count, &code))
        return code;
    if (count < 2) return mc_command_wrong_usage("find: say what to look for after the trace");
    options.pattern = argv[count - 1];
    mc_trace *trace = NULL;
    input.groups_as_usual = true;
    code = mc_command_open(argv, count - 1, &input, &trace);
    if (code == MC_EXIT_OK) code = run(trace, &options);
    mc_trace_destroy(trace);
    return code;
}
