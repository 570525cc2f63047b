#include "app/command.h"
#include "app/pair.h"
#include "app/print/print_diff.h"
#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>

typedef struct diff_options {
    const char *metric_key;
    uint32_t window[MC_VERSUS_SIDES][2];
    const char *at; // "A:B"
    uint32_t most, order;
    bool json, tsv;
    mc_input_options input;
} diff_options;

enum { BY_VALUE, BY_GROWTH };
static const char *const order_names[] = {"value", "growth", NULL};

typedef struct session {
    const diff_options *options;
    mc_trace *sides[MC_VERSUS_SIDES], *trace;
    mc_name_folds folds;
    mc_diff_desc desc;
    mc_diff diff;
} session;

static int join(session *self) {
    mc_command_progress shown;
    mc_error error = {0};
    mc_progress progress = mc_command_begin_progress(&shown, "comparing");
    mc_result result = mc_pair_create(self->sides, &self->options->input.pair, "", false,
                                      &self->folds, &progress, &self->trace, &error);
    result = mc_command_end_progress(&shown, result, &error);
    return result == MC_OK ? MC_EXIT_OK : mc_command_fail(&error);
}

// Before anything is read.
static int check_folds(const mc_pair_options *pair) {
    mc_name_folds folds = {.count = 0};
    mc_error error = {0};
    mc_result result = mc_pair_add_folds(pair, &folds, &error);
    mc_name_folds_deinit(&folds);
    if (result == MC_ERROR_BAD_DATA) return mc_command_wrong_usage("--fold: %s", error.message);
    return result == MC_OK ? MC_EXIT_OK : mc_command_fail(&error);
}

// "A:B", which may go backwards, as they are steps of two traces.
static int read_at(const session *self, uint32_t at[MC_VERSUS_SIDES]) {
    const char *text = self->options->at;
    for (uint32_t side = 0; side < MC_VERSUS_SIDES; side++) {
        char *end = NULL;
        errno = 0;
        unsigned long step = isdigit((unsigned char)*text) ? strtoul(text, &end, 10) : 0;
        if (!end || *end != (side == MC_BEFORE ? ':' : '\0'))
            return mc_command_wrong_usage("--at: expected a step of each trace, as in 3:12");
        uint32_t count = mc_trace_get_step_count(self->sides[side]);
        if (errno != 0 || step >= count)
            return mc_command_wrong_usage("--at: the %s trace has steps 0 to %" PRIu32,
                                          side == MC_BEFORE ? "first" : "second", count - 1);
        at[side] = (uint32_t)step;
        text = end + 1;
    }
    return MC_EXIT_OK;
}

// Windows are those of the options, else those of any pair; steps that are compared end them.
static int choose_windows(session *self) {
    static const char *const names[] = {"--base-window", "--window"};
    const diff_options *options = self->options;
    uint32_t at[MC_VERSUS_SIDES] = {0};
    int code = options->at ? read_at(self, at) : MC_EXIT_OK;
    for (uint32_t side = 0; side < MC_VERSUS_SIDES && code == MC_EXIT_OK; side++) {
        const uint32_t *wanted = options->window[side];
        mc_step_range *window = &self->desc.window[side];
        *window = mc_pair_get_range(self->trace, (mc_versus_side)side);
        if (wanted[0] != MC_NONE)
            code = mc_command_choose_window(self->sides[side], wanted, self->desc.metric,
                                            names[side], window);
        if (code != MC_EXIT_OK || !options->at) continue;
        window->last_step = at[side];
        if (window->first_step > window->last_step) window->first_step = window->last_step;
    }
    return code;
}

// Of lines that a program reads the sentence is no part.
static void tell_ends(const mc_diff_story *story) {
    mc_text ends = {0};
    mc_diff_append_ends(story, &ends);
    if (ends.size > 0 && !ends.failed) mc_message_say("%s", ends.data);
    mc_text_deinit(&ends);
}

static int tell(const session *self, const char *const *names) {
    const diff_options *options = self->options;
    mc_text out = {0};
    mc_diff_story story = {.desc = &self->desc,
                           .diff = &self->diff,
                           .sides = {self->sides[MC_BEFORE], self->sides[MC_AFTER]},
                           .names = {names[MC_BEFORE], names[MC_AFTER]},
                           .folds = &self->folds,
                           .most = options->most};
    if (options->most == MC_NONE) story.most = options->json || options->tsv ? 0 : 10;
    mc_print print = mc_print_to(&out, options->json, options->tsv);
    mc_diff_print(&print, &story);
    if (options->json || options->tsv) tell_ends(&story);
    return mc_command_print(&out);
}

static int compare(session *self, const char *const *names) {
    mc_command_progress shown;
    mc_error error = {0};
    mc_progress progress = mc_command_begin_progress(&shown, "comparing");
    mc_result result = mc_diff_compute(&self->desc, &progress, &self->diff, &error);
    result = mc_command_end_progress(&shown, result, &error);
    return result == MC_OK ? tell(self, names) : mc_command_fail(&error);
}

// What is of interest of both; of one that has bytes these.
static mc_metric get_usual_metric(const session *self) {
    mc_metric usual = MC_METRIC_BYTES;
    for (uint32_t side = 0; side < MC_VERSUS_SIDES; side++) {
        const mc_trace *trace = self->sides[side];
        usual = mc_trace_get_usual_metric(trace);
        if (usual == MC_METRIC_BYTES) return usual;
        usual = mc_trace_find_metric(self->trace, mc_trace_get_metric(trace, usual)->key);
    }
    return usual == MC_NONE ? MC_METRIC_BYTES : usual;
}

static int run(const diff_options *options, const char *const *paths) {
    session self = {.options = options};
    int code = check_folds(&options->input.pair);
    for (uint32_t side = 0; side < MC_VERSUS_SIDES && code == MC_EXIT_OK; side++)
        code = mc_command_open(&paths[side], 1, &options->input, &self.sides[side]);
    if (code == MC_EXIT_OK) code = join(&self);
    self.desc = (mc_diff_desc){.trace = self.trace, .is_growth = options->order == BY_GROWTH};
    if (code == MC_EXIT_OK) self.desc.metric = get_usual_metric(&self);
    if (code == MC_EXIT_OK && options->metric_key)
        code =
            mc_command_find_metric(self.trace, "--metric", options->metric_key, &self.desc.metric);
    if (code == MC_EXIT_OK) code = choose_windows(&self);
    if (code == MC_EXIT_OK) code = compare(&self, paths);
    mc_diff_deinit(&self.diff);
    mc_trace_destroy(self.trace);
    for (uint32_t side = 0; side < MC_VERSUS_SIDES; side++)
        mc_trace_destroy(self.sides[side]);
    mc_name_folds_deinit(&self.folds);
    return code;
}

static void add_options(mc_option_list *list, diff_options *options) {
    list->examples = "memcity diff before.mct after.mct\nmemcity diff shop.mct shop.mct --at 5:25  "
                     "      # two steps of one trace";
    mc_option_list_add_string(list, "metric", &options->metric_key, "NAME",
                              "metric to compare (bytes; for methods elevation)");
    mc_option_list_add_string(list, "at", &options->at, "A:B",
                              "compare step A of BEFORE with step B of AFTER, counted from 0 (the "
                              "last of each window)");
    mc_option_list_add_range(list, "base-window", options->window[MC_BEFORE], "A:B",
                             "use only steps A to B of BEFORE");
    mc_option_list_add_range(list, "window", options->window[MC_AFTER], "A:B",
                             "use only steps A to B of AFTER");
    mc_option_list_add_choice(list, "by", &options->order, order_names, "WHAT",
                              "compare the values, or their growth over the time windows (value)");
    mc_option_list_add_folds(list, &options->input.pair);
    mc_option_list_add_uint(
        list, "n", &options->most, "N",
        "print at most N groups of each kind (10; 0: all; for JSON and TSV all)");
    mc_option_list_add_flag(list, "json", &options->json, "print JSON");
    mc_option_list_add_flag(list, "tsv", &options->tsv, "print tab-separated lines");
    mc_option_list_add_input(list, &options->input);
    mc_option_list_hide(list, "paths");
}

int mc_command_diff(int argc, const char **argv) {
    diff_options options = {.window = {{MC_NONE, MC_NONE}, {MC_NONE, MC_NONE}},
                            .most = MC_NONE,
                            .order = BY_VALUE,
                            .input = {.is_compared = true}};
    mc_option_list list = {0};
    uint32_t path_count;
    int code;
    add_options(&list, &options);
    if (!mc_command_begin_counted(
            &list,
            "memcity diff BEFORE AFTER [--metric NAME] [--at A:B] [--by growth] [--json|--tsv]",
            "Says what differs from one trace to the other: what grew or is new, what shrank or is "
            "gone, what\nwas moved.\n\nGroups with equal full keys are the same; a group with "
            "another name but "
            "mostly the same contents\nwas moved or renamed. Names that differ from run to run "
            "(lambdas, proxies, hidden classes) are\nmerged; the rules applied are listed. To "
            "compare two steps of one trace, give it twice, with --at\nor time windows.",
            MC_VERSUS_SIDES, UINT32_MAX, argc, argv, &path_count, &code))
        return code;
    if (path_count > MC_VERSUS_SIDES)
        return mc_command_wrong_usage("diff: unexpected argument %s; two sides are compared: of "
                                      "several dumps each, name their folders",
                                      argv[MC_VERSUS_SIDES]);
    if (options.json && options.tsv)
        return mc_command_wrong_usage("diff: --json and --tsv can't be combined");
    return run(&options, argv);
}
