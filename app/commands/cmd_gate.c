#include "app/command.h"
#include "app/commands/gate_text.h"
#include "app/format.h"
#include "app/page/page_file.h"
#include "app/pair.h"
#include "app/picture/stage.h"
#include "app/png_file.h"
#include "app/why_text.h"
#include "engine/analyze/cause_finder.h"
#include "engine/base/file.h"
#include <string.h>

typedef struct gate_options {
    mc_option_texts rules;
    const char *junit, *png, *page;
    bool json, is_strict, takes_few_steps;
    const char *metric_key;
    uint32_t window[2], base_window[2];
    mc_input_options input;
    mc_picture_options picture;
} gate_options;

typedef struct session {
    const gate_options *options;
    mc_trace *trace, *base;
    mc_rule rules[MC_RULES_MAX];
    mc_gate_desc desc;
    mc_gate gate;
    mc_gate_story story;
    mc_trace *pair; // base and trace as one; NULL: there is no base
    mc_gate_parts parts;
    mc_text sentence; // why it grows
} session;

static int parse_rules(session *self) {
    const mc_option_texts *texts = &self->options->rules;
    if (texts->count == 0)
        return mc_command_wrong_usage("gate: --rule is missing, such as --rule '**: +1%%/h'");
    for (uint32_t i = 0; i < texts->count; i++) {
        mc_error error = {0};
        if (mc_rule_parse(texts->items[i], &self->rules[i], &error) != MC_OK)
            return mc_command_wrong_usage("--rule: %s", error.message);
    }
    return MC_EXIT_OK;
}

static int write_file(const char *path, mc_text *text) {
    mc_error error = {0};
    mc_result result = text->failed ? mc_error_out_of_memory(&error)
                                    : mc_file_write(path, text->data, text->size, &error);
    mc_text_deinit(text);
    return result == MC_OK ? MC_EXIT_OK : mc_command_fail(&error);
}

// The city at the window's end, in the metric of the worst group: it and its like stand out. The
// stage takes the trace.
static int draw(session *self) {
    mc_picture_options picture = self->options->picture;
    mc_layout_options *layout = &picture.settings.layout;
    mc_stage stage = {0};
    mc_metric metric = self->gate.count > 0 ? self->gate.findings[0].metric : self->desc.metric;
    layout->metric_key = mc_trace_get_metric(self->trace, metric)->key;
    picture.settings.look.names = picture.legend = true;
    layout->window[0] = self->desc.window.first_step;
    layout->window[1] = self->desc.window.last_step;
    mc_text verdict = {0};
    mc_gate_append_verdict(&self->story, &verdict);
    mc_stage_desc desc = {.trace = self->trace,
                          .paths = &self->story.name,
                          .path_count = 1,
                          .note = verdict.failed ? NULL : verdict.data,
                          .input = &self->options->input,
                          .picture = &picture,
                          .width = 1600,
                          .height = 1000};
    self->trace = NULL;
    int code = mc_stage_init(&stage, &desc);
    if (code == MC_EXIT_OK) code = mc_stage_set_step(&stage, layout->window[1]);
    if (code == MC_EXIT_OK) code = mc_stage_draw(&stage, 1);
    mc_error error = {0};
    if (code == MC_EXIT_OK &&
        mc_png_write(self->options->png, stage.pixels, stage.width, stage.height, &error) != MC_OK)
        code = mc_command_fail(&error);
    mc_stage_deinit(&stage);
    mc_text_deinit(&verdict);
    return code;
}

// The city of the window, in the same metric, with the worst group selected.
static int write_city(const session *self) {
    mc_layout_options layout = self->options->picture.settings.layout;
    const mc_gate_finding *worst = self->gate.count > 0 ? self->gate.findings : NULL;
    mc_metric metric = worst ? worst->metric : self->desc.metric;
    mc_page_view view = {.step = MC_NONE, .node = worst ? worst->node : MC_NONE};
    mc_page_desc desc = {.trace = self->trace, .title = self->story.name, .view = &view};
    layout.metric_key = mc_trace_get_metric(self->trace, metric)->key;
    layout.window[0] = self->desc.window.first_step;
    layout.window[1] = self->desc.window.last_step;
    int code = mc_command_get_city_desc(&layout, self->trace, &desc.city);
    return code == MC_EXIT_OK ? mc_page_write(&desc, self->options->page) : code;
}

static void forget_pair(session *self) {
    mc_gate_parts_deinit(&self->parts);
    mc_trace_destroy(self->pair);
    self->pair = NULL;
    self->desc.pair = NULL;
    self->story.pair = NULL;
    self->story.parts = NULL;
}

// What was moved is found as `diff` finds it. The pair's steps are those of the base's window.
static int join(session *self) {
    char windows[MC_VERSUS_SIDES][MC_PAIR_WINDOW_SIZE];
    uint32_t last = self->desc.window.last_step;
    mc_pair_options options = self->options->input.pair;
    mc_command_progress shown;
    mc_error error = {0};
    if (!self->base) return MC_EXIT_OK;
    mc_pair_write_window(windows[MC_BEFORE], (uint32_t[]){self->desc.base_window.first_step,
                                                          self->desc.base_window.last_step});
    mc_pair_write_window(windows[MC_AFTER], (uint32_t[]){last, last});
    for (uint32_t side = 0; side < MC_VERSUS_SIDES; side++)
        options.windows[side] = windows[side];
    mc_trace *sides[] = {[MC_BEFORE] = self->base, [MC_AFTER] = self->trace};
    mc_progress progress = mc_command_begin_progress(&shown, "comparing with the base");
    mc_result result =
        mc_pair_create(sides, &options, "step", false, NULL, &progress, &self->pair, &error);
    result = mc_command_end_progress(&shown, result, &error);
    self->desc.pair = self->pair;
    return result == MC_OK ? MC_EXIT_OK : mc_command_fail(&error);
}

// What findings consist of that the base does not have, or not as large.
static int explain(session *self) {
    if (!self->pair || self->gate.count == 0) return MC_EXIT_OK;
    mc_command_progress shown;
    mc_error error = {0};
    mc_progress progress = mc_command_begin_progress(&shown, "comparing with the base");
    mc_result result =
        mc_gate_parts_find(&self->desc, &self->gate, self->pair, &progress, &self->parts, &error);
    result = mc_command_end_progress(&shown, result, &error);
    if (result != MC_OK) {
        forget_pair(self);
        return mc_command_fail(&error);
    }
    self->story.pair = self->pair;
    self->story.parts = &self->parts;
    return MC_EXIT_OK;
}

static int find_causes(const mc_trace *trace, const mc_causes_desc *desc, mc_causes *causes) {
    mc_command_progress shown;
    mc_error error = {0};
    mc_progress progress = mc_command_begin_progress(&shown, "looking for causes");
    mc_result result = mc_causes_find(trace, desc, &progress, causes, &error);
    result = mc_command_end_progress(&shown, result, &error);
    return result == MC_OK ? MC_EXIT_OK : mc_command_fail(&error);
}

static bool grows(const mc_causes *causes) {
    return causes->suspects.verdict == MC_HEAP_GROWS && causes->count > 0 &&
           !causes->suspects.is_short;
}

// Whether most of what the whole gained is that of no single group.
static bool is_of_many(const session *self, const mc_suspects *suspects) {
    uint64_t first, last;
    int64_t most = 0;
    for (uint32_t i = 0; i < suspects->count; i++)
        if (suspects->items[i].growth > most) most = suspects->items[i].growth;
    mc_step_range window = self->desc.window;
    if (mc_trace_read_total(self->trace, window.first_step, self->desc.metric, &first, NULL) !=
            MC_OK ||
        mc_trace_read_total(self->trace, window.last_step, self->desc.metric, &last, NULL) != MC_OK)
        return false;
    const mc_metric_info *info = mc_trace_get_metric(self->trace, self->desc.metric);
    return (double)most <
           (mc_metric_get_number(info, last) - mc_metric_get_number(info, first)) / 2;
}

// Whether the base has a cause of the same group.
static bool has_same_cause(const session *self, const mc_cause *cause, const mc_causes *base) {
    mc_text key = {0};
    mc_trace_append_full_key(self->trace, cause->node, &key);
    uint32_t node = key.failed ? MC_NONE : mc_trace_find_node(self->desc.base, key.data, key.size);
    bool is_found = false;
    for (uint32_t i = 0; i < base->count; i++)
        is_found |= node != MC_NONE && base->items[i].node == node;
    mc_text_deinit(&key);
    return is_found;
}

static bool limits_whole(const session *self) {
    size_t size;
    const char *whole = mc_trace_get_name(self->trace, 0, &size);
    for (uint32_t i = 0; i < self->desc.rule_count; i++) {
        const mc_rule *rule = &self->desc.rules[i];
        if (rule->pattern_size == size && memcmp(rule->text, whole, size) == 0) return true;
    }
    return false;
}

// Nothing grows too fast by itself. Do many groups together, and other than in the base?
static int warn_of_sum(session *self, const mc_causes *causes, const char *sentence) {
    mc_causes base = {0};
    const mc_causes_desc desc = {.metric = self->desc.base_metric,
                                 .window = self->desc.base_window};
    mc_text rule = {0};
    size_t size;
    const char *whole = mc_trace_get_name(self->trace, 0, &size);
    int code = MC_EXIT_OK;
    if (!grows(causes) || !is_of_many(self, &causes->suspects) || limits_whole(self))
        return MC_EXIT_OK;
    if (self->desc.base && desc.metric != MC_NONE)
        code = find_causes(self->desc.base, &desc, &base);
    mc_text_append_string(&rule, "--rule '");
    mc_format_append_line(&rule, whole, size);
    mc_text_append_string(&rule, ": +1%/h, +1MB'");
    if (code == MC_EXIT_OK && !(grows(&base) && has_same_cause(self, &causes->items[0], &base)))
        mc_message_warn("no group grows faster than allowed, but the whole does grow: %s (what "
                        "limits the sum: %s)",
                        sentence, mc_text_get(&rule));
    mc_text_deinit(&rule);
    mc_causes_deinit(&base);
    return code;
}

// What grows too fast is explained as `memcity why` does.
static int find_why(session *self) {
    bool has_passed = self->story.outcome == MC_GATE_PASSED && self->gate.count == 0;
    if (self->gate.count == 0 && !has_passed) return MC_EXIT_OK;
    if (mc_trace_get_frame_ms(self->trace) > 0) return MC_EXIT_OK;
    mc_causes causes = {0};
    const mc_causes_desc desc = {.metric = self->desc.metric, .window = self->desc.window};
    int code = find_causes(self->trace, &desc, &causes);
    if (code != MC_EXIT_OK) return code;
    const mc_why why = {.trace = self->trace,
                        .causes = &causes,
                        .limit = mc_why_get_limit(self->trace, desc.window)};
    mc_why_append_headline(&why, &self->sentence);
    if (has_passed)
        code = warn_of_sum(self, &causes, mc_text_get(&self->sentence));
    else
        self->story.sentence = mc_text_get(&self->sentence);
    mc_causes_deinit(&causes);
    return code;
}

// Rules that judge nothing, and what a window of few steps can't tell.
static void warn(const session *self) {
    mc_gate_outcome outcome = self->story.outcome;
    for (uint32_t i = 0; i < self->desc.rule_count; i++) {
        mc_text text = {0};
        if (self->gate.rule_judged[i] > 0) continue;
        mc_gate_append_unused(&self->story, i, &text);
        if (outcome == MC_GATE_NO_GROUP)
            mc_message_say("%s", mc_text_get(&text));
        else
            mc_message_warn("%s", mc_text_get(&text));
        mc_text_deinit(&text);
    }
    if (self->gate.judged_count == 0) return;
    if (outcome == MC_GATE_FEW_STEPS)
        mc_message_say("with fewer than 5 steps, growth can't be told from chance; --few-steps "
                       "lets them pass");
    else if (self->desc.window.last_step - self->desc.window.first_step + 1 < 5)
        mc_message_warn("with fewer than 5 steps, growth can't be told from chance");
}

// A verdict is worth more than an explanation, or a file that could not be written.
static int tell(session *self) {
    static const int exit_codes[] = {[MC_GATE_FAILED] = MC_EXIT_GATE,
                                     [MC_GATE_NO_GROUP] = MC_EXIT_USAGE,
                                     [MC_GATE_FEW_STEPS] = MC_EXIT_FAILED};
    const gate_options *options = self->options;
    mc_text out = {0}, junit = {0};
    warn(self);
    int code = find_why(self), explained = explain(self);
    if (code == MC_EXIT_OK) code = explained;
    mc_print print = mc_print_to(&out, options->json, false);
    if (options->json)
        mc_gate_put(&print, &self->story);
    else
        mc_gate_append_text(&self->story, &out);
    int printed = mc_command_print(&out);
    if (code == MC_EXIT_OK) code = printed;
    if (options->junit) {
        mc_gate_append_junit(&self->story, &junit);
        int written = write_file(options->junit, &junit);
        if (code == MC_EXIT_OK) code = written;
    }
    forget_pair(self); // before the trace that it is of
    if (options->page) {
        int written = write_city(self);
        if (code == MC_EXIT_OK) code = written;
    }
    if (options->png) {
        int drawn = draw(self);
        if (code == MC_EXIT_OK) code = drawn;
    }
    return self->story.outcome == MC_GATE_PASSED ? code : exit_codes[self->story.outcome];
}

static mc_metric find_in_base(const session *self, mc_metric metric) {
    return self->base
               ? mc_trace_find_metric(self->base, mc_trace_get_metric(self->trace, metric)->key)
               : MC_NONE;
}

static int judge(session *self) {
    const gate_options *options = self->options;
    mc_metric metric = MC_METRIC_BYTES;
    int code = options->metric_key
                   ? mc_command_find_metric(self->trace, "--metric", options->metric_key, &metric)
                   : MC_EXIT_OK;
    if (code != MC_EXIT_OK) return code;
    self->desc = (mc_gate_desc){.trace = self->trace,
                                .base = self->base,
                                .metric = metric,
                                .base_metric = find_in_base(self, metric),
                                .rules = self->rules,
                                .rule_count = options->rules.count};
    code = mc_command_choose_window(self->trace, options->window, metric, "--window",
                                    &self->desc.window);
    if (code == MC_EXIT_OK && self->base)
        code = mc_command_choose_window(self->base, options->base_window, metric, "--base-window",
                                        &self->desc.base_window);
    if (code == MC_EXIT_OK) code = join(self);
    if (code != MC_EXIT_OK) return code;
    mc_command_progress shown;
    mc_error error = {0};
    mc_progress progress = mc_command_begin_progress(&shown, "judging");
    mc_result result = mc_gate_judge(&self->desc, &self->gate, &progress, &error);
    result = mc_command_end_progress(&shown, result, &error);
    if (result != MC_OK) return mc_command_fail(&error);
    self->story.desc = &self->desc;
    self->story.gate = &self->gate;
    self->story.is_strict = options->is_strict;
    self->story.takes_few_steps = options->takes_few_steps;
    self->story.outcome =
        mc_gate_conclude(&self->desc, &self->gate, options->is_strict, options->takes_few_steps);
    return tell(self);
}

static int run(const gate_options *options, const char *const *paths, uint32_t path_count) {
    session self = {.options = options};
    int code = parse_rules(&self);
    if (code == MC_EXIT_OK && options->png && !mc_command_check_output(options->png, ".png"))
        code = MC_EXIT_USAGE;
    if (code == MC_EXIT_OK && options->page && !mc_command_check_output(options->page, ".html"))
        code = MC_EXIT_USAGE;
    if (code == MC_EXIT_OK)
        code = mc_command_open(&paths[path_count - 1], 1, &options->input, &self.trace);
    if (code == MC_EXIT_OK && path_count > 1)
        code = mc_command_open(paths, 1, &options->input, &self.base);
    self.story.name = paths[path_count - 1];
    self.story.base_name = path_count > 1 ? paths[0] : NULL;
    if (code == MC_EXIT_OK) code = judge(&self);
    forget_pair(&self);
    mc_gate_deinit(&self.gate);
    mc_text_deinit(&self.sentence);
    mc_trace_destroy(self.trace);
    mc_trace_destroy(self.base);
    return code;
}

static void add_options(mc_option_list *list, gate_options *options) {
    list->examples = "memcity gate new.mct --rule '**: +1%/h, +1MB'\nmemcity gate base.mct new.mct "
                     "--rule 'Heap: +20MB' --junit gate.xml";
    mc_option_list_add(list,
                       (mc_option){.name = "rule",
                                   .kind = MC_OPTION_LIST,
                                   .target = &options->rules,
                                   .argument = "'PATTERN: LIMIT'",
                                   .help = "limit the growth of matching groups; repeatable"});
    mc_option_list_add_file(list, "junit", &options->junit, "FILE",
                            "write the verdict as JUnit XML, one test case per rule");
    mc_option_list_add_file(list, "png", &options->png, "FILE",
                            "draw the city at the last step, coloured by growth");
    mc_option_list_add_file(list, "page", &options->page, "FILE",
                            "write the city as an HTML page to walk through (memcity page)");
    mc_option_list_add_flag(list, "json", &options->json, "print the verdict as JSON");
    mc_option_list_add_flag(list, "strict", &options->is_strict,
                            "fail also for groups that grew too fast in the base already");
    mc_option_list_add_flag(list, "few-steps", &options->takes_few_steps,
                            "let fewer than five steps pass, judged by their slope alone");
    mc_option_list_add_string(
        list, "metric", &options->metric_key, "NAME",
        "metric of limits in percent, of +0, and of limits in its unit (bytes)");
    mc_option_list_add_range(list, "window", options->window, "A:B",
                             "judge only steps A to B, counted from 0, to leave out a warm-up");
    mc_option_list_add_range(list, "base-window", options->base_window, "A:B",
                             "use only steps A to B of the base, counted from 0");
    mc_option_list_add_device(list, &options->picture);
    mc_option_list_add_input(list, &options->input);
    mc_option_list_hide(list, "paths");
}

int mc_command_gate(int argc, const char **argv) {
    gate_options options = {.window = {MC_NONE, MC_NONE},
                            .base_window = {MC_NONE, MC_NONE},
                            .picture = mc_picture_options_default()};
    mc_option_list list = {0};
    add_options(&list, &options);
    uint32_t path_count;
    int code;
    if (!mc_command_begin_counted(
            &list,
            "memcity gate [BASE] NEW --rule 'PATTERN: LIMIT' … [--junit FILE] [--png FILE] "
            "[--page FILE]",
            "For CI: exits with 4 if a group of NEW keeps growing faster than its rule allows, by "
            "the robust\ntrend over all steps, and faster than in BASE. Groups that stopped "
            "growing "
            "pass. What was not\njudged does not: it exits with 1 for fewer than five steps, in "
            "which no "
            "group fails (see\n--few-steps), and with 2 if no rule matches a group.\n\nPATTERN  a "
            "name at any level, or, with '#', a full key. "
            "* any characters but #, ** any, ? one:\n           '*Cache*'  'Heap#com.example.*#**' "
            " '**'\n         The first rule that matches a group applies; of nested groups that "
            "the same rule matches,\n         only the innermost are judged.\nLIMIT    +1%/h  "
            "+5MB/min  +100/step (objects)  +1MB (over all steps)  +0  any\n         Units of "
            "time: s, min, h, d, step. Percentages refer to the group's median. Of several\n       "
            "  limits, as in '**: +1%/h, +1MB', all must be exceeded.\n\nRules for leaves miss a "
            "leak of many small groups: begin with a rule for the total, as in\n'Heap: "
            "+1MB'.\n\nGrowth up to 1.1 times that in BASE is not new: it is listed separately, "
            "and fails with --strict.\nGroups are compared by full key without the numbers of "
            "hidden classes (Lambda$1/0x…). Moved and\nrenamed groups are compared with their "
            "counterparts in BASE, as `memcity diff` finds them. Each\nfinding lists where the "
            "group was, what in it grew more than in BASE, and what of that is new.",
            1, 2, argc, argv, &path_count, &code))
        return code;
    return run(&options, argv, path_count);
}
