#include "app/command.h"
#include "app/commands/rss_table.h"
#include "app/format.h"
#include "app/record/process_recording.h"
#include "app/subject_text.h"
#include "engine/base/clock.h"
#include "engine/import/smaps/memory_groups.h"
#include "engine/import/stacks/line_reader.h"
#include "engine/live/jvm.h"
#include "engine/live/malloc_blocks.h"
#include "engine/live/process.h"
#include "engine/live/process_maps.h"
#include "engine/live/record_clock.h"
#include "engine/store/mct/mct.h"
#include "engine/store/mct/mct_claim.h"
#include <inttypes.h>
#include <string.h>

typedef struct rss_options {
    const char *output, *every, *duration, *timeout, *jcmd;
    uint32_t steps;
    bool json, tsv, quiet, no_jvm, classes, append;
    uint32_t most;
    mc_input_options input;
    int64_t every_ms, duration_ms; // duration -1: without end
} rss_options;

// What a JVM is asked, and whether it answers.
enum { NMT, SYSTEM_MAP, ARENAS, LOADERS, CLASSES, SOURCE_COUNT };

typedef struct recording {
    const rss_options *options;
    uint32_t pid;
    uint64_t start_ticks;
    char name[64];
    mc_jvm jvm;
    bool has_source[SOURCE_COUNT];
    mc_memory_groups *groups;
    mc_process_memory memory;
    mc_step_tree tree;
    mc_text text, owners, answer;
    mc_record_clock clock;
    mc_mct_claim claim;
    mc_mct_writer *writer;     // into a file; or
    mc_trace_builder *builder; // in memory
    uint32_t step_count, failed_count;
    uint64_t last_bytes;
    mc_mct_program program;
    char note[MC_PROCESS_NOTE_SIZE]; // of the next step; empty: none
} recording;

static bool is_alive(const void *user) {
    const recording *self = user;
    uint64_t start_ticks;
    return mc_process_read(self->pid, &start_ticks, NULL, 0) && start_ticks == self->start_ticks;
}

// ---- the JVM

static const struct {
    const char *command, *argument;
} sources[SOURCE_COUNT] = {[NMT] = {"VM.native_memory", "detail"},
                           [SYSTEM_MAP] = {"System.map", NULL},
                           [ARENAS] = {"System.native_heap_info", NULL},
                           [LOADERS] = {"VM.metaspace", "show-loaders scale=1"},
                           [CLASSES] = {"GC.class_histogram", "-all"}};

// Whether an answer is of use. Without its tracking the JVM says nothing of addresses.
static bool is_answer(int source, const mc_text *answer) {
    static const char *const has[SOURCE_COUNT] = {[NMT] = "Virtual memory map:",
                                                  [SYSTEM_MAP] = "\n0x",
                                                  [ARENAS] = "<malloc ",
                                                  [LOADERS] = "Usage per loader:",
                                                  [CLASSES] = "#bytes"};
    return strstr(mc_text_get(answer), has[source]) != NULL;
}

static void tell_tracking(const recording *self) {
    bool is_off = strstr(mc_text_get(&self->answer), "not enabled") != NULL;
    bool is_summary = strstr(mc_text_get(&self->answer), "Detail tracking") != NULL;
    if (!is_off || self->options->quiet) return;
    mc_message_say("the JVM was started without %s: its heap, metaspace, code and threads are "
                   "unexplained (java -XX:NativeMemoryTracking=detail tells them apart)",
                   is_summary ? "details of its memory" : "tracking its memory");
}

// Which sources there are is found out at the first step: then all steps have the same.
static mc_result ask(recording *self, int source, mc_error *error) {
    if (!self->has_source[source]) return MC_OK;
    mc_result result = mc_jvm_ask(&self->jvm, sources[source].command, sources[source].argument,
                                  &self->answer, error);
    bool is_first = self->step_count == 0;
    if (result == MC_OK && is_answer(source, &self->answer)) {
        mc_text_append(&self->owners, "\n", 1);
        mc_text_append(&self->owners, self->answer.data, self->answer.size);
        return self->owners.failed ? mc_error_out_of_memory(error) : MC_OK;
    }
    if (result == MC_ERROR_CANCELLED || result == MC_ERROR_OUT_OF_MEMORY) return result;
    if (!is_first && result == MC_OK)
        return mc_fail(error, MC_ERROR_IO, "the JVM no longer answers %s", sources[source].command);
    if (!is_first) return result;
    self->has_source[source] = false;
    if (result == MC_ERROR_IO) { // it would not answer the others either
        mc_message_warn("the JVM is not asked: %s", error->message);
        memset(self->has_source, 0, sizeof self->has_source);
    }
    if (source == NMT && result == MC_OK) tell_tracking(self);
    if (source == NMT) // by which the others' addresses are told
        self->has_source[SYSTEM_MAP] = self->has_source[LOADERS] = self->has_source[CLASSES] =
            false;
    *error = (mc_error){0};
    return MC_OK;
}

static void find_jvm(recording *self) {
    mc_error error = {0};
    int64_t timeout_ms = 10000;
    if (self->options->no_jvm || !mc_jvm_has_library(self->pid)) return;
    if (mc_jvm_init(&self->jvm, self->pid, self->options->jcmd, &error) != MC_OK) {
        mc_message_warn("the JVM is not asked: %s", error.message);
        return;
    }
    if (self->jvm.jcmd_reason[0] && !self->options->quiet)
        mc_message_say("asking by %s: %s", self->jvm.jcmd, self->jvm.jcmd_reason);
    if (self->options->timeout) mc_duration_parse(self->options->timeout, 1000, &timeout_ms);
    self->jvm.timeout_ms = (uint64_t)timeout_ms;
    self->jvm.should_stop = mc_command_is_interrupted;
    for (int i = 0; i < SOURCE_COUNT; i++)
        self->has_source[i] = i != CLASSES || self->options->classes;
}

// ---- a step

// The JVM takes a while to answer; the mappings are read right behind, and their pages.
static mc_result read_step(recording *self, mc_error *error) {
    mc_process_pages pages;
    const mc_resident_pages resident = {mc_process_pages_count, &pages};
    bool is_there = false;
    mc_result result = MC_OK;
    mc_text_clear(&self->owners);
    mc_text_clear(&self->text);
    for (int i = 0; i < SOURCE_COUNT && result == MC_OK; i++)
        result = ask(self, i, error);
    if (result == MC_OK) result = mc_process_maps_read(self->pid, &self->text, error);
    if (result != MC_OK) return result;
    if (self->owners.size > 0) mc_text_append(&self->text, self->owners.data, self->owners.size);
    if (self->text.failed) return mc_error_out_of_memory(error);
    const char *begin = mc_text_get(&self->text);
    mc_process_text text = {.at = begin, .begin = begin, .end = begin + self->text.size};
    result = mc_process_memory_read(&self->memory, &text, false, &is_there, error);
    if (result == MC_OK && !is_there)
        return mc_fail(error, MC_ERROR_UNSUPPORTED, "process %" PRIu32 " (%s) has no memory",
                       self->pid, self->name);
    if (result != MC_OK) return result;
    mc_process_pages_init(&pages, self->pid);
    result =
        mc_malloc_blocks_add(self->pid, &pages, &self->memory)
            ? mc_memory_groups_fill_tree(self->groups, &self->memory, &resident, &self->tree, error)
            : mc_error_out_of_memory(error);
    mc_process_pages_deinit(&pages);
    return result;
}

static mc_result add_step(recording *self, mc_error *error) {
    if (self->writer) {
        mc_result result = mc_mct_writer_add_step(self->writer, &self->tree, "smaps", error);
        return result == MC_OK ? mc_mct_writer_commit(self->writer, error) : result;
    }
    return mc_trace_builder_add_step(self->builder, &self->tree, "smaps", error);
}

static void tell_step(recording *self) {
    char time[MC_FORMAT_SIZE], bytes[MC_FORMAT_SIZE], growth[MC_FORMAT_SIZE] = "";
    const uint64_t now = self->tree.nodes[0].bytes;
    if (self->step_count > 1) mc_format_bytes_growth(growth, (int64_t)(now - self->last_bytes));
    if (!self->options->quiet && self->options->steps != 1)
        fprintf(stderr, "%s  %s  %s\n", mc_format_time(time, self->tree.time_ms),
                mc_format_bytes(bytes, now), growth);
    self->last_bytes = now;
}

static mc_result take_step(recording *self, mc_error *error) {
    mc_result result = read_step(self, error);
    if (result != MC_OK) return result;
    self->tree.time_ms = mc_record_clock_get(&self->clock, mc_record_moment_read());
    self->tree.note = self->note[0] ? self->note : NULL;
    result = add_step(self, error);
    self->tree.note = NULL;
    if (result != MC_OK) return result;
    self->note[0] = '\0';
    self->step_count++;
    tell_step(self);
    return MC_OK;
}

// The first step must work; later ones may fail, for what is recorded so far is not worth less.
static mc_result record(recording *self, mc_error *error) {
    const rss_options *options = self->options;
    const uint64_t begin_ns = mc_clock_now_ns();
    const uint64_t end_ns =
        options->duration_ms < 0 ? UINT64_MAX : begin_ns + (uint64_t)options->duration_ms * 1000000;
    uint64_t due_ns = begin_ns;
    for (uint32_t taken = 0; options->steps == 0 || taken < options->steps; taken++) {
        if (due_ns > end_ns || !mc_process_recording_wait(due_ns, is_alive, self)) break;
        mc_result result = take_step(self, error);
        if (result == MC_ERROR_CANCELLED) break;
        if (result != MC_OK && self->step_count == 0) return result;
        if (result != MC_OK && !is_alive(self)) break;
        if (result == MC_ERROR_OUT_OF_MEMORY ||
            (result != MC_OK && self->writer && result != MC_ERROR_BAD_DATA &&
             result != MC_ERROR_IO))
            return result;
        if (result != MC_OK) {
            self->failed_count++;
            mc_message_warn("a step is missing: %s", error->message);
        }
        due_ns = mc_process_recording_choose_due(begin_ns, due_ns, options->every_ms);
    }
    return MC_OK;
}

// ---- the trace

static mc_result check_existing(recording *self, mc_error *error) {
    const char *path = self->options->output;
    mc_trace *trace = NULL;
    mc_mct_open_desc desc = {.path = path};
    mc_result result = mc_mct_open(&desc, &trace, NULL, error);
    if (result != MC_OK) return result;
    const mc_step_info *last = mc_trace_get_step(trace, mc_trace_get_step_count(trace) - 1);
    self->clock.last_ms = last->time_ms;
    if (!mc_subject_is_resident_memory(trace))
        result = mc_fail(error, MC_ERROR_UNSUPPORTED,
                         "%s is a trace of something else; name another file with -o", path);
    else
        result = mc_process_recording_check_last(path, last->time_ms, error);
    if (result == MC_OK)
        result = mc_process_recording_check(path, &self->program, self->options->append, self->note,
                                            error);
    mc_trace_destroy(trace);
    return result;
}

static mc_result open_output(recording *self, mc_error *error) {
    static mc_log log;
    log = mc_command_get_log();
    if (!self->options->output) return mc_trace_builder_create(&log, &self->builder, error);
    mc_result result = mc_mct_claim_begin(&self->claim, self->options->output, error);
    bool append = result == MC_OK && !self->claim.is_empty;
    if (append) result = check_existing(self, error);
    if (result != MC_OK) return result;
    mc_mct_writer_desc desc = {.path = self->options->output,
                               .append = append,
                               .sync = MC_MCT_SYNC_STEPS,
                               .log = &log,
                               .program = self->program.pid > 0 ? &self->program : NULL};
    return mc_mct_writer_create(&desc, &self->writer, error);
}

// What was recorded, to be printed.
static int finish(recording *self, mc_trace **trace) {
    const char *path = self->options->output;
    mc_error error = {0};
    if (self->step_count == 0) {
        mc_message_say("no step was recorded");
        return MC_EXIT_FAILED;
    }
    if (self->builder)
        return mc_trace_builder_finish(self->builder, trace, &error) == MC_OK
                   ? MC_EXIT_OK
                   : mc_command_fail(&error);
    if (mc_mct_writer_finish(self->writer, &error) != MC_OK) return mc_command_fail(&error);
    mc_mct_writer_destroy(self->writer);
    self->writer = NULL;
    if (!self->options->quiet)
        mc_message_say("%s: %" PRIu32 " %s recorded; `memcity %s` shows what the process has in "
                       "memory, `memcity why %s` explains what grows",
                       path, self->step_count, self->step_count == 1 ? "step" : "steps", path,
                       path);
    return mc_command_open(&path, 1, &self->options->input, trace);
}

#define NAMED_MOST 4u
#define NAMED_LEAST (UINT64_C(1) << 20) // bytes

// For whom the JVM called malloc, as it counts: which pages that are, nobody says.
static void tell_allocated(const recording *self) {
    mc_memory_category sorted[MC_MEMORY_CATEGORY_MOST];
    const uint32_t count = self->memory.category_count;
    char bytes[MC_FORMAT_SIZE];
    mc_text line = {0};
    memcpy(sorted, self->memory.categories, count * sizeof *sorted);
    for (uint32_t i = 0; i < count && i < NAMED_MOST; i++) {
        for (uint32_t k = i + 1; k < count; k++) {
            if (sorted[k].allocated <= sorted[i].allocated) continue;
            mc_memory_category other = sorted[i];
            sorted[i] = sorted[k];
            sorted[k] = other;
        }
        if (sorted[i].allocated < NAMED_LEAST) break;
        mc_text_format(&line, "%s%s for %.*s", i > 0 ? ", " : "",
                       mc_format_bytes(bytes, sorted[i].allocated), (int)sorted[i].name.size,
                       sorted[i].name.at);
        if (mc_span_is(sorted[i].name, "Other"))
            mc_text_append_string(&line, " (direct buffers and the like)");
    }
    if (line.size > 0)
        mc_message_say("the JVM itself has got from malloc, resident or not: %s",
                       mc_text_get(&line));
    mc_text_deinit(&line);
}

static int print(const mc_trace *trace, const rss_options *options) {
    const mc_rss_table_desc desc = {options->json, options->tsv, options->most};
    mc_text out = {0};
    mc_error error = {0};
    if (mc_rss_table_append(trace, &desc, &out, &error) == MC_OK) return mc_command_print(&out);
    mc_text_deinit(&out);
    return mc_command_fail(&error);
}

static int run_live(const rss_options *options, uint32_t pid) {
    recording self = {
        .options = options, .pid = pid, .clock = {.last_ms = INT64_MIN}, .claim.lock = -1};
    mc_error error = {0};
    mc_trace *trace = NULL;
    int code = MC_EXIT_OK;
    mc_result result = MC_OK;
    mc_command_catch_interrupts();
    if (!mc_process_read(pid, &self.start_ticks, self.name, sizeof self.name))
        result = mc_fail(&error, MC_ERROR_UNSUPPORTED, "there is no process %" PRIu32, pid);
    if (result == MC_OK) mc_process_recording_learn(pid, self.start_ticks, &self.program);
    if (result == MC_OK) result = mc_memory_groups_create(&self.groups, &error);
    if (result == MC_OK) result = open_output(&self, &error);
    if (result == MC_OK) {
        find_jvm(&self);
        (void)mc_record_clock_begin(&self.clock, mc_record_moment_read(), self.clock.last_ms);
        result = record(&self, &error);
    }
    code = result == MC_OK ? finish(&self, &trace) : mc_command_fail(&error);
    if (code == MC_EXIT_OK) code = print(trace, options);
    if (code == MC_EXIT_OK && !options->quiet && !options->json && !options->tsv)
        tell_allocated(&self);
    if (code == MC_EXIT_OK && self.failed_count > 0) code = MC_EXIT_FAILED;
    mc_trace_destroy(trace);
    mc_trace_builder_destroy(self.builder);
    mc_mct_writer_destroy(self.writer);
    mc_mct_claim_end(&self.claim, self.step_count > 0);
    mc_memory_groups_destroy(self.groups);
    mc_process_memory_deinit(&self.memory);
    mc_step_tree_deinit(&self.tree);
    mc_text_deinit(&self.text);
    mc_text_deinit(&self.owners);
    mc_text_deinit(&self.answer);
    mc_jvm_deinit(&self.jvm);
    return code;
}

static int run_files(const rss_options *options, const char **paths, uint32_t count) {
    mc_trace *trace = NULL;
    int code = mc_command_open(paths, count, &options->input, &trace);
    if (code != MC_EXIT_OK) return code;
    if (mc_rss_table_fits(trace)) {
        code = print(trace, options);
    } else {
        mc_message_say("%s: no memory map of a process; `memcity rss PID` reads one", paths[0]);
        code = MC_EXIT_BAD_INPUT;
    }
    mc_trace_destroy(trace);
    return code;
}

// ---- the command line

static bool is_process(const char *word, uint32_t *pid) {
    uint64_t number = 0;
    if (strlen(word) == 0 || strlen(word) > 9) return false;
    for (const char *at = word; *at; at++) {
        if (*at < '0' || *at > '9') return false;
        number = number * 10 + (uint64_t)(*at - '0');
    }
    *pid = (uint32_t)number;
    return number > 0;
}

static int check_live(rss_options *options) {
    int64_t timeout_ms = 0;
    options->every_ms = 5000;
    options->duration_ms = -1;
    if (!mc_command_take_duration("--every", options->every, &options->every_ms) ||
        !mc_command_take_duration("--for", options->duration, &options->duration_ms) ||
        !mc_command_take_duration("--timeout", options->timeout, &timeout_ms))
        return MC_EXIT_USAGE;
    if (options->input.times)
        return mc_command_wrong_usage("rss: --times is for files recorded before");
    if (options->steps == MC_NONE) options->steps = options->every || options->duration ? 0 : 1;
    return MC_EXIT_OK;
}

static int check_files(const rss_options *options) {
    if (options->output || options->every || options->duration || options->steps != MC_NONE ||
        options->timeout || options->jcmd || options->no_jvm || options->classes || options->append)
        return mc_command_wrong_usage(
            "rss: -o, --append, --every, --for, --steps, --jcmd, "
            "--timeout, --classes and --no-jvm are for a running process; memcity import FILE -o "
            "FILE.mct writes files as a trace");
    return MC_EXIT_OK;
}

int mc_command_rss(int argc, const char **argv) {
    rss_options options = {.steps = MC_NONE, .most = 3};
    mc_option_list list = {0};
    uint32_t count, pid;
    int code;
    list.examples = "memcity rss 4711\nmemcity rss 4711 --every 5s --for 1h -o rss.mct\nmemcity "
                    "rss smaps.txt nmt.txt";
    mc_option_list_add_string(&list, "every", &options.every, "TIME",
                              "time between steps, such as 500ms or 1m (5s)");
    mc_option_list_add_string(&list, "for", &options.duration, "TIME",
                              "stop after this duration, such as 1h (when the process ends, or at "
                              "Ctrl-C)");
    mc_option_list_add_uint(&list, "steps", &options.steps, "N",
                            "stop after N steps (1; with --every or --for without end)");
    mc_option_list_add_file(&list, "o", &options.output, "FILE.mct",
                            "file to write; continues the recording of an existing file");
    mc_option_list_add_flag(&list, "append", &options.append,
                            "append to FILE even if its steps are of another program");
    mc_option_list_add_uint(&list, "n", &options.most, "N",
                            "print the N largest mappings of each kind (3); JSON and TSV have all");
    mc_option_list_add_flag(&list, "json", &options.json, "print a JSON array");
    mc_option_list_add_flag(&list, "tsv", &options.tsv, "print tab-separated rows");
    mc_option_list_add_flag(&list, "no-jvm", &options.no_jvm,
                            "don't ask the process's JVM what belongs to its heap, classes, code "
                            "and threads");
    mc_option_list_add_flag(&list, "classes", &options.classes,
                            "tell the Java heap's classes apart; the program stands still while "
                            "its JVM counts them, at each step");
    mc_option_list_add_string(&list, "jcmd", &options.jcmd, "FILE",
                              "jcmd to use (that of the program's JDK if only you can change it, "
                              "of JAVA_HOME or in PATH)");
    mc_option_list_add_string(&list, "timeout", &options.timeout, "TIME",
                              "timeout of a request to the JVM (10s)");
    mc_option_list_add_flag(&list, "quiet", &options.quiet, "don't print a line per step");
    mc_option_list_add_input(&list, &options.input);
    if (!mc_command_begin(
            &list, "memcity rss PID|FILE… [-o FILE.mct] [--every 5s] [--for 1h] [--json|--tsv]",
            "Tells what the resident memory (RSS) of a process consists of: Java heap, metaspace, "
            "code,\nstacks, malloc, libraries, files, and what nothing explains. All adds up to "
            "Rss. Any process\nthat is yours can be looked at; a JVM started with "
            "-XX:NativeMemoryTracking=detail says more.\nFILEs are copies of /proc/PID/smaps, each "
            "a step, with the output of jcmd (VM.native_memory\ndetail, System.map, "
            "System.native_heap_info, VM.metaspace show-loaders scale=1,\nGC.class_histogram -all) "
            "behind the one that it belongs to.",
            argc, argv, &count, &code))
        return code;
    if (options.json && options.tsv)
        return mc_command_wrong_usage("rss: --json and --tsv exclude each other");
    if (count == 1 && is_process(argv[0], &pid)) {
        code = check_live(&options);
        return code == MC_EXIT_OK ? run_live(&options, pid) : code;
    }
    code = check_files(&options);
    return code == MC_EXIT_OK ? run_files(&options, argv, count) : code;
}
