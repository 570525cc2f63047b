#include "app/commands/gate_text.h"

#include "app/command.h"
#include "app/finding_words.h"
#include "app/format.h"
#include "app/node_text.h"
#include <inttypes.h>
#include <string.h>

#define S_PER_HOUR 3600.0
#define LISTED 50 // in texts; JSON has all
#define PARTS_LISTED 3

static int64_t get_duration_ms(const mc_gate_story *story) {
    return mc_step_range_get_duration_ms(story->desc->trace, story->desc->window);
}

static uint32_t count_steps(const mc_gate_story *story) {
    return story->desc->window.last_step - story->desc->window.first_step + 1;
}

static bool lacks_steps(const mc_gate_story *story) {
    return !story->takes_few_steps && count_steps(story) < MC_GROWTH_LEAST_POINTS;
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

// The limit as the rule has it, unless it is told like that anyway: " (+1MB over 14 s)".
static void append_limit(const mc_gate_story *story, const mc_gate_finding *finding, mc_text *out) {
    const mc_rule *rule = &story->desc->rules[finding->rule];
    double allowed_per_s;
    const mc_limit *limit = mc_rule_get_limit(rule, finding->median, get_seconds(story),
                                              count_steps(story), &allowed_per_s);
    if (!limit) return;
    bool is_told = limit->period != MC_LIMIT_PER_WINDOW && !limit->is_share;
    if (is_told && rule->limit_count == 1) return;
    mc_text_append_string(out, " (");
    mc_format_append_line(out, limit->text, limit->text_size);
    if (limit->is_share) mc_text_append_string(out, " of the median");
    if (limit->period == MC_LIMIT_PER_WINDOW) {
        mc_text_append_string(out, " over ");
        mc_finding_append_duration(get_seconds(story), out);
    }
    mc_text_append_string(out, ")");
}

// "+1.2 MiB/h; base ±0 B/h, allowed +12 KiB/h (+1%/h of the median); 0.3 MiB → 1.9 MiB"
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
    mc_text_append_string(out, per);
    append_limit(story, finding, out);
    mc_text_append_string(out, "; ");
    char first[MC_FORMAT_SIZE];
    mc_text_format(out, "%s → ", mc_format_value(first, info, finding->first));
    mc_format_append_value(out, info, finding->last);
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

// "1 of 275 groups grows faster than allowed"
static void append_counts(uint32_t bad, uint32_t judged, mc_text *out) {
    mc_text_format(out, "%" PRIu32 " of %" PRIu32 " %s %s faster than allowed", bad, judged,
                   judged == 1 ? "group" : "groups", bad == 1 || judged == 1 ? "grows" : "grow");
}

static void append_few_steps(const mc_gate_story *story, mc_text *out) {
    char steps[MC_FORMAT_SIZE];
    uint32_t count = count_steps(story);
    mc_text_format(out, "%s, at least %d are needed", mc_format_counted(steps, count, "step"),
                   MC_GROWTH_LEAST_POINTS);
}

void mc_gate_append_unused(const mc_gate_story *story, uint32_t rule, mc_text *out) {
    const char *text = story->desc->rules[rule].text;
    bool matches = story->gate->rule_matches[rule];
    mc_text_append_string(out, matches ? "earlier rules took all groups that the rule \""
                                       : "no group matches the rule \"");
    mc_format_append_line(out, text, strlen(text));
    mc_text_append_string(out, matches ? "\" matches" : "\"");
}

void mc_gate_append_verdict(const mc_gate_story *story, mc_text *out) {
    const mc_gate *gate = story->gate;
    if (story->outcome == MC_GATE_FEW_STEPS)
        append_few_steps(story, out);
    else if (story->outcome == MC_GATE_NO_GROUP)
        mc_text_append_string(out, "no group matches a rule");
    else
        append_counts(story->is_strict ? gate->count : gate->failed_count, gate->judged_count, out);
}

void mc_gate_append_text(const mc_gate_story *story, mc_text *out) {
    static const char *const verdicts[] = {[MC_GATE_PASSED] = "passed",
                                           [MC_GATE_FAILED] = "FAILED",
                                           [MC_GATE_NO_GROUP] = "not judged",
                                           [MC_GATE_FEW_STEPS] = "not judged"};
    const mc_gate *gate = story->gate;
    const mc_gate_desc *desc = story->desc;
    char time[MC_FORMAT_SIZE];
    uint32_t known_count = gate->count - gate->failed_count;
    mc_text_format(out, "%s: ", verdicts[story->outcome]);
    mc_gate_append_verdict(story, out);
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
    if (story->sentence) mc_text_format(out, "  %s\n", story->sentence);
    append_findings(story, MC_VERDICT_FAILED, out);
    if (known_count == 0) return;
    mc_text_format(out, "%" PRIu32 " %s faster than allowed, but so %s in the base%s\n",
                   known_count, known_count == 1 ? "group grows" : "groups grow",
                   known_count == 1 ? "it did" : "they did",
                   story->is_strict ? " (--strict)" : " (--strict counts that, too)");
    append_findings(story, MC_VERDICT_KNOWN, out);
}

// ---- JSON

static mc_cell get_trend(const mc_metric_info *info, const mc_trend *trend, mc_field fields[3]) {
    fields[0] =
        (mc_field){"slope_per_s", mc_cell_real(mc_metric_scale_back(info, trend->slope_per_s), 9)};
    fields[1] = (mc_field){"p", mc_cell_real(trend->p_value, 6)};
    fields[2] = (mc_field){"trend", mc_cell_number(trend->direction)};
    return mc_cell_object(fields, 3);
}

// Of what the base lacks the trend is flat, whatever the unit.
static const mc_metric_info *get_base_info(const mc_gate_desc *desc, mc_metric metric,
                                           const mc_metric_info *info) {
    mc_metric base = metric < MC_METRIC_FIRST_OWN ? metric : desc->base_metric;
    return base == MC_NONE ? info : mc_trace_get_metric(desc->base, base);
}

// As entries of `memcity diff`.
static void put_part(mc_print *print, const mc_gate_story *story, const mc_metric_info *info,
                     const mc_diff_entry *part) {
    mc_cell was =
        mc_cell_node(story->desc->base, mc_versus_get_node(story->pair, MC_BEFORE, part->node));
    mc_print_put(print, NULL,
                 MC_OBJECT({"key", mc_cell_node(story->pair, part->node)},
                           {"state", mc_cell_text(mc_diff_state_names[part->state])},
                           {"was", mc_cell_if(part->is_moved, was)},
                           {"values", MC_LIST(mc_cell_value(info, part->value[MC_BEFORE]),
                                              mc_cell_value(info, part->value[MC_AFTER]))},
                           {"first", MC_LIST(mc_cell_value(info, part->first[MC_BEFORE]),
                                             mc_cell_value(info, part->first[MC_AFTER]))},
                           {"difference", mc_cell_rate(info, part->difference)}));
}

static void put_parts(mc_print *print, const mc_gate_story *story, uint32_t index) {
    if (!story->parts) return;
    const mc_gate_part_list *list = &story->parts->lists[index];
    const mc_metric_info *info = get_pair_info(story, &story->gate->findings[index]);
    bool has_moved = list->was_node != MC_NONE;
    MC_PRINT(print, {"was", mc_cell_if(has_moved, mc_cell_node(story->desc->base, list->was_node))},
             {"grew_more", mc_cell_count(list->count)});
    mc_print_begin_list(print, "parts");
    for (uint32_t i = 0; i < list->count && i < MC_GATE_PART_MAX; i++)
        put_part(print, story, info, &list->items[i]);
    mc_print_end_list(print);
}

static void put_finding(mc_print *print, const mc_gate_story *story, uint32_t index) {
    const mc_gate_desc *desc = story->desc;
    const mc_gate_finding *finding = &story->gate->findings[index];
    const mc_metric_info *info = mc_trace_get_metric(desc->trace, finding->metric);
    const char *verdict = finding->verdict == MC_VERDICT_FAILED ? "failed" : "known";
    bool has_base = finding->base_node != MC_NONE;
    mc_field now[3], base[3];
    mc_print_break(print);
    mc_print_begin_object(print, NULL);
    MC_PRINT(print, {"key", mc_cell_node(desc->trace, finding->node)},
             {"verdict", mc_cell_text(verdict)}, {"rule", mc_cell_count(finding->rule)},
             {"metric", mc_cell_metric(info)}, {"first", mc_cell_value(info, finding->first)},
             {"last", mc_cell_value(info, finding->last)},
             {"median", mc_cell_real(finding->median, 9)},
             {"rate_per_s", mc_cell_real(finding->rate_per_s, 9)},
             {"allowed_per_s", mc_cell_real(finding->allowed_per_s, 9)},
             {"now", get_trend(info, &finding->trend, now)});
    info = has_base ? get_base_info(desc, finding->metric, info) : info;
    MC_PRINT(print, {"base", mc_cell_if(has_base, get_trend(info, &finding->base_trend, base))});
    put_parts(print, story, index);
    mc_print_end_object(print);
}

void mc_gate_put(mc_print *print, const mc_gate_story *story) {
    static const char *const verdicts[] = {[MC_GATE_PASSED] = "passed",
                                           [MC_GATE_FAILED] = "failed",
                                           [MC_GATE_NO_GROUP] = "no group",
                                           [MC_GATE_FEW_STEPS] = "few steps"};
    const mc_gate *gate = story->gate;
    const mc_gate_desc *desc = story->desc;
    mc_print_begin_object(print, NULL);
    MC_PRINT(print, {"passed", mc_cell_bool(story->outcome == MC_GATE_PASSED)},
             {"verdict", mc_cell_text(verdicts[story->outcome])},
             {"judged", mc_cell_count(gate->judged_count)},
             {"failed", mc_cell_count(gate->failed_count)},
             {"known", mc_cell_count(gate->count - gate->failed_count)},
             {"window", MC_LIST(mc_cell_count(desc->window.first_step),
                                mc_cell_count(desc->window.last_step))},
             {"sentence", mc_cell_text(story->sentence)});
    mc_print_begin_list(print, "rules");
    for (uint32_t i = 0; i < desc->rule_count; i++)
        mc_print_put(print, NULL,
                     MC_OBJECT({"rule", mc_cell_text(desc->rules[i].text)},
                               {"matches", mc_cell_bool(gate->rule_matches[i])},
                               {"judged", mc_cell_count(gate->rule_judged[i])},
                               {"failed", mc_cell_count(gate->rule_failed[i])}));
    mc_print_end_list(print);
    mc_print_begin_list(print, "groups");
    for (uint32_t i = 0; i < gate->count && mc_command_pass_on(print->out); i++)
        put_finding(print, story, i);
    mc_print_end_list(print);
    mc_print_end_object(print);
    mc_print_end(print);
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

// What the test case of a rule has within it; "": it passed.
static const char *choose_junit(const mc_gate_story *story, uint32_t rule) {
    const mc_gate *gate = story->gate;
    if (count_bad(gate, rule, story->is_strict) > 0) return "failure";
    bool lacks = gate->rule_judged[rule] == 0 ||
                 (lacks_steps(story) && !story->desc->rules[rule].allows_any);
    if (!lacks) return "";
    bool is_judged = story->outcome == MC_GATE_PASSED || story->outcome == MC_GATE_FAILED;
    return is_judged || (story->outcome == MC_GATE_FEW_STEPS && gate->rule_judged[rule] == 0)
               ? "skipped"
               : "error";
}

static uint32_t count_junit(const mc_gate_story *story, const char *what) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < story->desc->rule_count; i++)
        count += strcmp(choose_junit(story, i), what) == 0;
    return count;
}

static void append_failure(const mc_gate_story *story, uint32_t rule, mc_text *out) {
    mc_text_append_string(out, "    <failure type=\"growth\" message=\"");
    append_counts(count_bad(story->gate, rule, story->is_strict), story->gate->rule_judged[rule],
                  out);
    mc_text_append_string(out, "\">");
    if (story->sentence) {
        mc_format_append_markup(out, story->sentence, strlen(story->sentence));
        mc_text_append_string(out, "\n");
    }
    append_rule_findings(story, rule, story->is_strict, out);
    mc_text_append_string(out, "</failure>\n");
}

static void append_not_judged(const mc_gate_story *story, uint32_t rule, const char *what,
                              mc_text *out) {
    mc_text reason = {0};
    if (story->gate->rule_judged[rule] == 0)
        mc_gate_append_unused(story, rule, &reason);
    else
        append_few_steps(story, &reason);
    mc_text_format(out, "    <%s message=\"", what);
    if (!reason.failed) mc_format_append_markup(out, reason.data, reason.size);
    mc_text_append_string(out, "\"/>\n");
    out->failed |= reason.failed;
    mc_text_deinit(&reason);
}

void mc_gate_append_junit(const mc_gate_story *story, mc_text *out) {
    const mc_gate_desc *desc = story->desc;
    mc_text_format(out,
                   "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuite name=\"memcity gate\" "
                   "tests=\"%" PRIu32 "\" failures=\"%" PRIu32 "\" errors=\"%" PRIu32
                   "\" skipped=\"%" PRIu32 "\">\n",
                   desc->rule_count, count_junit(story, "failure"), count_junit(story, "error"),
                   count_junit(story, "skipped"));
    for (uint32_t i = 0; i < desc->rule_count; i++) {
        const char *what = choose_junit(story, i);
        mc_text_append_string(out, "  <testcase classname=\"memcity.gate\" name=\"");
        mc_format_append_markup(out, desc->rules[i].text, strlen(desc->rules[i].text));
        if (!*what) {
            mc_text_append_string(out, "\"/>\n");
            continue;
        }
        mc_text_append_string(out, "\">\n");
        if (strcmp(what, "failure") == 0)
            append_failure(story, i, out);
        else
            append_not_judged(story, i, what, out);
        mc_text_append_string(out, "  </testcase>\n");
    }
    mc_text_append_string(out, "</testsuite>\n");
}
