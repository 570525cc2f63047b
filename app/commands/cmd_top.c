#include "app/command.h"
#include "app/estimate.h"
#include "app/format.h"
#include "app/method_facts.h"
#include "app/node_text.h"
#include "app/subject_text.h"
#include "engine/analyze/cause_finder.h"
#include "engine/analyze/node_facts.h"
#include "engine/analyze/trend.h"
#include "engine/base/memory.h"
#include "engine/trace/regroup/sliding_window.h"
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define S_PER_HOUR 3600.0

typedef struct top_options {
    bool json, trend;
    uint32_t most, order;
} top_options;

enum { BY_GROWTH, BY_CAUSE };
static const char *const order_names[] = {"growth", "cause", NULL};

// What is printed: the first leaves of an order.
typedef struct top_list {
    const mc_trace *trace;
    const mc_city_desc *desc;
    const mc_metric_info *info;
    const uint32_t *order;
    const mc_node_facts *facts;     // one a leaf of the list
    mc_metric variance;             // MC_NONE: the values are no estimates
    const mc_node_facts *variances; // one a leaf of the list, if they are
    const mc_trend *trends;         // likewise; NULL: not asked for
    const mc_causes *causes;        // NULL: likewise
    bool is_cause_asked;            // else what can't be known of them is left out
    uint32_t count;
} top_list;

static const char *get_state(mc_trend trend) {
    if (trend.growth.kind == MC_GROWTH_GOES_ON) return "grows";
    if (trend.growth.kind == MC_GROWTH_STOPPED) return "stopped";
    return trend.direction < 0 ? "shrinks" : "";
}

static void write_trend_json(const top_list *list, mc_trend trend, mc_text *out) {
    mc_text_format(out, ",\"slope_per_s\":%.9g,\"p\":%.6g,\"trend\":%d,\"state\":\"%s\"",
                   mc_metric_scale_back(list->info, trend.slope_per_s), trend.p_value,
                   trend.direction, get_state(trend));
    if (trend.growth.kind != MC_GROWTH_NONE)
        mc_text_format(out, ",\"since_step\":%" PRIu32 ",\"until_step\":%" PRIu32,
                       list->desc->window.first_step + trend.growth.since,
                       list->desc->window.first_step + trend.growth.until);
}

static void write_facts_json(const top_list *list, const mc_node_facts *facts, mc_text *out) {
    char first[MC_FORMAT_SIZE], last[MC_FORMAT_SIZE], max[MC_FORMAT_SIZE], text[MC_FORMAT_SIZE];
    mc_text_format(out, ",\"first\":%s,\"last\":%s,\"max\":%s,\"growth\":%s",
                   mc_format_exact(first, list->info, facts->first),
                   mc_format_exact(last, list->info, facts->last),
                   mc_format_exact(max, list->info, facts->max),
                   mc_format_exact_growth(text, list->info, facts->first, facts->last));
    if (list->info->kind == MC_METRIC_FLOW)
        mc_text_format(out, ",\"sum\":%s", mc_format_exact(text, list->info, facts->sum));
}

// The cause of a leaf that is none itself; MC_NONE: it is one, or has none.
static uint32_t find_reason(const top_list *list, uint32_t node) {
    const mc_cause *cause = list->causes ? mc_causes_get(list->causes, node) : NULL;
    return cause && cause->node != node ? cause->node : MC_NONE;
}

static void write_cause_json(const top_list *list, uint32_t node, mc_text *out) {
    const mc_cause *cause = mc_causes_get(list->causes, node);
    mc_text_append_string(out, ",\"cause\":");
    if (cause)
        mc_node_append_key_json(list->trace, cause->node, out);
    else
        mc_text_append_string(out, "null");
}

// Of the last value.
static uint64_t get_error(const top_list *list, uint32_t i) {
    return mc_estimate_get_error(list->trace, list->variance, list->variances[i].last,
                                 list->facts[i].last);
}

static void write_json(const top_list *list, mc_text *out) {
    mc_text_append(out, "[", 1);
    for (uint32_t i = 0; i < list->count && mc_command_pass_on(out); i++) {
        uint32_t node = list->order[i];
        mc_text_append_string(out, i > 0 ? ",\n{\"key\":" : "{\"key\":");
        mc_node_append_key_json(list->trace, node, out);
        mc_text_append_string(out, ",\"path\":");
        mc_node_append_path_json(list->trace, node, out);
        write_facts_json(list, &list->facts[i], out);
        if (list->variance != MC_NONE)
            mc_text_format(out, ",\"error\":%" PRIu64, get_error(list, i));
        if (list->trends) write_trend_json(list, list->trends[i], out);
        if (list->causes) write_cause_json(list, node, out);
        mc_text_append(out, "}", 1);
    }
    mc_text_append_string(out, "]\n");
}

// Right-aligned; the signs of none and minus are more than one byte wide, and so is the dash.
static void append_right(mc_text *out, const char *text) {
    unsigned char first = (unsigned char)text[0];
    int width = 16 + (first < 0x80 ? 0 : first == 0xe2 ? 2 : 1);
    mc_text_format(out, "%*s ", width, text);
}

static void append_slope(const top_list *list, mc_text *out, double slope) {
    char text[MC_FORMAT_SIZE];
    double number = mc_metric_scale_back(list->info, slope);
    if (list->info->is_real)
        snprintf(text, sizeof text, "%+.6g", number);
    else
        mc_format_rate(text, number);
    append_right(out, text);
}

// One step alone has what there is, and no growth.
static bool is_single(const top_list *list) {
    return list->desc->window.first_step == list->desc->window.last_step;
}

static void append_facts(const top_list *list, uint32_t i, mc_text *out) {
    const mc_node_facts *facts = &list->facts[i];
    char text[MC_FORMAT_SIZE];
    if (!is_single(list)) {
        append_right(out, mc_format_figure_growth(text, list->info, facts->first, facts->last));
        append_right(out, mc_format_figure(text, list->info, facts->first));
    }
    append_right(out, mc_format_figure(text, list->info, facts->last));
    if (list->variance != MC_NONE)
        append_right(out, mc_format_figure(text, list->info, get_error(list, i)));
    if (!is_single(list)) append_right(out, mc_format_figure(text, list->info, facts->max));
    if (list->info->kind == MC_METRIC_FLOW && !is_single(list))
        append_right(out, mc_format_figure(text, list->info, facts->sum));
}

// Slopes a step: as wide as the window's steps are on the average.
static void append_trend(const top_list *list, mc_trend trend, mc_text *out) {
    mc_step_range window = list->desc->window;
    double span_s = (double)mc_step_range_get_duration_ms(list->trace, window) / 1000;
    uint32_t steps = window.last_step - window.first_step;
    append_slope(list, out, steps > 0 ? trend.slope_per_s * span_s / steps : 0);
    append_slope(list, out, trend.slope_per_s * S_PER_HOUR);
    char p[16] = "< 0.0001";
    if (trend.p_value >= 0.0001) snprintf(p, sizeof p, "%.4f", trend.p_value);
    mc_text_format(out, "%8s %-7s ", p, get_state(trend));
}

static void write_text(const top_list *list, mc_text *out) {
    mc_step_range window = list->desc->window;
    if (is_single(list))
        mc_text_format(out, "%16s ", "now");
    else
        mc_text_format(out, "%16s %16s %16s ", "growth", "first", "last");
    if (list->variance != MC_NONE) mc_text_format(out, "%17s ", "± 95 %");
    if (!is_single(list)) mc_text_format(out, "%16s ", "max");
    if (list->info->kind == MC_METRIC_FLOW && !is_single(list)) mc_text_format(out, "%16s ", "sum");
    if (list->trends)
        mc_text_format(out, "%16s %16s %8s %-7s ", "slope a step", "slope an hour", "p", "trend");
    mc_text_append_string(out, " ");
    mc_format_append_line(out, list->info->key, list->info->key_size);
    if (is_single(list))
        mc_text_format(out, ", step %" PRIu32 "\n", window.first_step);
    else
        mc_text_format(out, ", steps %" PRIu32 " to %" PRIu32 "\n", window.first_step,
                       window.last_step);
    for (uint32_t i = 0; i < list->count && mc_command_pass_on(out); i++) {
        uint32_t node = list->order[i];
        append_facts(list, i, out);
        if (list->trends) append_trend(list, list->trends[i], out);
        mc_text_append(out, " ", 1);
        mc_node_append_path_line(list->trace, node, out);
        uint32_t reason = find_reason(list, node);
        if (reason != MC_NONE) mc_text_append_string(out, "  because of ");
        if (reason != MC_NONE) mc_node_append_name_line(list->trace, reason, out);
        mc_text_append(out, "\n", 1);
    }
}

// A leak that was freed at the end has not grown from the first to the last step.
static void tell_release(const mc_trace *trace, const mc_city_desc *desc) {
    uint32_t release = mc_step_range_find_release(trace, desc->metric);
    if (release == MC_NONE || desc->window.first_step >= release ||
        desc->window.last_step <= release)
        return;
    mc_message_say("most of %s at the end; --window %" PRIu32 ":%" PRIu32
                   " shows what grew before that",
                   mc_subject_is_heap(trace) ? "the heap was freed" : "it was gone",
                   desc->window.first_step, release);
}

// What the order was made by is exact, unless the metric is of real numbers, or a flow.
static mc_result find_facts(const top_list *list, const mc_max_tree *tree, const uint32_t *order,
                            mc_node_facts *facts, mc_error *error) {
    const mc_metric_info *info = list->info;
    if (info->is_real || !info->is_additive || info->kind == MC_METRIC_FLOW)
        return mc_node_facts_read(list->trace, list->desc->metric, list->desc->window, order,
                                  list->count, facts, error);
    for (uint32_t i = 0; i < list->count; i++)
        facts[i] = (mc_node_facts){.first = tree->first[order[i]],
                                   .last = tree->last[order[i]],
                                   .max = tree->max[order[i]]};
    return MC_OK;
}

// Moves a leaf to the `place` of its rank, and what stands between behind it. Returns the next
// place.
static uint32_t promote(uint32_t *order, uint32_t count, uint32_t place, uint32_t node) {
    uint32_t at = place;
    while (at < count && order[at] != node)
        at++;
    if (at == count) return place; // no leaf, or there already
    memmove(order + place + 1, order + place, (at - place) * sizeof *order);
    order[place] = node;
    return place + 1;
}

// Each cause, and behind it what it explains; then all else by growth.
static void order_by_cause(const mc_causes *causes, uint32_t *order, uint32_t count) {
    uint32_t place = 0;
    for (uint32_t i = 0; i < causes->count; i++) {
        const mc_cause *cause = &causes->items[i];
        place = promote(order, count, place, cause->node);
        for (uint32_t k = 0; k < cause->explained_count; k++)
            place = promote(order, count, place, cause->explained[k].node);
    }
}

static mc_result find_causes(const top_list *list, const mc_causes_desc *wanted, mc_causes *causes,
                             mc_error *error) {
    mc_result result = mc_causes_find(list->trace, wanted, NULL, causes, error);
    if (result == MC_OK || list->is_cause_asked) return result;
    mc_message_warn("what makes the heap grow can't be told: %s", error->message);
    *causes = (mc_causes){0};
    *error = (mc_error){0};
    return MC_OK;
}

static mc_result find_variances(const top_list *list, const uint32_t *order,
                                mc_node_facts *variances, mc_error *error) {
    uint32_t step = list->desc->window.last_step;
    if (list->variance == MC_NONE) return MC_OK;
    return mc_node_facts_read(list->trace, list->variance, (mc_step_range){step, step}, order,
                              list->count, variances, error);
}

static mc_result compute(const top_list *list, mc_causes *causes, mc_trend *trends,
                         mc_node_facts *facts, mc_node_facts *variances, uint32_t *order,
                         mc_error *error) {
    const mc_city_desc *desc = list->desc;
    mc_max_tree tree = {0};
    mc_result result =
        mc_max_tree_compute(&tree, list->trace, desc->metric, desc->window, NULL, error);
    if (result == MC_OK)
        result = mc_max_tree_rank(&tree, mc_trace_get_nodes(list->trace), order, error);
    mc_causes_desc wanted = {.metric = desc->metric, .window = desc->window};
    if (result == MC_OK && list->causes) result = find_causes(list, &wanted, causes, error);
    if (result == MC_OK && list->causes)
        order_by_cause(causes, order, mc_trace_get_nodes(list->trace)->leaf_count);
    if (result == MC_OK) result = find_facts(list, &tree, order, facts, error);
    if (result == MC_OK) result = find_variances(list, order, variances, error);
    mc_max_tree_deinit(&tree);
    if (result == MC_OK && trends)
        result = mc_trend_compute_nodes(list->trace, desc->metric, desc->window, order, list->count,
                                        trends, NULL, error);
    return result;
}

static int print_methods(const mc_trace *trace, const mc_city_desc *desc, uint32_t most) {
    mc_text out = {0};
    mc_error error = {0};
    if (mc_method_facts_append_table(trace, desc->window.last_step, most, &out, &error) == MC_OK)
        return mc_command_print(&out);
    mc_text_deinit(&out);
    return mc_command_fail(&error);
}

static int print_top(const mc_trace *trace, const mc_city_desc *desc, const top_options *options) {
    uint32_t leaf_count = mc_trace_get_nodes(trace)->leaf_count;
    mc_error error = {0};
    mc_text out = {0};
    mc_causes causes = {0};
    top_list list = {
        .trace = trace, .desc = desc, .info = mc_trace_get_metric(trace, desc->metric)};
    bool by_cause = options->order == BY_CAUSE || (options->order == MC_NONE && !options->json);
    list.causes = by_cause ? &causes : NULL;
    list.is_cause_asked = options->order == BY_CAUSE;
    list.count = options->most < leaf_count ? options->most : leaf_count;
    uint32_t *order = mc_alloc(leaf_count, sizeof *order);
    mc_trend *trends = options->trend ? mc_alloc((size_t)list.count + 1, sizeof *trends) : NULL;
    mc_node_facts *facts = mc_alloc((size_t)list.count + 1, sizeof *facts);
    mc_node_facts *variances = mc_alloc((size_t)list.count + 1, sizeof *variances);
    list.variance = mc_estimate_find_variance(trace, desc->metric);
    mc_result result = order && facts && variances && (trends || !options->trend)
                           ? compute(&list, &causes, trends, facts, variances, order, &error)
                           : mc_error_out_of_memory(&error);
    if (result == MC_OK) {
        list.order = order;
        list.facts = facts;
        list.variances = variances;
        list.trends = trends;
        if (options->json) {
            write_json(&list, &out);
        } else {
            tell_release(trace, desc);
            write_text(&list, &out);
        }
    }
    mc_causes_deinit(&causes);
    mc_free(order);
    mc_free(facts);
    mc_free(variances);
    mc_free(trends);
    return result == MC_OK ? mc_command_print(&out) : mc_command_fail(&error);
}

int mc_command_top(int argc, const char **argv) {
    top_options options = {.most = 20, .order = MC_NONE};
    uint32_t path_count;
    int code;
    mc_input_options input = {0};
    mc_layout_options layout = mc_layout_options_default();
    layout.is_whole = true;
    mc_option_list list = {0};
    mc_option_list_add_metric(&list, &layout);
    mc_option_list_add_uint(&list, "n", &options.most, "N", "how many (20)");
    mc_option_list_add_window(&list, &layout, "growth from step A to step B, counted from 0");
    mc_option_list_add_flag(&list, "trend", &options.trend,
                            "also the slope over the window (Theil-Sen), how likely chance is (p, "
                            "Mann-Kendall), and whether it keeps growing or has stopped: a "
                            "saw-tooth or a cache that is full is no leak");
    mc_option_list_add_choice(&list, "by", &options.order, order_names, "ORDER",
                              "which come first: what grew the most, or what makes it grow, each "
                              "cause with what it explains behind it (cause; of --json growth)");
    mc_option_list_add_flag(&list, "json", &options.json, "a JSON array");
    mc_option_list_add_input(&list, &input);
    mc_option_list_hide(&list, "paths");
    if (!mc_command_begin(&list,
                          "memcity top TRACE… [--metric NAME] [-n N] [--window A:B] "
                          "[--trend] [--by ORDER] [--json]",
                          "Lists the leaves that make the heap grow, each with those that grow "
                          "because of it, and then those that grew the most between the first and "
                          "the last step. Of methods those that are the highest in the last frame.",
                          argc, argv, &path_count, &code))
        return code;
    mc_trace *trace = NULL;
    mc_city_desc desc;
    bool is_asked = layout.metric_key != NULL;
    input.groups_as_usual = true;
    code = mc_command_open_for_layout(argv, path_count, &input, &layout, &trace, &desc);
    // Of methods it is of interest how high they are, unless one asks for something else.
    bool has_methods = code == MC_EXIT_OK && mc_trace_get_frame_ms(trace) > 0 && !is_asked &&
                       !options.json && !options.trend && options.order == MC_NONE;
    if (code == MC_EXIT_OK)
        code = has_methods ? print_methods(trace, &desc, options.most)
                           : print_top(trace, &desc, &options);
    mc_trace_destroy(trace);
    return code;
}
