#include "app/command.h"
#include "app/commands/methods.h"
#include "app/print/print_trace.h"
#include "app/walk_text.h"
#include "app/why_text.h"
#include "engine/analyze/cause_finder.h"
#include "engine/trace/regroup/sliding_window.h"
#include <inttypes.h>

// A count of the metric, or a difference of two, as a number of its own.
static mc_cell get_counted(const mc_metric_info *info, int64_t count) {
    return info->is_real ? mc_cell_exact(mc_metric_scale_back(info, (double)count))
                         : mc_cell_number(count);
}

static void put_referrer(mc_print *print, const mc_trace *trace, const mc_walk_stop *stop) {
    const mc_link *link = &stop->link;
    bool has_field = stop->field != MC_NONE;
    mc_cell referrer = MC_OBJECT(
        {"key", mc_cell_node(trace, link->partner)}, {"held", mc_cell_count(link->node_objects)},
        {"holders", mc_cell_count(link->partner_objects)},
        {"held_growth", mc_cell_number(stop->link_growth)},
        {"first_holders", mc_cell_count(stop->first_referrers)},
        {"share", mc_cell_share(stop->share)},
        {"field", mc_cell_if(has_field, mc_cell_string(trace, stop->field))},
        {"field_references", mc_cell_if(has_field, mc_cell_count(stop->field_references))},
        {"fields", mc_cell_if(has_field, mc_cell_count(stop->field_count))});
    mc_print_put(print, "held_by", link->partner == MC_NONE ? mc_cell_null() : referrer);
}

static void put_stops(mc_print *print, const mc_walk *walk, const mc_trace *trace) {
    const mc_metric_info *info = mc_trace_get_metric(trace, walk->desc.metric);
    mc_print_begin_list(print, "stops");
    for (uint32_t i = 0; i < walk->count; i++) {
        const mc_walk_stop *stop = &walk->stops[i];
        bool has_growth = !walk->is_owned || i == 0;
        mc_print_break(print);
        mc_print_begin_object(print, NULL);
        MC_PRINT(
            print, {"key", mc_cell_node(trace, stop->node)},
            {"verdict", mc_cell_text(mc_walk_verdict_names[stop->verdict])},
            {"library", mc_cell_bool(stop->is_library)}, {"objects", mc_cell_count(stop->objects)},
            {"growth", mc_cell_if(has_growth, mc_cell_number(stop->growth))},
            {"metric_growth", mc_cell_if(!walk->is_owned, get_counted(info, stop->metric_growth))});
        put_referrer(print, trace, stop);
        mc_print_end_object(print);
    }
    mc_print_end_list(print);
}

static void put_suspects(mc_print *print, const mc_walk *walk, const mc_trace *trace) {
    const mc_metric_info *info = mc_trace_get_metric(trace, walk->desc.metric);
    uint32_t first_step = walk->desc.window.first_step;
    bool is_single = walk->suspects.verdict == MC_HEAP_SINGLE;
    bool has_state = !is_single && !walk->suspects.is_short;
    mc_print_break(print);
    mc_print_begin_list(print, "suspects");
    for (uint32_t i = 0; i < walk->suspects.count; i++) {
        const mc_suspect *suspect = &walk->suspects.items[i];
        const mc_growth *growth = &suspect->trend.growth;
        const char *state = growth->kind == MC_GROWTH_GOES_ON ? "grows" : "stopped";
        mc_print_break(print);
        mc_print_put(
            print, NULL,
            MC_OBJECT(
                {"key", mc_cell_node(trace, suspect->node)},
                {is_single ? "value" : "growth", get_counted(info, suspect->growth)},
                {"state", mc_cell_if(has_state, mc_cell_text(state))},
                {"stays", mc_cell_if(has_state, get_counted(info, growth->amount))},
                {"since_step", mc_cell_if(has_state, mc_cell_count(first_step + growth->since))},
                {"until_step", mc_cell_if(has_state, mc_cell_count(first_step + growth->until))}));
    }
    mc_print_end_list(print);
}

// What was found, and the sentence that says it.
typedef struct answer {
    mc_walk walk;
    uint32_t cause; // MC_NONE: there is none
    mc_text sentence;
} answer;

static void put_walk(mc_print *print, const answer *found, const mc_trace *trace) {
    const mc_walk *walk = &found->walk;
    const mc_metric_info *info = mc_trace_get_metric(trace, walk->desc.metric);
    mc_step_range window = walk->desc.window;
    const mc_heap_verdict verdict = mc_suspects_get_verdict(&walk->suspects);
    MC_PRINT(print, {"verdict", mc_cell_text(mc_heap_verdict_names[verdict])},
             {"sentence", mc_cell_line(&found->sentence)}, {"metric", mc_cell_metric(info)},
             {"first_step", mc_cell_count(window.first_step)},
             {"last_step", mc_cell_count(window.last_step)},
             {"step", mc_cell_count(walk->desc.step)});
    put_stops(print, walk, trace);
    put_suspects(print, walk, trace);
    mc_print_break(print);
    MC_PRINT(print, {"end", mc_cell_text(mc_walk_end_names[walk->end])},
             {"cause", mc_cell_node(trace, found->cause)},
             {"unit", mc_cell_if(walk->unit.node != MC_NONE,
                                 MC_OBJECT({"key", mc_cell_node(trace, walk->unit.node)},
                                           {"leaves", mc_cell_count(walk->unit.count)},
                                           {"growth", mc_cell_number(walk->unit.growth)}))});
    mc_print_root_path(print, "trail", trace, &walk->trail);
}

// The first cause's walk is its evidence.
static mc_result find_first(const mc_trace *trace, const mc_walk_desc *desc, answer *found,
                            mc_error *error) {
    mc_causes causes = {0};
    const mc_causes_desc wanted = {.metric = desc->metric, .window = desc->window};
    mc_command_progress shown;
    mc_progress progress = mc_command_begin_progress(&shown, "looking for causes");
    mc_result result = mc_causes_find(trace, &wanted, &progress, &causes, error);
    result = mc_command_end_progress(&shown, result, error);
    if (result != MC_OK) return result;
    const mc_why why = {
        .trace = trace, .causes = &causes, .limit = mc_why_get_limit(trace, desc->window)};
    mc_why_append_headline(&why, &found->sentence);
    if (causes.count > 0) found->cause = causes.items[0].node;
    result = mc_causes_take_walk(trace, &causes, 0, desc->step, &found->walk, error);
    mc_causes_deinit(&causes);
    return result;
}

static mc_result find_from(const mc_trace *trace, const mc_walk_desc *desc, answer *found,
                           mc_error *error) {
    mc_walk *walk = &found->walk;
    mc_result result = mc_walk_compute(trace, desc, walk, error);
    if (result != MC_OK) return result;
    if (walk->cause_index != MC_NONE) found->cause = walk->stops[walk->cause_index].node;
    mc_walk_append_summary(walk, trace, &found->sentence);
    return MC_OK;
}

static int print_walk(const mc_trace *trace, const mc_walk_desc *desc, bool json) {
    answer found = {.cause = MC_NONE};
    mc_error error = {0};
    mc_result result = desc->from_node == MC_NONE ? find_first(trace, desc, &found, &error)
                                                  : find_from(trace, desc, &found, &error);
    mc_text out = {.failed = found.sentence.failed};
    mc_print print = mc_print_to(&out, json, false);
    if (result == MC_OK) {
        mc_print_begin_object(&print, NULL);
        if (json) {
            put_walk(&print, &found, trace);
        } else {
            mc_text_format(&out, "%s\n", mc_text_get(&found.sentence));
            mc_walk_append_evidence(&found.walk, trace, &out);
        }
        mc_print_incomplete(&print, trace, desc->window.first_step, desc->window.last_step);
        mc_print_end_object(&print);
        mc_print_end(&print);
    }
    mc_walk_deinit(&found.walk);
    mc_text_deinit(&found.sentence);
    if (result == MC_OK) return mc_command_print(&out);
    mc_text_deinit(&out);
    return mc_command_fail(&error);
}

static int run(const mc_trace *trace, const mc_layout_options *layout, uint32_t step,
               const char *from, bool json) {
    mc_city_desc city;
    int code = mc_command_get_city_desc(layout, trace, &city);
    if (code != MC_EXIT_OK) return code;
    code = mc_command_get_step(trace, &city, &step);
    if (code != MC_EXIT_OK) return code;
    if (step < city.window.first_step || step > city.window.last_step)
        return mc_command_wrong_usage("--step: the window has steps %" PRIu32 " to %" PRIu32,
                                      city.window.first_step, city.window.last_step);
    mc_walk_desc desc = {
        .metric = city.metric, .window = city.window, .step = step, .from_node = MC_NONE};
    if (from) code = mc_command_find_node(trace, "--from", from, &desc.from_node);
    if (code != MC_EXIT_OK) return code;
    return print_walk(trace, &desc, json);
}

int mc_command_walk(int argc, const char **argv) {
    bool json = false;
    uint32_t step = MC_NONE, path_count;
    const char *from = NULL;
    int code;
    mc_input_options input = {0};
    mc_layout_options layout = mc_layout_options_default();
    mc_option_list list = {0};
    mc_option_list_add_metric(&list, &layout);
    mc_option_list_add_string(&list, "from", &from, "KEY",
                              "full key of the group to start from (what keeps growing the most)");
    mc_option_list_add_uint(
        &list, "step", &step, "K",
        "step whose references are followed, counted from 0 (the time window's last)");
    mc_option_list_add_window(&list, &layout,
                              "time window: growth from step A to step B, counted from 0");
    mc_option_list_add_flag(&list, "json", &json, "print one JSON object");
    mc_option_list_add_input(&list, &input);
    mc_option_list_hide(&list, "no-references");
    if (!mc_command_begin(
            &list,
            "memcity walk TRACE… [--metric NAME] [--from KEY] [--step K] "
            "[--window A:B] [--json]",
            "Prints the first sentence of `memcity why`, then the evidence: the strongest incoming "
            "references,\nstop by stop, from what grows to what piles up and on to what keeps it "
            "alive. A trace of one step\nstarts from the largest group.",
            argc, argv, &path_count, &code))
        return code;
    mc_trace *trace = NULL;
    input.groups_as_usual = true;
    code = mc_command_open(argv, path_count, &input, &trace);
    if (code == MC_EXIT_OK && mc_trace_get_frame_ms(trace) > 0)
        code = mc_command_refuse_methods("walk");
    else if (code == MC_EXIT_OK)
        code = run(trace, &layout, step, from, json);
    mc_trace_destroy(trace);
    return code;
}
