#include "app/command.h"
#include "app/estimate.h"
#include "app/format.h"
#include "app/method_facts.h"
#include "app/print/print.h"
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

// The cause of a leaf; MC_NONE: it has none, or causes are not asked for.
static uint32_t get_cause(const top_list *list, uint32_t node) {
    const mc_cause *cause = list->causes ? mc_causes_get(list->causes, node) : NULL;
    return cause ? cause->node : MC_NONE;
}

// Of the last value.
static mc_cell get_error(const top_list *list, uint32_t i) {
    if (list->variance == MC_NONE) return mc_cell_absent();
    return mc_cell_count(mc_estimate_get_error(list->trace, list->variance, list->variances[i].last,
                                               list->facts[i].last));
}

// One step alone has what there is, and no growth.
static bool is_single(const top_list *list) {
    return list->desc->window.first_step == list->desc->window.last_step;
}

// As text: a slope's number, and how likely chance is.
typedef struct trend_text {
    char step[MC_FORMAT_SIZE], hour[MC_FORMAT_SIZE], p[16];
} trend_text;

static void format_slope(const top_list *list, double slope, char text[MC_FORMAT_SIZE]) {
    double number = mc_metric_scale_back(list->info, slope);
    if (list->info->is_real)
        snprintf(text, MC_FORMAT_SIZE, "%+.6g", number);
    else
        mc_format_rate(text, number);
}

// Slopes a step: as wide as the window's steps are on the average.
static void format_trend(const top_list *list, mc_trend trend, trend_text *text) {
    mc_step_range window = list->desc->window;
    double span_s = (double)mc_step_range_get_duration_ms(list->trace, window) / 1000;
    uint32_t steps = window.last_step - window.first_step;
    format_slope(list, steps > 0 ? trend.slope_per_s * span_s / steps : 0, text->step);
    format_slope(list, trend.slope_per_s * S_PER_HOUR, text->hour);
    snprintf(text->p, sizeof text->p, trend.p_value >= 0.0001 ? "%.4f" : "< 0.0001", trend.p_value);
}

static void print_leaf(mc_print *print, const top_list *list, uint32_t i) {
    uint32_t node = list->order[i], first_step = list->desc->window.first_step;
    const mc_node_facts *facts = &list->facts[i];
    uint32_t cause = get_cause(list, node);
    mc_trend trend = list->trends ? list->trends[i] : (mc_trend){0};
    trend_text text = {0};
    if (list->trends) format_trend(list, trend, &text);
    bool has_growth = trend.growth.kind != MC_GROWTH_NONE,
         has_reason = cause != MC_NONE && cause != node;
    const char *state = mc_trend_get_state(&trend);
    mc_cell growth = mc_cell_figure_growth(list->info, facts->first, facts->last);
    mc_cell path = mc_cell_path(list->trace, node), error = get_error(list, i);
    MC_PRINT_ROW(
        print, mc_cell_node(list->trace, node), path, growth,
        mc_cell_figure(list->info, facts->first), mc_cell_figure(list->info, facts->last), error,
        mc_cell_figure(list->info, facts->max), growth, mc_cell_figure(list->info, facts->sum),
        error, mc_cell_real(mc_metric_scale_back(list->info, trend.slope_per_s), 9),
        mc_cell_real(trend.p_value, 6), mc_cell_text(text.step), mc_cell_text(text.hour),
        mc_cell_text(text.p), mc_cell_number(trend.direction), mc_cell_text(state ? state : ""),
        mc_cell_if(has_growth, mc_cell_count(first_step + trend.growth.since)),
        mc_cell_if(has_growth, mc_cell_count(first_step + trend.growth.until)), path,
        mc_cell_if(has_reason, mc_cell_name(list->trace, cause)), mc_cell_node(list->trace, cause));
}

// "bytes, steps 0 to 5"
static void append_subject(const top_list *list, mc_text *out) {
    mc_step_range window = list->desc->window;
    mc_format_append_line(out, list->info->key, list->info->key_size);
    if (is_single(list))
        mc_text_format(out, ", step %" PRIu32, window.first_step);
    else
        mc_text_format(out, ", steps %" PRIu32 " to %" PRIu32, window.first_step, window.last_step);
}

static void print_leaves(mc_print *print, const top_list *list) {
    mc_text subject = {0};
    bool is_estimate = list->variance != MC_NONE, is_one = is_single(list);
    bool has_sum = list->info->kind == MC_METRIC_FLOW, is_text = print->form == MC_PRINT_TEXT;
    append_subject(list, &subject);
    const mc_column columns[] = {
        {.key = "key"},
        {.key = "path"},
        {.heading = "growth", .width = 16, .after = " ", .is_off = is_one},
        {"first", "first", .width = 16, .after = " ", .is_off = is_text && is_one},
        {"last", is_one ? "now" : "last", .width = 16, .after = " "},
        {.heading = "± 95 %", .width = 16, .after = " ", .is_off = !is_estimate},
        {"max", "max", .width = 16, .after = " ", .is_off = is_text && is_one},
        {.key = "growth"},
        {"sum", "sum", .width = 16, .after = " ", .is_off = !has_sum || (is_text && is_one)},
        {.key = "error", .is_off = !is_estimate},
        {.key = "slope_per_s", .is_off = !list->trends},
        {.key = "p", .is_off = !list->trends},
        {.heading = "slope a step", .width = 16, .after = " ", .is_off = !list->trends},
        {.heading = "slope an hour", .width = 16, .after = " ", .is_off = !list->trends},
        {.heading = "p", .width = 8, .after = " ", .is_off = !list->trends},
        {.key = "trend", .is_off = !list->trends},
        {"state", "trend", .width = -7, .is_off = !list->trends, .after = " "},
        {.key = "since_step", .is_off = !list->trends},
        {.key = "until_step", .is_off = !list->trends},
        {.heading = subject.data, .before = " "},
        {.heading = "", .before = "  because of "},
        {.key = "cause", .is_off = !list->causes}};
    print->lines = MC_LINES_BETWEEN;
    MC_PRINT_BEGIN_ROWS(print, NULL, columns);
    for (uint32_t i = 0; i < list->count && mc_command_pass_on(print->out); i++)
        print_leaf(print, list, i);
    mc_print_end_rows(print);
    mc_print_end(print);
    print->out->failed |= subject.failed;
    mc_text_deinit(&subject);
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
    mc_message_warn("can't determine what makes the heap grow: %s", error->message);
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

// The highest methods at a step.
static void print_methods(mc_print *print, const mc_trace *trace, uint32_t step,
                          const mc_method_facts *methods, uint32_t count) {
    const mc_metric_info *info =
        mc_trace_get_metric(trace, mc_trace_find_metric(trace, mc_metric_elevation));
    double frame_ms = mc_trace_get_frame_ms(trace);
    char heading[96];
    if (frame_ms > MC_SLIDING_WINDOW_MOST_MS)
        snprintf(heading, sizeof heading, "method, from the beginning to step %" PRIu32, step);
    else
        snprintf(heading, sizeof heading, "method, in the %g s before step %" PRIu32,
                 frame_ms / 1000, step);
    const mc_column columns[] = {{.heading = "elevation", .width = 10},
                                 {.heading = "threads", .before = " ", .width = 8},
                                 {.heading = "calls", .before = " ", .width = 14},
                                 {.heading = "steady", .before = " ", .width = 8},
                                 {.heading = "longest thread", .before = "  ", .width = -24},
                                 {.heading = heading, .before = " "}};
    MC_PRINT_BEGIN_ROWS(print, NULL, columns);
    for (uint32_t i = 0; i < count; i++) {
        const mc_method_facts *method = &methods[i];
        MC_PRINT_ROW(print, mc_cell_value(info, method->value),
                     mc_cell_word(MC_CELL_INDEX, method->threads), mc_cell_count(method->calls),
                     mc_cell_share(method->steady),
                     mc_cell_text(method->thread[0] ? method->thread : "-"),
                     mc_cell_node(trace, method->node));
    }
}

static int find_methods(const mc_trace *trace, const mc_city_desc *desc, uint32_t most) {
    uint32_t leaves = mc_trace_get_nodes(trace)->leaf_count, count = 0;
    mc_text out = {0};
    mc_error error = {0};
    mc_print print = mc_print_to(&out, false, false);
    if (most > leaves) most = leaves;
    mc_method_facts *methods = mc_alloc((size_t)most + 1, sizeof *methods);
    mc_result result = methods
                           ? mc_method_facts_find(trace, desc->window.last_step,
                                                  mc_trace_find_metric(trace, mc_metric_elevation),
                                                  0, methods, most, &count, &error)
                           : mc_error_out_of_memory(&error);
    if (result == MC_OK) print_methods(&print, trace, desc->window.last_step, methods, count);
    mc_free(methods);
    return result == MC_OK ? mc_command_print(&out) : mc_command_fail(&error);
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
        mc_print print = mc_print_to(&out, options->json, false);
        if (!options->json) tell_release(trace, desc);
        print_leaves(&print, &list);
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
    mc_option_list_add_uint(&list, "n", &options.most, "N", "print at most N rows (20)");
    mc_option_list_add_window(&list, &layout,
                              "time window: growth from step A to step B, counted from 0");
    mc_option_list_add_flag(
        &list, "trend", &options.trend,
        "print the slope over the time window (Theil-Sen), its p-value (Mann-Kendall), and whether "
        "growth continues or has stopped: a saw-tooth or a full cache is no leak");
    mc_option_list_add_choice(&list, "by", &options.order, order_names, "ORDER",
                              "order by growth, or by cause, each followed by what it explains "
                              "(cause; with --json growth)");
    mc_option_list_add_flag(&list, "json", &options.json, "print a JSON array");
    mc_option_list_add_input(&list, &input);
    mc_option_list_hide(&list, "paths");
    if (!mc_command_begin(
            &list,
            "memcity top TRACE… [--metric NAME] [-n N] [--window A:B] "
            "[--trend] [--by ORDER] [--json]",
            "Lists the leaves that make the heap grow, each with those that grow because of it, "
            "then the\nleaves that grew the most between the first and the last step. For methods "
            "it lists the highest\nin the last sliding window.",
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
        code = has_methods ? find_methods(trace, &desc, options.most)
                           : print_top(trace, &desc, &options);
    mc_trace_destroy(trace);
    return code;
}
