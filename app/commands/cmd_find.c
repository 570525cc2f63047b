#include "app/command.h"
#include "app/print/print.h"
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

static mc_result print_hits(mc_print *print, const mc_trace *trace, const find_options *options,
                            const uint32_t *hits, uint32_t count, mc_error *error) {
    bool has_metric = options->metric != MC_NONE;
    const mc_metric_info *info = has_metric ? mc_trace_get_metric(trace, options->metric) : NULL;
    const mc_column columns[] = {
        {.key = "key"},
        {.key = "leaf"},
        {"objects", "", .width = 14},
        {"bytes", "", .before = " ", .width = 12},
        {has_metric ? info->key : NULL, "", .before = "  ", .width = 14, .is_off = !has_metric},
        {.heading = "", .before = "  "}};
    MC_PRINT_BEGIN_ROWS(print, "nodes", columns);
    for (uint32_t i = 0; i < count && mc_command_pass_on(print->out); i++) {
        counts values = {0};
        mc_cell key = mc_cell_key(trace, hits[i]);
        mc_result result = read_counts(trace, options, hits[i], &values, error);
        if (result != MC_OK) return result;
        MC_PRINT_ROW(print, key, mc_cell_bool(mc_trace_get_nodes(trace)->child_count[hits[i]] == 0),
                     mc_cell_count(values.objects), mc_cell_bytes(values.bytes),
                     mc_cell_value(info, values.other), key);
    }
    mc_print_end_rows(print);
    return MC_OK;
}

static mc_result print_found(mc_print *print, const mc_trace *trace, const find_options *options,
                             const mc_search_result *found, const uint32_t *hits, mc_error *error) {
    uint32_t count = found->own_count < options->most ? found->own_count : options->most;
    mc_print_begin_object(print, NULL);
    MC_PRINT(print, {"step", mc_cell_count(options->step)},
             {"hits", mc_cell_count(found->own_count)},
             {"leaves", mc_cell_count(found->leaf_count)});
    mc_result result = print_hits(print, trace, options, hits, count, error);
    mc_print_end_object(print);
    mc_print_end(print);
    if (result == MC_OK && !options->json && count < found->own_count)
        mc_message_say("%" PRIu32 " more; -n says how many", found->own_count - count);
    return result;
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
    mc_print print = mc_print_to(out, options->json, false);
    if (result == MC_OK) result = print_found(&print, trace, options, found, hits, error);
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
                            "treat the pattern as a Perl-compatible regular expression");
    mc_option_list_add_uint(&list, "n", &options.most, "N", "print at most N groups (100)");
    mc_option_list_add_uint(&list, "step", &options.step, "K",
                            "step whose values are printed, counted from 0 (the last)");
    mc_option_list_add_string(&list, "metric", &options.metric_key, "NAME",
                              "print another metric of the trace beside objects and bytes");
    mc_option_list_add_flag(&list, "json", &options.json, "print one JSON object");
    mc_option_list_add_input(&list, &input);
    mc_option_list_hide(&list, "paths");
    if (!mc_command_begin(&list,
                          "memcity find TRACE… PATTERN [--regex] [-n N] [--step K] [--metric NAME] "
                          "[--json]",
                          "Lists the groups whose full key contains the pattern, ignoring case: "
                          "objects, bytes, full key,\nthe largest at the step first. Groups are "
                          "not listed only because the district around them\nmatches.",
                          argc, argv, &count, &code))
        return code;
    if (count < 2) return mc_command_wrong_usage("find: a pattern after the trace is missing");
    options.pattern = argv[count - 1];
    mc_trace *trace = NULL;
    input.groups_as_usual = true;
    code = mc_command_open(argv, count - 1, &input, &trace);
    if (code == MC_EXIT_OK) code = run(trace, &options);
    mc_trace_destroy(trace);
    return code;
}
