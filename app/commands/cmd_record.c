#include "app/command.h"
#include "app/format.h"
#include "app/record/jfr_recording.h"
#include "app/record/process_recording.h"
#include "engine/base/clock.h"
#include "engine/base/file.h"
#include "engine/import/histogram/histogram.h"
#include "engine/live/jvm.h"
#include "engine/live/nodejs.h"
#include "engine/live/record_clock.h"
#include "engine/store/mct/mct.h"
#include "engine/store/mct/mct_claim.h"
#include "engine/trace/kept_owners.h"
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define LIMIT_TIMEOUT_MS 5000 // what is only asked by the way
#define JFR_TIMEOUT_MS 600000 // a dump looks at the whole heap

typedef struct record_options {
    uint32_t pid, jfr;
    const char *output, *every, *duration, *timeout, *jcmd, *temporary;
    bool references, all, quiet, append;
    bool is_node; // the process
    mc_input_options input;
    int64_t every_ms, duration_ms; // duration -1: without end
} record_options;

typedef struct recording {
    const record_options *options;
    mc_grouping grouping;
    uint32_t pid;
    const char *name; // of its program, for messages
    mc_jvm jvm;
    mc_nodejs node;
    mc_dump_place place; // of a JVM's, with references
    mc_mct_writer *writer;
    mc_histogram_reader *reader;
    mc_step_tree tree;
    mc_text text;          // what jcmd said
    mc_record_clock clock; // its last time: of the last step in the file
    uint32_t step_count;   // of this run
    uint32_t failed_count; // requests
    uint64_t objects, bytes, last_bytes;
    uint64_t heap_limit; // of the program, in bytes; 0: not known
    mc_mct_claim claim;  // on the file, while this program records into it
    bool is_open;        // the writer has something of a step that isn't whole yet
    mc_kept_owners kept_owners;
    mc_mct_program program;
    char note[MC_PROCESS_NOTE_SIZE]; // of the next step; empty: none
} recording;

static double get_seconds_since(uint64_t begin_ns) {
    return (double)(mc_clock_now_ns() - begin_ns) * 1e-9;
}

// ---- the file

// One file has one grouping, or its steps could not be compared.
static mc_result check_grouping(recording *self, const mc_trace *trace, mc_error *error) {
    uint32_t count = mc_trace_get_classifier_count(trace);
    bool is_same = count == self->grouping.count;
    for (uint32_t i = 0; i < count && is_same; i++) {
        size_t size;
        const char *name = mc_trace_get_classifier(trace, i, &size);
        const char *own = mc_group_classifiers[self->grouping.criteria[i]];
        is_same = strlen(own) == size && memcmp(own, name, size) == 0;
    }
    if (is_same) return MC_OK;
    return mc_fail(
        error, MC_ERROR_UNSUPPORTED,
        "%s: the file is grouped differently; give the same --group-by, or another file with -o",
        self->options->output);
}

static mc_result check_existing(recording *self, mc_error *error) {
    const char *path = self->options->output;
    mc_mct_state state;
    mc_result result = mc_mct_peek(path, &state, error);
    if (result != MC_OK || state.step_count == 0) return result;
    mc_trace *trace = NULL;
    mc_mct_open_desc desc = {.path = path};
    result = mc_mct_open(&desc, &trace, NULL, error);
    if (result == MC_OK && !self->options->is_node) result = check_grouping(self, trace, error);
    if (result == MC_OK) {
        const mc_step_info *last = mc_trace_get_step(trace, mc_trace_get_step_count(trace) - 1);
        self->clock.last_ms = last->time_ms;
        result = mc_process_recording_check_last(path, last->time_ms, error);
        self->last_bytes = last->bytes;
    }
    if (result == MC_OK)
        result = mc_process_recording_check(path, &self->program, self->options->append, self->note,
                                            error);
    if (result == MC_OK)
        mc_message_say("%s: appending to its %" PRIu32 " %s", path, state.step_count,
                       state.step_count == 1 ? "step" : "steps");
    mc_trace_destroy(trace);
    return result;
}

static mc_result open_file(recording *self, mc_error *error) {
    const char *path = self->options->output;
    static mc_log log;
    log = mc_command_get_log();
    mc_result result = mc_mct_claim_begin(&self->claim, path, error);
    bool append = result == MC_OK && !self->claim.is_empty;
    if (append) result = check_existing(self, error);
    if (result != MC_OK) return result;
    mc_mct_writer_desc desc = {.path = path,
                               .append = append,
                               .sync = MC_MCT_SYNC_STEPS,
                               .log = &log,
                               .program = self->program.pid > 0 ? &self->program : NULL};
    return mc_mct_writer_create(&desc, &self->writer, error);
}

// ---- a step

static void begin_clock(recording *self) {
    char time[MC_FORMAT_SIZE];
    int64_t late_ms =
        mc_record_clock_begin(&self->clock, mc_record_moment_read(), self->clock.last_ms);
    if (late_ms > 0)
        mc_message_warn("%s: its last step is in the future by this clock: new steps are dated %s "
                        "later, to follow it",
                        self->options->output, mc_format_time(time, late_ms));
}

static int64_t choose_time(recording *self) {
    char time[MC_FORMAT_SIZE];
    mc_record_moment now = mc_record_moment_read();
    int64_t jump_ms = mc_record_clock_take_jump(&self->clock, now);
    if (jump_ms != 0)
        mc_message_warn("the clock was set %s by %s; the steps' times go on as before",
                        jump_ms < 0 ? "back" : "ahead",
                        mc_format_time(time, jump_ms < 0 ? -jump_ms : jump_ms));
    return mc_record_clock_get(&self->clock, now);
}

static mc_result read_histogram(recording *self, mc_error *error) {
    mc_histogram histogram;
    bool is_there = false;
    mc_result result = mc_jvm_read_histogram(&self->jvm, self->options->all, &self->text, error);
    if (result != MC_OK) return result;
    mc_histogram_reader_begin(self->reader, (const unsigned char *)self->text.data,
                              self->text.size);
    result =
        mc_histogram_reader_next(self->reader, false, &is_there, &histogram, &self->tree, error);
    if (result == MC_OK && !is_there)
        result = mc_fail(error, MC_ERROR_BAD_DATA, "no class histogram: \"%.*s\"",
                         (int)(self->text.size < 200 ? self->text.size : 200),
                         self->text.data ? self->text.data : "");
    return result == MC_ERROR_BAD_DATA ? mc_error_prepend(error, "what jcmd said") : result;
}

static mc_result add_step(void *user, const mc_step_tree *tree, const char *source,
                          mc_error *error) {
    recording *self = user;
    self->is_open = true;
    self->objects = tree->nodes[0].objects;
    self->bytes = tree->nodes[0].bytes;
    mc_step_tree limited = *tree; // of which nothing but this differs, nor is freed
    limited.heap_limit = self->heap_limit;
    if (self->note[0]) limited.note = self->note;
    return mc_mct_writer_add_step(self->writer, &limited, source, error);
}

static mc_result add_references(void *user, const mc_reference_map *map,
                                mc_reference_direction direction, mc_error *error) {
    return mc_mct_writer_add_references(((recording *)user)->writer, map, direction, error);
}

static mc_result add_referrers(void *user, const mc_step_referrers *referrers, mc_error *error) {
    return mc_mct_writer_add_referrers(((recording *)user)->writer, referrers, error);
}

static mc_result add_paths(void *user, const mc_step_paths *paths, mc_error *error) {
    return mc_mct_writer_add_paths(((recording *)user)->writer, paths, error);
}

static mc_result add_owners(void *user, const mc_step_owners *owners, mc_error *error) {
    return mc_mct_writer_add_owners(((recording *)user)->writer, owners, error);
}

static bool go_on(void *user, uint64_t done, uint64_t total) {
    (void)user, (void)done, (void)total;
    return !mc_command_is_interrupted();
}

// A dump that the JVM could not finish (a full disk) would look as if the heap had shrunk.
static mc_result import_dump(recording *self, int fd, int64_t time_ms, mc_error *error) {
    char opened[32], message[MC_ERROR_MESSAGE_SIZE];
    const char *paths[] = {opened};
    snprintf(opened, sizeof opened, "/proc/self/fd/%d", fd);
    mc_step_times times = {.values = &time_ms, .count = 1};
    mc_log log = mc_command_get_log();
    mc_progress progress = {go_on, NULL};
    mc_import_desc desc = {.paths = paths,
                           .path_count = 1,
                           .whole_dumps = true,
                           .deep = self->options->input.deep,
                           .kept_owners = &self->kept_owners,
                           .group_by = self->options->input.group_by,
                           .times = &times,
                           .log = &log,
                           .progress = &progress};
    mc_import_sink sink = {add_step, add_references, add_referrers, add_paths, add_owners, self};
    mc_result result = mc_import_steps(&desc, &sink, NULL, error);
    if (result != MC_ERROR_BAD_DATA) return result;
    size_t prefix = strncmp(error->message, opened, strlen(opened)) == 0 ? strlen(opened) : 0;
    snprintf(message, sizeof message, "%s", error->message + prefix);
    return mc_fail(error, MC_ERROR_IO, "the heap dump%s%s", prefix > 0 ? "" : ": ", message);
}

static mc_result read_dump(recording *self, int64_t time_ms, mc_error *error) {
    mc_dump dump;
    mc_result result = mc_dump_begin(&dump, &self->place, error);
    if (result == MC_OK) result = mc_jvm_write_dump(&self->jvm, self->options->all, &dump, error);
    if (result == MC_OK) result = import_dump(self, dump.file, time_ms, error);
    mc_dump_end(&dump);
    return result;
}

// Nobody but us ever knows a name of the file.
static mc_result read_snapshot(recording *self, int64_t time_ms, mc_error *error) {
    const char *folder = self->options->temporary;
    const int file = mc_file_open_nameless(folder);
    if (file < 0)
        return mc_fail(error, MC_ERROR_IO, "%s: no file can be made there: %s", folder,
                       strerror(errno));
    mc_result result = mc_nodejs_write_snapshot(&self->node, file, error);
    if (result == MC_OK) result = import_dump(self, file, time_ms, error);
    close(file);
    return result;
}

// So that it can be told until when the heap lasts. Of one step nobody could: a JVM that does not
// answer keeps nobody waiting for the first.
static void learn_limit(recording *self) {
    mc_error error = {0};
    mc_jvm asked = self->jvm;
    if (self->options->is_node || self->step_count != 1) return;
    if (asked.timeout_ms > LIMIT_TIMEOUT_MS) asked.timeout_ms = LIMIT_TIMEOUT_MS;
    if (mc_jvm_read_heap_limit(&asked, &self->heap_limit, &error) != MC_OK) self->heap_limit = 0;
}

// A step into the file.
static mc_result take_step(recording *self, mc_error *error) {
    learn_limit(self);
    int64_t time_ms = choose_time(self);
    mc_result result;
    if (self->options->is_node) {
        result = read_snapshot(self, time_ms, error);
    } else if (self->options->references) {
        result = read_dump(self, time_ms, error);
    } else {
        result = read_histogram(self, error);
        self->tree.time_ms = time_ms;
        if (result == MC_OK) result = add_step(self, &self->tree, "jcmd", error);
    }
    if (result == MC_OK) result = mc_mct_writer_commit(self->writer, error);
    if (result != MC_OK) return result;
    self->is_open = false;
    self->note[0] = '\0';
    self->step_count++;
    return MC_OK;
}

static void tell_step(recording *self, double seconds) {
    char time[MC_FORMAT_SIZE], objects[MC_FORMAT_SIZE], bytes[MC_FORMAT_SIZE],
        growth[MC_FORMAT_SIZE];
    bool has_growth = self->last_bytes > 0;
    if (!self->options->quiet)
        fprintf(stderr, "%s  %s  %s  %s  (%.1f s)\n", mc_format_time(time, self->clock.last_ms),
                mc_format_counted(objects, self->objects, "object"),
                mc_format_bytes(bytes, self->bytes),
                has_growth ? mc_format_bytes_growth(growth, (int64_t)self->bytes -
                                                                (int64_t)self->last_bytes)
                           : "",
                seconds);
    self->last_bytes = self->bytes;
}

// ---- the recording

static bool is_alive(const void *user) {
    const recording *self = user;
    return self->options->is_node ? mc_nodejs_is_alive(&self->node) : mc_jvm_is_alive(&self->jvm);
}

// A request that failed: whether that is the end. The first one must work; later ones may fail, for
// what is recorded so far is not worth less.
static bool is_end(recording *self, const mc_error *error) {
    if (error->code == MC_ERROR_CANCELLED || self->is_open) return true;
    if (!is_alive(self) || self->step_count == 0) return true;
    self->failed_count++;
    mc_message_warn("a step is missing: %s", error->message);
    return false;
}

static int run(recording *self) {
    const record_options *options = self->options;
    uint64_t begin_ns = mc_clock_now_ns(), due_ns = begin_ns;
    uint64_t end_ns =
        options->duration_ms < 0 ? UINT64_MAX : begin_ns + (uint64_t)options->duration_ms * 1000000;
    bool is_late_told = false;
    while (due_ns <= end_ns && mc_process_recording_wait(due_ns, is_alive, self)) {
        mc_error error = {0};
        uint64_t step_ns = mc_clock_now_ns();
        mc_result result = take_step(self, &error);
        double seconds = get_seconds_since(step_ns);
        if (result == MC_OK) {
            tell_step(self, seconds);
        } else if (is_end(self, &error)) {
            if (result == MC_ERROR_CANCELLED || (!self->is_open && !is_alive(self))) break;
            return mc_command_fail(&error);
        }
        if (seconds * 1000 > (double)options->every_ms && options->every_ms > 0 && !is_late_told) {
            is_late_told = true;
            mc_message_warn("a step takes %.1f s, so steps are farther apart than --every %gs",
                            seconds, (double)options->every_ms / 1000);
        }
        due_ns = mc_process_recording_choose_due(begin_ns, due_ns, options->every_ms);
    }
    return MC_EXIT_OK;
}

static bool has_steps(const char *path) {
    mc_mct_state state;
    mc_error error = {0};
    return mc_mct_peek(path, &state, &error) == MC_OK && state.step_count > 0;
}

// Whatever happened: what is there becomes a finished file, if it can. Where steps are missing,
// that is no success.
static int finish(recording *self, int code) {
    mc_error error = {0};
    const char *path = self->options->output;
    bool has_ended = self->pid > 0 && !is_alive(self);
    if (self->writer && self->step_count > 0 && code == MC_EXIT_OK && !self->is_open &&
        mc_mct_writer_finish(self->writer, &error) != MC_OK)
        code = mc_command_fail(&error);
    mc_mct_writer_destroy(self->writer);
    self->writer = NULL;
    if (has_ended) mc_message_say("process %" PRIu32 " (%s) has ended", self->pid, self->name);
    if (self->step_count == 0) {
        if (code == MC_EXIT_OK) mc_message_say("no step was recorded");
        return code == MC_EXIT_OK ? MC_EXIT_FAILED : code;
    }
    if (!has_steps(path)) {
        mc_message_say("%s: %" PRIu32
                       " %s recorded, but the file was removed or changed in the meantime",
                       path, self->step_count, self->step_count == 1 ? "step was" : "steps were");
        return code == MC_EXIT_OK ? MC_EXIT_FAILED : code;
    }
    char missing[32] = "";
    if (self->failed_count > 0)
        snprintf(missing, sizeof missing, ", %" PRIu32 " missing", self->failed_count);
    mc_message_say("%s: %" PRIu32
                   " %s recorded%s; `memcity %s` shows them, `memcity why %s` explains what grows",
                   path, self->step_count, self->step_count == 1 ? "step" : "steps", missing, path,
                   path);
    return code == MC_EXIT_OK && self->failed_count > 0 ? MC_EXIT_FAILED : code;
}

static mc_result prepare_jvm(recording *self, uint64_t timeout_ms, mc_error *error) {
    const record_options *options = self->options;
    mc_result result = mc_grouping_parse(options->input.group_by, &self->grouping, error);
    if (result == MC_OK) result = mc_jvm_init(&self->jvm, options->pid, options->jcmd, error);
    if (result != MC_OK) return result;
    if (self->jvm.jcmd_reason[0] && !options->quiet)
        mc_message_say("asking by %s: %s", self->jvm.jcmd, self->jvm.jcmd_reason);
    self->jvm.timeout_ms = timeout_ms > 0 ? timeout_ms : options->references ? 600000 : 60000;
    self->jvm.should_stop = mc_command_is_interrupted;
    self->name = self->jvm.name;
    if (options->references) {
        mc_log log = mc_command_get_log();
        result = mc_dump_place_init(&self->place, options->pid, options->temporary, &log, error);
        if (result != MC_OK) return result;
    }
    return mc_histogram_reader_create(&self->grouping, &self->reader, error);
}

static mc_result prepare_node(recording *self, uint64_t timeout_ms, mc_error *error) {
    mc_result result = mc_nodejs_init(&self->node, self->options->pid, error);
    if (timeout_ms > 0) self->node.timeout_ms = timeout_ms;
    self->node.should_stop = mc_command_is_interrupted;
    self->name = self->node.name;
    return result;
}

static mc_result prepare(recording *self, mc_error *error) {
    const record_options *options = self->options;
    int64_t timeout_ms = 0;
    if (options->timeout) mc_duration_parse(options->timeout, 1000, &timeout_ms);
    mc_result result =
        (self->options->is_node ? prepare_node : prepare_jvm)(self, (uint64_t)timeout_ms, error);
    if (result != MC_OK) return result;
    self->pid = options->pid;
    mc_process_recording_learn(
        self->pid, self->options->is_node ? self->node.start_ticks : self->jvm.start_ticks,
        &self->program);
    result = open_file(self, error);
    if (result == MC_OK) begin_clock(self);
    return result;
}

static int record(const record_options *options) {
    recording self = {.options = options,
                      .place = {.parent = -1},
                      .clock = {.last_ms = INT64_MIN},
                      .claim.lock = -1};
    mc_error error = {0};
    mc_command_catch_interrupts();
    int code = prepare(&self, &error) == MC_OK ? run(&self) : mc_command_fail(&error);
    if (self.writer) code = finish(&self, code);
    mc_mct_writer_destroy(self.writer);
    mc_mct_claim_end(&self.claim, self.step_count > 0);
    mc_histogram_reader_destroy(self.reader);
    mc_step_tree_deinit(&self.tree);
    mc_text_deinit(&self.text);
    mc_dump_place_deinit(&self.place);
    mc_kept_owners_deinit(&self.kept_owners);
    mc_jvm_deinit(&self.jvm);
    mc_nodejs_deinit(&self.node);
    return code;
}

// ---- the command line

// Class histograms do not know what only heap dumps tell.
static int check_deep(const record_options *options) {
    const mc_import_deep *deep = &options->input.deep;
    mc_grouping grouping;
    bool has_structures = mc_grouping_parse(options->input.group_by, &grouping, NULL) == MC_OK &&
                          mc_grouping_has(&grouping, MC_GROUP_STRUCTURE);
    bool is_deep = deep->all || deep->retained || deep->paths || deep->waste || deep->collections;
    if (options->references || (!has_structures && !is_deep)) return MC_EXIT_OK;
    return mc_command_wrong_usage("record: %s needs heap dumps: give --references",
                                  has_structures   ? "--group-by datastructure"
                                  : deep->all      ? "--deep"
                                  : deep->retained ? "--retained"
                                  : deep->paths    ? "--paths"
                                  : deep->waste    ? "--waste"
                                                   : "--collections");
}

// What is asked of a JVM, nobody can ask of Node.
static int check_node(const record_options *options) {
    const char *of_java = options->all              ? "--all"
                          : options->jcmd           ? "--jcmd"
                          : options->input.group_by ? "--group-by"
                                                    : NULL;
    if (!of_java || !options->is_node) return MC_EXIT_OK;
    return mc_command_wrong_usage("record: process %" PRIu32
                                  " is one of Node: %s is for programs of Java",
                                  options->pid, of_java);
}

// --jfr names the process instead of --pid.
static int check_jfr(record_options *options) {
    if (options->jfr == MC_NONE) return MC_EXIT_OK;
    const char *other = options->pid != MC_NONE ? "--pid"
                        : options->references   ? "--references"
                        : options->all          ? "--all"
                        : options->every        ? "--every"
                                                : NULL;
    if (other)
        return mc_command_wrong_usage("record: --jfr is a recording of its own, without %s", other);
    options->pid = options->jfr;
    return MC_EXIT_OK;
}

static int record_jfr(const record_options *options) {
    int64_t timeout_ms = JFR_TIMEOUT_MS;
    if (options->timeout) mc_duration_parse(options->timeout, 1000, &timeout_ms);
    const mc_jfr_recording_desc desc = {.pid = options->pid,
                                        .output = options->output,
                                        .jcmd = options->jcmd,
                                        .temporary = options->temporary,
                                        .duration_ms = options->duration_ms,
                                        .timeout_ms = (uint64_t)timeout_ms,
                                        .is_quiet = options->quiet};
    return mc_jfr_recording_run(&desc);
}

static int check(record_options *options, char *folder, size_t folder_size) {
    int64_t timeout_ms = 0;
    options->every_ms = 10000;
    options->duration_ms = -1;
    if (options->pid == MC_NONE || options->pid == 0)
        return mc_command_wrong_usage("record: --pid PID is missing; `jcmd -l` lists running Java "
                                      "programs, `pgrep -a node` those of Node");
    if (!options->output)
        return mc_command_wrong_usage(options->jfr == MC_NONE ? "record: -o FILE.mct is missing"
                                                              : "record: -o FILE.jfr is missing");
    if (!mc_command_take_duration("--every", options->every, &options->every_ms) ||
        !mc_command_take_duration("--for", options->duration, &options->duration_ms) ||
        !mc_command_take_duration("--timeout", options->timeout, &timeout_ms))
        return MC_EXIT_USAGE;
    mc_step_times times;
    if (options->input.times)
        return mc_command_wrong_usage("record: --times is for files recorded before");
    int code = mc_command_read_times(&options->input, &times);
    options->is_node = options->jfr == MC_NONE && mc_nodejs_is(options->pid);
    if (code == MC_EXIT_OK) code = options->is_node ? check_node(options) : check_deep(options);
    if (code != MC_EXIT_OK) return code;
    const char *slash = strrchr(options->output, '/');
    if (slash)
        snprintf(folder, folder_size, "%.*s", (int)(slash - options->output + 1), options->output);
    else
        snprintf(folder, folder_size, ".");
    if (access(folder, F_OK) != 0 && errno == ENOENT) {
        size_t size = strlen(folder); // without the slash
        mc_message_say("-o %s: the folder %.*s does not exist", options->output, (int)size - 1,
                       folder);
        return MC_EXIT_FAILED;
    }
    if (!options->temporary) options->temporary = folder;
    return MC_EXIT_OK;
}

int mc_command_record(int argc, const char **argv) {
    record_options options = {.pid = MC_NONE, .jfr = MC_NONE};
    mc_option_list list = {0};
    list.examples = "memcity record --pid 4711 --references -o shop.mct\nmemcity record --pid 4711 "
                    "--every 1m --for 8h -o night.mct";
    mc_option_list_add_uint(
        &list, "pid", &options.pid, "PID",
        "process ID of the program, of Java (`jcmd -l` lists those that run) or Node");
    mc_option_list_add_uint(&list, "jfr", &options.jfr, "PID",
                            "record this process with its own flight recorder into a .jfr file "
                            "instead; the JVM pauses once, at the end, to find who holds old "
                            "objects (JDK 11 or later)");
    mc_option_list_add_string(&list, "every", &options.every, "TIME",
                              "time between steps, such as 500ms or 1m (10s)");
    mc_option_list_add_string(
        &list, "for", &options.duration, "TIME",
        "stop after this duration, such as 1h (when the program ends, or at Ctrl-C)");
    mc_option_list_add_file(&list, "o", &options.output, "FILE.mct",
                            "file to write; continues the recording of an existing file");
    mc_option_list_add_flag(
        &list, "references", &options.references,
        "record references as well, from heap dumps, which pause the program for seconds");
    mc_option_list_add_flag(
        &list, "all", &options.all,
        "count unreachable objects as well, without a full garbage collection at each step");
    mc_option_list_add_string(&list, "timeout", &options.timeout, "TIME",
                              "timeout of a request (60s, with --references 10m)");
    mc_option_list_add_string(&list, "jcmd", &options.jcmd, "FILE",
                              "jcmd to use (that of the program's JDK if only you can change it, "
                              "of JAVA_HOME or in PATH)");
    mc_option_list_add_string(&list, "temporary", &options.temporary, "FOLDER",
                              "folder for the program's temporary heap dumps (the folder of FILE)");
    mc_option_list_add_flag(&list, "append", &options.append,
                            "append to FILE even if its steps are of another program");
    mc_option_list_add_flag(&list, "quiet", &options.quiet, "don't print a line per step");
    mc_option_list_add_input(&list, &options.input);
    static const char *const only_of_files[] = {"notes", "skip-bad-steps", "no-references",
                                                "partial", "times"};
    for (size_t i = 0; i < sizeof only_of_files / sizeof *only_of_files; i++)
        mc_option_list_hide(&list, only_of_files[i]);
    char folder[PATH_MAX];
    uint32_t count;
    int code;
    if (!mc_command_begin_counted(
            &list,
            "memcity record --pid PID -o FILE.mct [--every 10s] [--for 1h] [--references]\n"
            "       memcity record --jfr PID -o FILE.jfr [--for 1h]",
            "Records the heap of a running Java program (HotSpot, JDK 8 or later) step by step "
            "with its own\njcmd. The file can be viewed meanwhile: memcity FILE.mct --follow. At "
            "each step the JVM collects\ngarbage first (not with --all). Ctrl-C ends the "
            "recording; the steps so far are kept however it\nends. A step that fails (jcmd hangs, "
            "no space for a heap dump) is skipped with a warning, and the\nexit code is then 1; "
            "the first step must succeed.\n\nOf a running program of Node a step is a heap "
            "snapshot, "
            "with references: it stands still for about\na second per 100 MB. SIGUSR1 makes it "
            "open "
            "its inspector, at 127.0.0.1, where other users of\nthis machine reach it, too, until "
            "the "
            "recording ends.",
            0, 0, argc, argv, &count, &code))
        return code;
    code = check_jfr(&options);
    if (code == MC_EXIT_OK) code = check(&options, folder, sizeof folder);
    if (code != MC_EXIT_OK) return code;
    return options.jfr == MC_NONE ? record(&options) : record_jfr(&options);
}
