#include "app/gate_text.h"

#include "app/command.h"
#include "app/format.h"
#include "app/node_text.h"
#include "engine/base/memory.h"
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#define S_PER_HOUR 3600.0
#define LISTED 50 // in texts; JSON has all
#define PARTS_LISTED 3

static int64_t get_duration_ms(const mc_gate_story *story) {
    return mc_step_range_get_duration_ms(story->desc->trace, story->desc->window);
}

static double get_seconds(const mc_gate_story *story) {
    return (double)get_duration_ms(story) * 1e-3;
}

// What a rate is told in: as the rule says it.
static double get_period(const mc_gate_story *story, const mc_rule *rule, const char **name) {
    const mc_limit *limit = &rule->limits[0];
    uint32_t steps = story->desc->window.last_step - story->desc->window.first_step;
    *name = "/h";
    if (rule->limit_count == 0) return S_PER_HOUR;
    if (limit->period == MC_LIMIT_PER_STEP && steps > 0) {
        *name = "/step";
        return get_seconds(story) / steps;
    }
    if (limit->period == MC_LIMIT_PER_WINDOW) {
        *name = "";
        return get_seconds(story);
    }
    static const struct {
        double seconds;
        const char *name;
    } periods[] = {{1, "/s"}, {60, "/min"}, {86400, "/d"}, {1e-3, "/ms"}};
    for (size_t i = 0; i < sizeof periods / sizeof *periods; i++) {
        if (limit->seconds != periods[i].seconds) continue;
        *name = periods[i].name;
        return limit->seconds;
    }
    return S_PER_HOUR;
}

// "+1.2 MiB/h; base ±0 B/h, allowed +12 KiB/h; 0.3 MiB → 1.9 MiB, p = 0.0001"
static void append_numbers(const mc_gate_story *story, const mc_gate_finding *finding,
                           mc_text *out) {
    const char *per;
    const mc_rule *rule = &story->desc->rules[finding->rule];
    double period = get_period(story, rule, &per);
    const mc_metric_info *info = mc_trace_get_metric(story->desc->trace, finding->metric);
    mc_format_append_rate(out, info, finding->rate_per_s * period);
    mc_text_format(out, "%s; ", per);
    if (story->desc->base && finding->base_node == MC_NONE) {
        mc_text_append_string(out, "not in the base, ");
    } else if (story->desc->base) {
        mc_text_append_string(out, finding->is_moved ? "where it was in the base " : "base ");
        mc_format_append_rate(out, info, finding->base_rate_per_s * period);
        mc_text_format(out, "%s, ", per);
    }
    mc_text_append_string(out, "allowed ");
    mc_format_append_rate(out, info, finding->allowed_per_s * period);
    mc_text_format(out, "%s; ", per);
    char first[MC_FORMAT_SIZE];
    mc_text_format(out, "%s → ", mc_format_value(first, info, finding->first));
    mc_format_append_value(out, info, finding->last);
    mc_text_format(out, ", p = %.2g", finding->trend.p_value);
}

// As the pair has the metric, in which the words of parts are.
static const mc_metric_info *get_pair_info(const mc_gate_story *story,
                                           const mc_gate_finding *finding) {
    const mc_metric_info *info = mc_trace_get_metric(story->desc->trace, finding->metric);
    return mc_trace_get_metric(story->pair, mc_trace_find_metric(story->pair, info->key));
}

// "+160,000 objects  java.util → LinkedList, new", a line each: why it grows other than the base.
static void append_part(const mc_gate_story *story, const mc_gate_finding *finding,
                        const mc_diff_entry *part, const char *indent, mc_text *out) {
    mc_text_format(out, "\n%s  ", indent);
    mc_format_append_rate(out, get_pair_info(story, finding), part->difference);
    mc_text_append_string(out, "  ");
    mc_node_append_place_line(story->pair, part->node, out);
    if (part->state == MC_DIFF_NEW) mc_text_append_string(out, ", new");
    if (!part->is_moved) return;
    mc_text_append_string(out, ", was ");
    mc_node_append_place_line(story->desc->base,
                              mc_versus_get_node(story->pair, MC_BEFORE, part->node), out);
}

static void append_parts(const mc_gate_story *story, uint32_t index, const char *indent,
                         mc_text *out) {
    if (!story->parts) return;
    const mc_gate_finding *finding = &story->gate->findings[index];
    const mc_gate_part_list *list = &story->parts->lists[index];
    char text[MC_FORMAT_SIZE];
    if (list->was_node != MC_NONE) {
        mc_text_format(out, "\n%sin the base it was ", indent);
        mc_node_append_path_line(story->desc->base, list->was_node, out);
    }
    if (list->count > 0)
        mc_text_format(out, "\n%sin it %s grew more than in the base:", indent,
                       mc_format_counted(text, list->count, "group"));
    for (uint32_t i = 0; i < list->count && i < PARTS_LISTED; i++)
        append_part(story, finding, &list->items[i], indent, out);
}

// ---- text

static void append_findings(const mc_gate_story *story, mc_verdict verdict, mc_text *out) {
    uint32_t listed = 0, count = 0;
    for (uint32_t i = 0; i < story->gate->count; i++) {
        const mc_gate_finding *finding = &story->gate->findings[i];
        if (finding->verdict != verdict) continue;
        if (count++ >= LISTED) continue;
        listed++;
        mc_text_append_string(out, "  ");
        mc_node_append_path_line(story->desc->trace, finding->node, out);
        mc_text_append_string(out, "\n      ");
        append_numbers(story, finding, out);
        mc_text_append_string(out, "; rule \"");
        const char *rule = story->desc->rules[finding->rule].text;
        mc_format_append_line(out, rule, strlen(rule));
        mc_text_append_string(out, "\"");
        append_parts(story, i, "      ", out);
        mc_text_append_string(out, "\n");
    }
    if (count > listed) mc_text_format(out, "  … and %" PRIu32 " more (--json)\n", count - listed);
}

void mc_gate_append_verdict(const mc_gate *gate, bool is_strict, mc_text *out) {
    mc_text_format(out, "%" PRIu32 " of %" PRIu32 " %s faster than allowed",
                   is_strict ? gate->count : gate->failed_count, gate->judged_count,
                   gate->judged_count == 1 ? "group grows" : "groups grow");
}

void mc_gate_append_text(const mc_gate_story *story, bool is_strict, mc_text *out) {
    const mc_gate *gate = story->gate;
    const mc_gate_desc *desc = story->desc;
    char time[MC_FORMAT_SIZE];
    uint32_t known_count = gate->count - gate->failed_count;
    bool failed = gate->failed_count > 0 || (is_strict && known_count > 0);
    mc_text_append_string(out, failed ? "FAILED: " : "passed: ");
    mc_gate_append_verdict(gate, is_strict, out);
    mc_text_append_string(out, " (");
    mc_format_append_line(out, story->name, strlen(story->name));
    mc_text_format(out, ", steps %" PRIu32 " to %" PRIu32 ", %s", desc->window.first_step,
                   desc->window.last_step, mc_format_time(time, get_duration_ms(story)));
    if (story->base_name) {
        mc_text_append_string(out, "; base ");
        mc_format_append_line(out, story->base_name, strlen(story->base_name));
        mc_text_format(out, ", steps %" PRIu32 " to %" PRIu32, desc->base_window.first_step,
                       desc->base_window.last_step);
    }
    mc_text_append_string(out, ")\n");
    append_findings(story, MC_VERDICT_FAILED, out);
    if (known_count == 0) return;
    mc_text_format(out, "%" PRIu32 " %s faster than allowed, but so %s in the base%s\n",
                   known_count, known_count == 1 ? "group grows" : "groups grow",
                   known_count == 1 ? "it did" : "they did",
                   is_strict ? " (--strict)" : " (--strict counts that, too)");
    append_findings(story, MC_VERDICT_KNOWN, out);
}

// ---- JSON

static void append_trend(mc_text *out, const char *name, const mc_metric_info *info,
                         const mc_trend *trend) {
    mc_text_format(out, ",\"%s\":{\"slope_per_s\":%.9g,\"p\":%.6g,\"trend\":%d}", name,
                   mc_metric_scale_back(info, trend->slope_per_s), trend->p_value,
                   trend->direction);
}

// Of what the base lacks the trend is flat, whatever the unit.
static const mc_metric_info *get_base_info(const mc_gate_desc *desc, mc_metric metric,
                                           const mc_metric_info *info) {
    mc_metric base = metric < MC_METRIC_FIRST_OWN ? metric : desc->base_metric;
    return base == MC_NONE ? info : mc_trace_get_metric(desc->base, base);
}

static void append_node_json(const mc_trace *trace, const char *name, uint32_t node, mc_text *out) {
    mc_text_format(out, ",\"%s\":", name);
    mc_node_append_key_json(trace, node, out);
}

// As entries of `memcity diff`.
static void append_part_json(const mc_gate_story *story, const mc_gate_finding *finding,
                             const mc_diff_entry *part, mc_text *out) {
    const mc_metric_info *info = get_pair_info(story, finding);
    char before[MC_FORMAT_SIZE], after[MC_FORMAT_SIZE];
    mc_text_append_string(out, "{\"key\":");
    mc_node_append_key_json(story->pair, part->node, out);
    mc_text_format(out, ",\"state\":\"%s\"", mc_diff_state_names[part->state]);
    if (part->is_moved)
        append_node_json(story->desc->base, "was",
                         mc_versus_get_node(story->pair, MC_BEFORE, part->node), out);
    mc_text_format(out, ",\"values\":[%s,%s]",
                   mc_format_exact(before, info, part->value[MC_BEFORE]),
                   mc_format_exact(after, info, part->value[MC_AFTER]));
    mc_text_format(out, ",\"first\":[%s,%s],\"difference\":%.17g}",
                   mc_format_exact(before, info, part->first[MC_BEFORE]),
                   mc_format_exact(after, info, part->first[MC_AFTER]), part->difference);
}

static void append_parts_json(const mc_gate_story *story, uint32_t index, mc_text *out) {
    if (!story->parts) return;
    const mc_gate_part_list *list = &story->parts->lists[index];
    if (list->was_node != MC_NONE) append_node_json(story->desc->base, "was", list->was_node, out);
    mc_text_format(out, ",\"grew_more\":%" PRIu32 ",\"parts\":[", list->count);
    for (uint32_t i = 0; i < list->count && i < MC_GATE_PART_MAX; i++) {
        if (i > 0) mc_text_append_string(out, ",");
        append_part_json(story, &story->gate->findings[index], &list->items[i], out);
    }
    mc_text_append_string(out, "]");
}

void mc_gate_append_json(const mc_gate_story *story, bool passed, mc_text *out) {
    const mc_gate *gate = story->gate;
    const mc_gate_desc *desc = story->desc;
    mc_text_format(out,
                   "{\"passed\":%s,\"judged\":%" PRIu32 ",\"failed\":%" PRIu32 ",\"known\":%" PRIu32
                   ",\"window\":[%" PRIu32 ",%" PRIu32 "],\"rules\":[",
                   passed ? "true" : "false", gate->judged_count, gate->failed_count,
                   gate->count - gate->failed_count, desc->window.first_step,
                   desc->window.last_step);
    for (uint32_t i = 0; i < desc->rule_count; i++) {
        mc_text_append_string(out, i > 0 ? ",{\"rule\":" : "{\"rule\":");
        mc_format_append_json(out, desc->rules[i].text, strlen(desc->rules[i].text));
        mc_text_format(out, ",\"judged\":%" PRIu32 ",\"failed\":%" PRIu32 "}", gate->rule_judged[i],
                       gate->rule_failed[i]);
    }
    mc_text_append_string(out, "],\"groups\":[");
    for (uint32_t i = 0; i < gate->count && mc_command_pass_on(out); i++) {
        const mc_gate_finding *finding = &gate->findings[i];
        const mc_metric_info *info = mc_trace_get_metric(desc->trace, finding->metric);
        char first[MC_FORMAT_SIZE], last[MC_FORMAT_SIZE];
        mc_text_append_string(out, i > 0 ? ",\n{\"key\":" : "\n{\"key\":");
        mc_node_append_key_json(desc->trace, finding->node, out);
        mc_text_format(out, ",\"verdict\":\"%s\",\"rule\":%" PRIu32 ",\"metric\":",
                       finding->verdict == MC_VERDICT_FAILED ? "failed" : "known", finding->rule);
        mc_format_append_json(out, info->key, info->key_size);
        mc_text_format(out,
                       ",\"first\":%s,\"last\":%s"
                       ",\"median\":%.9g,\"rate_per_s\":%.9g,\"allowed_per_s\":%.9g",
                       mc_format_exact(first, info, finding->first),
                       mc_format_exact(last, info, finding->last), finding->median,
                       finding->rate_per_s, finding->allowed_per_s);
        append_trend(out, "now", info, &finding->trend);
        if (finding->base_node != MC_NONE)
            append_trend(out, "base", get_base_info(desc, finding->metric, info),
                         &finding->base_trend);
        append_parts_json(story, i, out);
        mc_text_append_string(out, "}");
    }
    mc_text_append_string(out, "]}\n");
}

// ---- JUnit XML

static void append_markup_lines(mc_text *out, const char *text, size_t size) {
    for (size_t at = 0; at <= size;) {
        const char *end = memchr(text + at, '\n', size - at);
        size_t length = end ? (size_t)(end - text) - at : size - at;
        mc_format_append_markup(out, text + at, length);
        if (end) mc_text_append_string(out, "\n");
        at += length + 1;
    }
}

static void append_rule_findings(const mc_gate_story *story, uint32_t rule, bool is_strict,
                                 mc_text *out) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < story->gate->count; i++) {
        const mc_gate_finding *finding = &story->gate->findings[i];
        if (finding->rule != rule || (finding->verdict == MC_VERDICT_KNOWN && !is_strict)) continue;
        if (count++ >= LISTED) continue;
        mc_text line = {0};
        mc_node_append_path_line(story->desc->trace, finding->node, &line);
        mc_text_append_string(&line, ": ");
        append_numbers(story, finding, &line);
        append_parts(story, i, "    ", &line);
        if (!line.failed) append_markup_lines(out, line.data, line.size);
        mc_text_append_string(out, "\n");
        out->failed |= line.failed;
        mc_text_deinit(&line);
    }
    if (count > LISTED) mc_text_format(out, "… and %" PRIu32 " more\n", count - LISTED);
}

static uint32_t count_bad(const mc_gate *gate, uint32_t rule, bool is_strict) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < gate->count; i++)
        count += gate->findings[i].rule == rule &&
                 (is_strict || gate->findings[i].verdict == MC_VERDICT_FAILED);
    return count;
}

void mc_gate_append_junit(const mc_gate_story *story, bool is_strict, mc_text *out) {
    const mc_gate_desc *desc = story->desc;
    uint32_t failed = 0;
    for (uint32_t i = 0; i < desc->rule_count; i++)
        failed += count_bad(story->gate, i, is_strict) > 0;
    mc_text_format(out,
                   "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuite name=\"memcity gate\" "
                   "tests=\"%" PRIu32 "\" failures=\"%" PRIu32 "\" errors=\"0\" skipped=\"0\">\n",
                   desc->rule_count, failed);
    for (uint32_t i = 0; i < desc->rule_count; i++) {
        uint32_t bad = count_bad(story->gate, i, is_strict);
        mc_text_append_string(out, "  <testcase classname=\"memcity.gate\" name=\"");
        mc_format_append_markup(out, desc->rules[i].text, strlen(desc->rules[i].text));
        if (bad == 0) {
            mc_text_append_string(out, "\"/>\n");
            continue;
        }
        mc_text_format(out,
                       "\">\n    <failure type=\"growth\" message=\"%" PRIu32 " of %" PRIu32
                       " %s faster than allowed\">",
                       bad, story->gate->rule_judged[i], bad == 1 ? "groups grows" : "groups grow");
        append_rule_findings(story, i, is_strict, out);
        mc_text_append_string(out, "</failure>\n  </testcase>\n");
    }
    mc_text_append_string(out, "</testsuite>\n");
}
