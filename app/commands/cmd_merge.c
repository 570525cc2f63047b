#include "app/command.h"
#include "app/commands/merge_parts.h"
#include "engine/base/file.h"
#include "engine/base/memory.h"
#include "engine/base/printable.h"
#include "engine/import/format/step_times.h"
#include "engine/store/mct/mct_claim.h"
#include "engine/store/merge/merge.h"
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static const char *const alignment_names[] = {"time", "step", NULL};
enum { ALIGN_TIME, ALIGN_STEP };

typedef struct merge_options {
    mc_input_options input;
    const char *output, *under, *list, *bucket, *hold;
    uint32_t alignment, take; // MC_NONE: not said
    bool skip_bad;
} merge_options;

typedef struct merging {
    const merge_options *options;
    mc_merge_parts parts;
    mc_log log;
    mc_progress asking;
    bool *was_opened; // by part: what it has to say is said
} merging;

static mc_result open_part(void *user, uint32_t part, mc_trace **trace, mc_error *error) {
    merging *self = user;
    bool is_first = !self->was_opened[part];
    self->was_opened[part] = true;
    return mc_command_open_part(self->parts.items[part].path, &self->options->input,
                                is_first ? &self->log : NULL, &self->asking, trace, error);
}

// ---- the file

static void tell(const merging *self, const mc_merge_report *report) {
    mc_excerpt name;
    const char *path = self->options->output;
    printf("%s: %u %s, %u %s, %u groups", mc_excerpt_make(&name, path, strlen(path)),
           report->part_count, report->part_count == 1 ? "part" : "parts", report->step_count,
           report->step_count == 1 ? "step" : "steps", report->node_count);
    if (report->alignment == MC_MERGE_STEPS)
        printf("; first step with first step");
    else if (report->alignment == MC_MERGE_BUCKETS && report->bucket_ms % 1000 == 0)
        printf("; in buckets of %llds", (long long)report->bucket_ms / 1000);
    else if (report->alignment == MC_MERGE_BUCKETS)
        printf("; in buckets of %lldms", (long long)report->bucket_ms);
    if (report->held_count > 0)
        printf("; %llu %s of a late part taken from before", (unsigned long long)report->held_count,
               report->held_count == 1 ? "step" : "steps");
    if (report->skipped_count > 0) printf("; %u left out", report->skipped_count);
    printf("\n");
}

static mc_result merge_into(mc_merge_desc desc, const char *path, mc_merge_report *report,
                            mc_error *error) {
    mc_command_progress shown;
    mc_progress progress = mc_command_begin_progress(&shown, "merging");
    desc.path = path;
    desc.progress = &progress;
    mc_result result = mc_trace_merge(&desc, report, error);
    return mc_command_end_progress(&shown, result, error);
}

static mc_result give_name(mc_mct_claim *claim, mc_file_target *target, bool is_new,
                           mc_error *error) {
    if (!is_new) return mc_mct_claim_replace(claim, target, error);
    bool is_taken = false;
    mc_result result = mc_mct_claim_name(target, &is_taken, error);
    if (!is_taken) return result;
    result = mc_mct_claim_begin(claim, target->path, error);
    return result == MC_OK ? mc_mct_claim_replace(claim, target, error) : result;
}

// A file that is there is claimed at once; a new name is taken at the end, when the file is whole.
static int write_file(const merging *self, const mc_merge_desc *desc) {
    const char *output = self->options->output;
    mc_error error = {0};
    mc_merge_report report = {0};
    mc_mct_claim claim = {.lock = -1};
    mc_file_target target = {0};
    mc_command_catch_interrupts(); // what is half is taken away
    bool is_new = access(output, F_OK) != 0;
    mc_result result = is_new ? MC_OK : mc_mct_claim_begin(&claim, output, &error);
    if (result == MC_OK) result = mc_file_target_begin(&target, output, &error);
    if (result == MC_OK && !target.temporary_path)
        result = mc_fail(&error, MC_ERROR_IO,
                         "%s: can't write an .mct file there: it is not a regular file", output);
    if (result == MC_OK) result = merge_into(*desc, target.temporary_path, &report, &error);
    if (result == MC_OK) result = give_name(&claim, &target, is_new, &error);
    mc_file_target_discard(&target);
    mc_mct_claim_end(&claim, result == MC_OK);
    if (result != MC_OK) return mc_command_fail(&error);
    tell(self, &report);
    return report.skipped_count > 0 ? MC_EXIT_BAD_INPUT : MC_EXIT_OK;
}

// ---- options

static bool take_duration(const char *name, const char *text, int64_t *duration_ms) {
    if (!text || mc_duration_parse(text, 1000, duration_ms)) return true;
    mc_command_wrong_usage("%s: expected a duration as 1m, 500ms or 1h30m, not \"%s\"", name, text);
    return false;
}

static int check(const merge_options *options, mc_merge_desc *desc) {
    bool has_alignment = options->alignment != MC_NONE;
    desc->hold_ms = -1;
    if (options->input.notes)
        return mc_command_wrong_usage(
            "merge: --notes belongs to one trace; memcity import stores notes in its file");
    if (!options->output) return mc_command_wrong_usage("merge: -o FILE.mct is missing");
    if (options->under && !*options->under)
        return mc_command_wrong_usage("--under: expected a classifier's name, as host");
    if (has_alignment && options->bucket)
        return mc_command_wrong_usage("merge: --bucket and --align can't be combined");
    if (!take_duration("--bucket", options->bucket, &desc->bucket_ms) ||
        !take_duration("--hold", options->hold, &desc->hold_ms))
        return MC_EXIT_USAGE;
    if (options->bucket && desc->bucket_ms < 1)
        return mc_command_wrong_usage("--bucket: expected more than 0");
    desc->is_guessed = !has_alignment && !options->bucket;
    desc->alignment = options->bucket                    ? MC_MERGE_BUCKETS
                      : options->alignment == ALIGN_STEP ? MC_MERGE_STEPS
                                                         : MC_MERGE_TIMES;
    desc->take = (mc_merge_take)options->take;
    desc->under = options->under;
    desc->skip_bad = options->skip_bad;
    return MC_EXIT_OK;
}

static int check_paths(const merging *self) {
    for (uint32_t i = 0; i < self->parts.count; i++)
        if (mc_file_is_same(self->parts.items[i].path, self->options->output))
            return mc_command_wrong_usage("merge: %s is both input and output",
                                          self->options->output);
    return MC_EXIT_OK;
}

static int run(const merge_options *options, const char *const *texts, uint32_t count) {
    mc_merge_desc desc = {0};
    merging self = {
        .options = options, .log = mc_command_get_log(), .asking = {.report = mc_command_go_on}};
    mc_error error = {0};
    int code = check(options, &desc);
    if (code != MC_EXIT_OK) return code;
    mc_result result = mc_merge_parts_add(&self.parts, texts, count, &error);
    if (result == MC_OK && options->list)
        result = mc_merge_parts_read(&self.parts, options->list, &error);
    if (result == MC_OK && self.parts.count > 0) {
        self.was_opened = mc_alloc_zero(self.parts.count, sizeof *self.was_opened);
        if (!self.was_opened) result = mc_error_out_of_memory(&error);
    }
    if (result != MC_OK)
        code = mc_command_fail(&error);
    else if (self.parts.count == 0)
        code = mc_command_wrong_usage("merge: no trace given");
    if (code == MC_EXIT_OK) code = check_paths(&self);
    desc.parts = self.parts.items;
    desc.part_count = self.parts.count;
    desc.open = open_part;
    desc.user = &self;
    desc.log = &self.log;
    if (code == MC_EXIT_OK) code = write_file(&self, &desc);
    mc_merge_parts_deinit(&self.parts);
    mc_free(self.was_opened);
    return code;
}

int mc_command_merge(int argc, const char **argv) {
    merge_options options = {
        .input = {.is_raw = true}, .alignment = MC_NONE, .take = MC_MERGE_LAST};
    mc_option_list list = {0};
    uint32_t count;
    int code;
    mc_option_list_add_file(&list, "o", &options.output, "FILE.mct",
                            "file to write; replaces an existing .mct file");
    mc_option_list_add_string(
        &list, "under", &options.under, "NAME",
        "add an outermost classifier, such as host, with one group per trace; without it the "
        "outermost groups of the traces stand side by side, to merge merged traces further");
    mc_option_list_add_string(
        &list, "list", &options.list, "FILE",
        "file with further traces, one TRACE or NAME=TRACE per line; -: standard input");
    mc_option_list_add_string(&list, "bucket", &options.bucket, "TIME",
                              "merge steps within intervals of this length, such as 1m or 30s (the "
                              "usual time between steps, or 0 if all traces have the same times)");
    mc_option_list_add_choice(&list, "take", &options.take, mc_merge_take_names, "WHICH",
                              "value of several steps of a trace in one interval: the last, the "
                              "first, their mean or the one nearest to its time (last)");
    mc_option_list_add_choice(&list, "align", &options.alignment, alignment_names, "HOW",
                              "instead of intervals: merge steps with exactly the same time "
                              "(time), or with the same number (step)");
    mc_option_list_add_string(
        &list, "hold", &options.hold, "TIME",
        "how long a trace without new steps counts with its last values (one interval)");
    mc_option_list_add_flag(&list, "skip-bad", &options.skip_bad,
                            "skip unreadable traces; the exit code is then 3");
    mc_option_list_add_input(&list, &options.input);
    mc_option_list_hide(&list, "times");
    mc_option_list_hide(&list, "frame");
    mc_option_list_hide(&list, "notes"); // a part has its own
    if (!mc_command_begin_counted(
            &list, "memcity merge TRACE… -o FILE.mct --under host [--bucket TIME] [--list FILE]",
            "Merges traces of many hosts, pods or services into one. Each is named after its file, "
            "or by\nNAME=TRACE. Merging merged traces gives the same result as merging all at "
            "once, in any order.",
            0, UINT32_MAX, argc, argv, &count, &code))
        return code;
    return run(&options, argv, count);
}
