#include "app/command.h"
#include "app/commands/methods.h"
#include "app/format.h"
#include "app/incomplete_text.h"
#include "app/node_text.h"
#include "app/root_path_text.h"
#include "app/walk_text.h"
#include "engine/trace/regroup/sliding_window.h"
#include <inttypes.h>
#include <string.h>

static void write_link(const mc_walk_stop *stop, const mc_trace *trace, mc_text *out) {
    const mc_link *link = &stop->link;
    if (link->partner == MC_NONE) {
        mc_text_append_string(out, ",\"held_by\":null}");
        return;
    }
    mc_text_append_string(out, ",\"held_by\":{\"key\":");
    mc_node_append_key_json(trace, link->partner, out);
    mc_text_format(out,
                   ",\"held\":%" PRIu64 ",\"holders\":%" PRIu64 ",\"held_growth\":%" PRId64
                   ",\"first_holders\":%" PRIu64 ",\"share\":%.6f",
                   link->node_objects, link->partner_objects, stop->link_growth,
                   stop->first_holders, stop->share);
    if (stop->field != MC_NONE) {
        size_t size;
        const char *field = mc_trace_get_string(trace, stop->field, &size);
        mc_text_append_string(out, ",\"field\":");
        mc_format_append_json(out, field, size);
        mc_text_format(out, ",\"field_references\":%" PRIu64 ",\"fields\":%" PRIu32,
                       stop->field_references, stop->field_count);
    }
    mc_text_append_string(out, "}}");
}

// A count of the metric, or a difference of two, as a number of its own.
static void append_counted(mc_text *out, const char *name, const mc_metric_info *info,
                           int64_t count) {
    char text[MC_FORMAT_SIZE];
    if (info->is_real)
        mc_text_format(out, "%s%s", name,
                       mc_format_real(text, mc_metric_scale_back(info, (double)count)));
    else
        mc_text_format(out, "%s%" PRId64, name, count);
}

static void write_suspects(const mc_walk *walk, const mc_trace *trace, mc_text *out) {
    const mc_metric_info *info = mc_trace_get_metric(trace, walk->desc.metric);
    uint32_t first_step = walk->desc.window.first_step;
    for (uint32_t i = 0; i < walk->suspects.count; i++) {
        const mc_suspect *suspect = &walk->suspects.items[i];
        const mc_growth *growth = &suspect->trend.growth;
        mc_text_append_string(out, i > 0 ? ",\n{\"key\":" : "\n{\"key\":");
        mc_node_append_key_json(trace, suspect->node, out);
        if (walk->suspects.verdict == MC_HEAP_SINGLE)
            append_counted(out, ",\"value\":", info, suspect->growth);
        else
            append_counted(out, ",\"growth\":", info, suspect->growth);
        if (walk->suspects.verdict != MC_HEAP_SINGLE && !walk->suspects.is_short) {
            mc_text_format(out, ",\"state\":\"%s\"",
                           growth->kind == MC_GROWTH_GOES_ON ? "grows" : "stopped");
            append_counted(out, ",\"stays\":", info, growth->amount);
            mc_text_format(out, ",\"since_step\":%" PRIu32 ",\"until_step\":%" PRIu32,
                           first_step + growth->since, first_step + growth->until);
        }
        mc_text_append_string(out, "}");
    }
}

static void write_json(const mc_walk *walk, const mc_trace *trace, mc_text *out) {
    const mc_metric_info *info = mc_trace_get_metric(trace, walk->desc.metric);
    mc_text_format(
        out, "{\"verdict\":\"%s\",\"metric\":", mc_heap_verdict_names[walk->suspects.verdict]);
    mc_format_append_json(out, info->key, info->key_size);
    mc_text_format(out,
                   ",\"first_step\":%" PRIu32 ",\"last_step\":%" PRIu32 ",\"step\":%" PRIu32
                   ",\"stops\":[",
                   walk->desc.window.first_step, walk->desc.window.last_step, walk->desc.step);
    for (uint32_t i = 0; i < walk->count; i++) {
        const mc_walk_stop *stop = &walk->stops[i];
        mc_text_append_string(out, i > 0 ? ",\n{\"key\":" : "\n{\"key\":");
        mc_node_append_key_json(trace, stop->node, out);
        mc_text_format(
            out, ",\"verdict\":\"%s\",\"library\":%s,\"objects\":%" PRIu64 ",\"growth\":%" PRId64,
            mc_walk_verdict_names[stop->verdict], stop->is_library ? "true" : "false",
            stop->objects, stop->growth);
        append_counted(out, ",\"metric_growth\":", info, stop->metric_growth);
        write_link(stop, trace, out);
    }
    mc_text_append_string(out, "],\n\"suspects\":[");
    write_suspects(walk, trace, out);
    mc_text_format(out, "],\n\"end\":\"%s\",\"cause\":", mc_walk_end_names[walk->end]);
    if (walk->cause_index == MC_NONE)
        mc_text_append_string(out, "null");
    else
        mc_node_append_key_json(trace, walk->stops[walk->cause_index].node, out);
    if (walk->unit.node != MC_NONE) {
        mc_text_append_string(out, ",\"unit\":{\"key\":");
        mc_node_append_key_json(trace, walk->unit.node, out);
        mc_text_format(out, ",\"leaves\":%" PRIu32 ",\"growth\":%" PRId64 "}", walk->unit.count,
                       walk->unit.growth);
    }
    if (walk->trail.is_known) {
        mc_text_append_string(out, ",\n\"trail\":");
        mc_root_path_append_json(&walk->trail, trace, out);
    }
    mc_incomplete_append_json(trace, walk->desc.window.first_step, walk->desc.window.last_step,
                              out);
    mc_text_append_string(out, "}\n");
}

static int print_walk(const mc_trace *trace, const mc_walk_desc *desc, bool json) {
    mc_walk walk = {0};
    mc_error error = {0};
    if (mc_walk_compute(trace, desc, &walk, &error) != MC_OK) return mc_command_fail(&error);
    mc_text out = {0};
    if (json)
        write_json(&walk, trace, &out);
    else
        mc_walk_append_text(&walk, trace, &out);
    if (!json)
        mc_incomplete_append_line(trace, desc->window.first_step, desc->window.last_step, &out);
    mc_walk_deinit(&walk);
    return mc_command_print(&out);
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
                              "where to start, by full key (what keeps growing the most)");
    mc_option_list_add_uint(&list, "step", &step, "K",
                            "whose references are followed, counted from 0 (the window's last)");
    mc_option_list_add_window(&list, &layout, "growth from step A to step B, counted from 0");
    mc_option_list_add_flag(&list, "json", &json, "one JSON object");
    mc_option_list_add_input(&list, &input);
    mc_option_list_hide(&list, "no-references");
    if (!mc_command_begin(&list,
                          "memcity walk TRACE… [--metric NAME] [--from KEY] [--step K] "
                          "[--window A:B] [--json]",
                          "Says what keeps growing, or that nothing does, and walks from there up "
                          "the strongest references:\nwhat is the symptom, what is the cause and "
                          "what holds it. Of one step, from what is largest.",
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
