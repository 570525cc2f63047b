#include "app/command.h"
#include "app/commands/methods.h"
#include "app/format.h"
#include "app/incomplete_text.h"
#include "app/node_text.h"
#include "app/size_text.h"
#include "app/subject_text.h"
#include "app/walk_text.h"
#include "app/why_text.h"
#include "engine/analyze/cause_finder.h"
#include "engine/trace/regroup/sliding_window.h"
#include <inttypes.h>
#include <math.h>
#include <string.h>

#define S_PER_HOUR 3600.0

typedef struct why_options {
    const char *of, *limit;
    bool json;
} why_options;

// ---- JSON

// A text that was appended to `line`, as a string; the line is empty then.
static void append_quoted(mc_text *out, mc_text *line) {
    out->failed |= line->failed;
    mc_format_append_json(out, line->data ? line->data : "", line->size);
    mc_text_clear(line);
}

static void append_keys(const mc_trace *trace, const uint32_t *nodes, uint32_t count,
                        mc_text *out) {
    mc_text_append_string(out, "[");
    for (uint32_t i = 0; i < count; i++) {
        mc_text_append_string(out, i > 0 ? "," : "");
        mc_node_append_key_json(trace, nodes[i], out);
    }
    mc_text_append_string(out, "]");
}

static void append_number(mc_text *out, const char *name, double number) {
    char text[MC_FORMAT_SIZE];
    mc_text_append_string(out, name);
    mc_text_append_string(out, isfinite(number) ? mc_format_real(text, number) : "null");
}

// From the root down: each group with the field by which it holds the next one.
static void append_path(const mc_why *why, const mc_cause *cause, mc_text *out) {
    const mc_root_path *trail = &cause->walk.trail;
    mc_why_hop hops[MC_WHY_MOST_HOPS];
    uint32_t count = mc_why_get_path(&cause->walk, hops);
    mc_text line = {0};
    if (!trail->is_known) {
        mc_text_append_string(out, ",\"root\":null,\"path\":[]");
        return;
    }
    mc_text_format(out,
                   ",\"root\":{\"kind\":\"%s\",\"text\":", mc_root_kind_names[trail->root_kind]);
    mc_why_append_root(why, trail, &line);
    append_quoted(out, &line);
    mc_text_append_string(out, "},\"path\":[");
    for (uint32_t i = 0; i < count; i++) {
        mc_text_append_string(out, i > 0 ? ",{\"key\":" : "{\"key\":");
        mc_node_append_key_json(why->trace, hops[i].node, out);
        mc_text_append_string(out, ",\"field\":");
        if (hops[i].field != MC_NONE) {
            size_t size;
            const char *field = mc_trace_get_string(why->trace, hops[i].field, &size);
            mc_format_append_json(out, field, size);
        } else {
            mc_text_append_string(out, "null");
        }
        mc_text_append_string(out, "}");
    }
    mc_text_append_string(out, "]");
    mc_text_deinit(&line);
}

static void append_explained(const mc_why *why, const mc_cause *cause, mc_text *out) {
    mc_text_append_string(out, ",\"explains\":[");
    for (uint32_t i = 0; i < cause->explained_count; i++) {
        mc_text_append_string(out, i > 0 ? ",{\"key\":" : "{\"key\":");
        mc_node_append_key_json(why->trace, cause->explained[i].node, out);
        mc_text_format(out, ",\"share\":%.6f}", cause->explained[i].share);
    }
    mc_text_append_string(out, "]");
}

// In bytes where the trace counts them, else in the metric that was asked for, which is named then.
static void append_growth(const mc_why *why, const mc_cause *cause, mc_text *out) {
    bool has_bytes = why->causes->unit == MC_METRIC_BYTES;
    mc_text_format(out, ",\"growth_objects\":%" PRId64, cause->growth_objects);
    if (has_bytes) {
        mc_text_format(out, ",\"growth_bytes\":%" PRId64, cause->growth);
        append_number(out, ",\"bytes_per_hour\":", cause->growth_per_s * S_PER_HOUR);
        mc_text_format(out, ",\"own_growth_bytes\":%" PRId64, cause->own_growth);
    } else {
        mc_text_append_string(out, ",\"growth_bytes\":null,\"bytes_per_hour\":null");
    }
    if (cause->retained_bytes == MC_COUNT_UNKNOWN)
        mc_text_append_string(out, ",\"retained_bytes\":null");
    else
        mc_text_format(out, ",\"retained_bytes\":%" PRIu64, cause->retained_bytes);
}

static void append_new_roots(const mc_why *why, const mc_cause *cause, mc_text *out) {
    mc_text_append_string(out, ",\"roots_since_then\":[");
    for (uint32_t i = 0; i < cause->root_count; i++) {
        size_t size;
        const char *name = mc_trace_get_string(why->trace, cause->roots[i].name, &size);
        mc_text_format(out, "%s{\"kind\":\"%s\",\"text\":", i > 0 ? "," : "",
                       mc_root_kind_names[cause->roots[i].kind]);
        mc_format_append_json(out, name, size);
        mc_text_append_string(out, "}");
    }
    mc_text_append_string(out, "]");
}

static void append_cause(const mc_why *why, const mc_cause *cause, mc_text *out) {
    mc_text line = {0};
    mc_text_append_string(out, "{\"key\":");
    mc_node_append_key_json(why->trace, cause->node, out);
    mc_text_append_string(out, ",\"sentence\":");
    mc_why_append_sentence(why, cause, &line);
    append_quoted(out, &line);
    append_path(why, cause, out);
    mc_text_format(out,
                   ",\"since_step\":%" PRIu32 ",\"since_early\":%" PRIu32 ",\"since_late\":%" PRIu32
                   ",\"since_is_change\":%s,\"since_confidence\":%.6f",
                   cause->since_step, cause->since_early, cause->since_late,
                   cause->change.is_found ? "true" : "false", cause->change.confidence);
    append_growth(why, cause, out);
    append_explained(why, cause, out);
    mc_text_append_string(out, ",\"begun_then\":");
    append_keys(why->trace, cause->begun, cause->begun_count, out);
    mc_text_append_string(out, ",\"holders_since_then\":");
    append_keys(why->trace, cause->holders, cause->holder_count, out);
    append_new_roots(why, cause, out);
    mc_text_append_string(out, "}");
    mc_text_deinit(&line);
}

static void append_standing(const mc_why *why, const mc_suspect_reason *standing, mc_text *out) {
    mc_text line = {0};
    mc_text_append_string(out, ",\n\"of\":{\"key\":");
    mc_node_append_key_json(why->trace, standing->node, out);
    mc_text_format(out, ",\"state\":\"%s\",\"sentence\":", mc_suspect_reason_names[standing->kind]);
    mc_why_append_suspect_reason(why, standing, &line);
    append_quoted(out, &line);
    mc_text_append_string(out, ",\"cause\":");
    if (standing->cause)
        mc_node_append_key_json(why->trace, standing->cause->node, out);
    else
        mc_text_append_string(out, "null");
    if (standing->trend.growth.kind != MC_GROWTH_NONE)
        mc_text_format(out, ",\"since_step\":%" PRIu32 ",\"until_step\":%" PRIu32,
                       standing->since_step, standing->until_step);
    mc_text_append_string(out, "}");
    mc_text_deinit(&line);
}

static void append_limit(const mc_why *why, mc_text *out) {
    const mc_causes *causes = why->causes;
    if (why->limit == 0 || causes->unit != MC_METRIC_BYTES) return;
    double left = mc_causes_get_seconds_left(causes, why->limit);
    mc_text_format(out, ",\"limit_bytes\":%" PRIu64, why->limit);
    append_number(out, ",\"full_in_s\":", causes->count > 0 && left >= 0 ? left : INFINITY);
}

// `standing`: of the group that was asked for: then only its cause is told; NULL: all are.
static void write_json(const mc_why *why, const mc_suspect_reason *standing, mc_text *out) {
    const mc_causes *causes = why->causes;
    const mc_metric_info *info = mc_trace_get_metric(why->trace, causes->desc.metric);
    mc_text line = {0};
    bool is_first = true;
    mc_text_format(
        out, "{\"verdict\":\"%s\",\"sentence\":", mc_heap_verdict_names[causes->suspects.verdict]);
    mc_why_append_summary(why, &line);
    append_quoted(out, &line);
    mc_text_append_string(out, ",\"metric\":");
    mc_format_append_json(out, info->key, info->key_size);
    mc_text_format(out, ",\"first_step\":%" PRIu32 ",\"last_step\":%" PRIu32,
                   causes->desc.window.first_step, causes->desc.window.last_step);
    append_limit(why, out);
    if (standing) append_standing(why, standing, out);
    mc_text_append_string(out, ",\n\"causes\":[");
    for (uint32_t i = 0; i < causes->count; i++) {
        const mc_cause *cause = &causes->items[i];
        if (standing && (!standing->cause || standing->cause != cause)) continue;
        mc_text_append_string(out, is_first ? "\n" : ",\n");
        append_cause(why, cause, out);
        is_first = false;
    }
    mc_text_format(out, "],\"left_out\":%" PRIu32, causes->left_out_count);
    mc_incomplete_append_json(why->trace, causes->desc.window.first_step,
                              causes->desc.window.last_step, out);
    mc_text_append_string(out, "}\n");
    mc_text_deinit(&line);
}

// ---- the command

static void write_text(const mc_why *why, const mc_suspect_reason *standing, mc_text *out) {
    if (!standing) {
        mc_why_append_text(why, out);
        return;
    }
    bool is_itself = standing->kind == MC_SUSPECT_REASON_CAUSE;
    if (!is_itself) mc_why_append_suspect_reason(why, standing, out);
    if (!is_itself) mc_text_append_string(out, standing->cause ? "\n\n" : "\n");
    if (standing->cause) mc_why_append_cause(why, standing->cause, out);
}

static int print(const mc_why *why, uint32_t node, bool json) {
    mc_suspect_reason standing;
    mc_error error = {0};
    mc_text out = {0};
    bool is_asked = node != MC_NONE;
    if (is_asked &&
        mc_suspect_reason_find(why->trace, why->causes, node, &standing, &error) != MC_OK)
        return mc_command_fail(&error);
    if (json)
        write_json(why, is_asked ? &standing : NULL, &out);
    else
        write_text(why, is_asked ? &standing : NULL, &out);
    if (!json)
        mc_incomplete_append_line(why->trace, why->causes->desc.window.first_step,
                                  why->causes->desc.window.last_step, &out);
    return mc_command_print(&out);
}

static int run(const mc_trace *trace, const mc_layout_options *layout, const why_options *options,
               uint64_t limit) {
    mc_city_desc city;
    uint32_t node = MC_NONE;
    int code = mc_command_get_city_desc(layout, trace, &city);
    if (code == MC_EXIT_OK && options->of)
        code = mc_command_find_node(trace, "--of", options->of, &node);
    if (code != MC_EXIT_OK) return code;
    mc_causes causes = {0};
    mc_causes_desc desc = {.metric = city.metric, .window = city.window};
    mc_error error = {0};
    mc_command_progress shown;
    mc_progress progress = mc_command_begin_progress(&shown, "looking for causes");
    mc_result result = mc_causes_find(trace, &desc, &progress, &causes, &error);
    result = mc_command_end_progress(&shown, result, &error);
    if (limit == 0) limit = mc_why_get_limit(trace, city.window);
    mc_why why = {.trace = trace, .causes = &causes, .limit = limit};
    code = result == MC_OK ? print(&why, node, options->json) : mc_command_fail(&error);
    if (code == MC_EXIT_OK && causes.largest.count > 0 && node != MC_NONE && !options->json)
        mc_message_say("memcity walk --from says who holds it");
    mc_causes_deinit(&causes);
    return code;
}

int mc_command_why(int argc, const char **argv) {
    why_options options = {0};
    uint32_t path_count;
    uint64_t limit = 0;
    int code;
    mc_input_options input = {0};
    mc_layout_options layout = mc_layout_options_default();
    mc_option_list list = {0};
    mc_option_list_add_string(&list, "of", &options.of, "KEY",
                              "of this group alone, by full key: its cause, or why it is no "
                              "suspect");
    mc_option_list_add_string(&list, "limit", &options.limit, "SIZE",
                              "what the heap may become, as -Xmx has it (512m, 2g): says when it "
                              "is full (what `record` has learnt of the program)");
    mc_option_list_add_metric(&list, &layout);
    mc_option_list_add_window(&list, &layout, "growth from step A to step B, counted from 0");
    mc_option_list_add_flag(&list, "json", &options.json, "one JSON object");
    mc_option_list_add_input(&list, &input);
    if (!mc_command_begin(&list,
                          "memcity why TRACE… [--of KEY] [--limit SIZE] [--window A:B] "
                          "[--metric NAME] [--json]",
                          "Says why the heap grows, cause by cause, or that nothing keeps "
                          "growing: what piles up and who\nholds it, since when, how fast, until "
                          "when the heap lasts, and what else began then. One\nsentence, then the "
                          "evidence.",
                          argc, argv, &path_count, &code))
        return code;
    if (options.limit && !mc_size_parse(options.limit, &limit))
        return mc_command_wrong_usage("--limit: expected a size as 512m, 2g or 1.5GiB, not \"%s\"",
                                      options.limit);
    mc_trace *trace = NULL;
    input.groups_as_usual = true;
    code = mc_command_open(argv, path_count, &input, &trace);
    if (code == MC_EXIT_OK && mc_trace_get_frame_ms(trace) > 0)
        code = mc_command_refuse_methods("why");
    else if (code == MC_EXIT_OK)
        code = run(trace, &layout, &options, limit);
    mc_trace_destroy(trace);
    return code;
}
