#include "app/command.h"

#include "app/find_key.h"
#include "app/format.h"
#include "app/output.h"
#include "app/pair.h"
#include "app/subject_text.h"
#include "app/usage_text.h"
#include "engine/base/clock.h"
#include "engine/base/file_target.h"
#include "engine/base/memory.h"
#include "engine/import/format/step_notes.h"
#include "engine/import/import.h"
#include "engine/import/websocket/ws_address.h"
#include "engine/trace/regroup/regroup.h"
#include "engine/trace/regroup/sliding_window.h"
#include <fcntl.h>
#include <inttypes.h>
#include <math.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

#define OUTPUT_SIZE ((size_t)1 << 20) // that is held before it is written

static volatile sig_atomic_t interrupted;
static bool has_incomplete_input;

enum { SIGNAL_COUNT = 3 };
static const int caught_signals[SIGNAL_COUNT] = {SIGINT, SIGTERM, SIGHUP};
static struct sigaction former_actions[SIGNAL_COUNT];
static int catch_count; // of those who look whether they are interrupted

static void interrupt(int signal_number) {
    (void)signal_number;
    interrupted = 1;
}

void mc_command_catch_interrupts(void) {
    struct sigaction action = {.sa_handler = interrupt};
    for (int i = 0; i < SIGNAL_COUNT && catch_count == 0; i++) {
        sigaction(caught_signals[i], NULL, &former_actions[i]);
        // nohup wants SIGHUP to be ignored.
        bool stays = caught_signals[i] == SIGHUP && former_actions[i].sa_handler == SIG_IGN;
        if (!stays) sigaction(caught_signals[i], &action, NULL);
    }
    catch_count++;
}

// Nobody looks any more: a signal ends the program at once again, as it does any other.
static void release_interrupts(void) {
    catch_count--;
    for (int i = 0; i < SIGNAL_COUNT && catch_count == 0; i++)
        sigaction(caught_signals[i], &former_actions[i], NULL);
}

bool mc_command_is_interrupted(void) {
    return interrupted != 0;
}

void mc_command_forget_interrupt(void) {
    interrupted = 0;
}

bool mc_command_go_on(void *user, uint64_t done, uint64_t total) {
    (void)user;
    (void)done;
    (void)total;
    return !mc_command_is_interrupted();
}

bool mc_command_begin(const mc_option_list *list, const char *synopsis, const char *text, int argc,
                      const char **argv, uint32_t *positional_count, int *code) {
    return mc_command_begin_counted(list, synopsis, text, 1, MC_NONE, argc, argv, positional_count,
                                    code);
}

bool mc_command_begin_counted(const mc_option_list *list, const char *synopsis, const char *text,
                              uint32_t least_positional, uint32_t most_positional, int argc,
                              const char **argv, uint32_t *positional_count, int *code) {
    mc_option_list whole = *list;
    const char *keep = NULL;
    mc_command_add_keep(&whole, synopsis, &keep);
    mc_command_usage usage = {.synopsis = synopsis,
                              .text = text,
                              .examples = list->examples,
                              .options = whole.options,
                              .option_count = whole.count,
                              .listed_count = whole.count - whole.hidden_count,
                              .least_positional = least_positional,
                              .most_positional = most_positional};
    // Each command adds its own part to the manual page, the completions and the reference.
    mc_usage_form form = mc_usage_get_form(argc, argv);
    if (form != MC_USAGE_FORM_COUNT) {
        mc_usage_print_command(&usage, form);
        *code = MC_EXIT_OK;
        return false;
    }
    if (mc_command_go_far(&usage, &argc, argv, code)) return false;
    mc_options_result parsed = mc_options_parse(&usage, argc, argv, positional_count);
    if (parsed == MC_OPTIONS_OK && keep) {
        *code = mc_command_wrong_usage("--keep: expected an address (ssh://HOST/PATH) of what is "
                                       "opened or recorded, to keep a file there");
        return false;
    }
    *code = parsed == MC_OPTIONS_WRONG ? MC_EXIT_USAGE : MC_EXIT_OK;
    return parsed == MC_OPTIONS_OK;
}

int mc_command_fail(const mc_error *error) {
    mc_message_say("%s", error->message);
    if (error->code == MC_ERROR_USAGE) return MC_EXIT_USAGE;
    return error->code == MC_ERROR_BAD_DATA ? MC_EXIT_BAD_INPUT : MC_EXIT_FAILED;
}

int mc_command_wrong_usage(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    mc_message_say_list(format, arguments);
    va_end(arguments);
    return MC_EXIT_USAGE;
}

bool mc_command_take_duration(const char *name, const char *text, int64_t *duration_ms) {
    if (!text || mc_duration_parse(text, 1000, duration_ms)) return true;
    mc_command_wrong_usage("%s: expected a duration as 10s, 500ms or 1h30m, not \"%s\"", name,
                           text);
    return false;
}

static void write_log(void *user, mc_log_level level, const char *message) {
    (void)user;
    if (level != MC_LOG_INFO) mc_message_warn("%s", message);
}

mc_log mc_command_get_log(void) {
    return (mc_log){write_log, NULL};
}

// ", 620 MB/s, 1:05 left"
static void print_rate(uint64_t done, uint64_t total, uint64_t time_ns) {
    double rate = (double)done / ((double)time_ns / 1e9);
    if (rate < 1 || (done > total && total > 0)) return;
    fprintf(stderr, ", %.0f MB/s", rate / 1e6);
    if (total == 0) return;
    double left_s = (double)(total - done) / rate;
    if (left_s < 90)
        fprintf(stderr, ", %.0f s left", ceil(left_s));
    else if (left_s < 86400)
        fprintf(stderr, ", %.0f min left", ceil(left_s / 60));
}

// The descriptor on which another program is told the progress (app/far/far_serve.c); -1: none.
static int get_progress_pipe(void) {
    static int pipe = -2;
    if (pipe != -2) return pipe;
    const char *number = getenv("MEMCITY_PROGRESS");
    pipe = number ? (int)strtol(number, NULL, 10) : -1;
    if (pipe <= STDERR_FILENO || fcntl(pipe, F_SETFD, FD_CLOEXEC) != 0) pipe = -1;
    unsetenv("MEMCITY_PROGRESS");
    return pipe;
}

static void tell_progress(mc_command_progress *progress, uint64_t done, uint64_t total) {
    char line[256];
    uint64_t now = mc_clock_now_ns();
    if (get_progress_pipe() < 0 || now - progress->shown_ns < 100000000u) return;
    progress->shown_ns = now;
    int size = snprintf(line, sizeof line, "%.100s\t%" PRIu64 "\t%" PRIu64 "\t%d\n",
                        progress->doing, done, total, progress->is_bytes);
    if (write(get_progress_pipe(), line, (size_t)size) < 0) interrupted = 1; // nobody waits
}

// A line on the terminal, from half a second on, at most ten times a second.
static bool report_progress(void *user, uint64_t done, uint64_t total) {
    mc_command_progress *progress = user;
    uint64_t now = mc_clock_now_ns();
    tell_progress(progress, done, total);
    if (isatty(STDERR_FILENO) && now - progress->start_ns > 500000000u &&
        now - progress->shown_ns > 100000000u) {
        progress->shown_ns = now;
        progress->shown = true;
        if (total == 0 && progress->is_bytes) // a pipe, or a server: nobody knows how much there is
            fprintf(stderr, "\r%s … %.0f MB", progress->doing, (double)done / 1e6);
        else
            fprintf(stderr, "\r%s … %3.0f %%", progress->doing,
                    total ? 100.0 * (double)done / (double)total : 0.0);
        if (progress->is_bytes) print_rate(done, total, now - progress->start_ns);
        fputs("\033[K", stderr);
    }
    return !interrupted;
}

mc_progress mc_command_begin_progress(mc_command_progress *progress, const char *doing) {
    mc_command_catch_interrupts();
    *progress = (mc_command_progress){.doing = doing, .start_ns = mc_clock_now_ns()};
    return (mc_progress){report_progress, progress};
}

bool mc_command_stop_progress(mc_command_progress *progress) {
    release_interrupts();
    if (progress->shown) fputs("\r\033[K", stderr);
    progress->shown = false;
    return interrupted != 0;
}

// The part of `path` up to `*end`, without slashes at its end, after its last slash.
static const char *find_last_part(const char *path, size_t *end) {
    while (*end > 1 && path[*end - 1] == '/') {
        (*end)--;
    }
    size_t start = *end;
    while (start > 0 && path[start - 1] != '/') {
        start--;
    }
    return path + start;
}

char *mc_command_get_trace_name(const char *path) {
    static const char *const forms[] = {"anttracks-format", "default-format"};
    if (mc_ws_is_address(path)) return mc_copy_string(strstr(path, "://") + 3);
    size_t end = strlen(path);
    const char *part = find_last_part(path, &end);
    size_t size = end - (size_t)(part - path);
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
        if (part == path || size != strlen(forms[i]) || memcmp(part, forms[i], size) != 0) continue;
        end = (size_t)(part - path);
        part = find_last_part(path, &end);
        size = end - (size_t)(part - path);
        break;
    }
    char *name = mc_alloc(size + 1, 1);
    if (!name) return NULL;
    memcpy(name, part, size);
    name[size] = '\0';
    return name;
}

// Of one trace, or of both.
static char *get_opened_name(const char *path, const mc_input_options *input) {
    const char *versus = input ? input->pair.versus : NULL;
    char *name = mc_command_get_trace_name(path);
    if (!versus || !name) return name;
    char *other = mc_command_get_trace_name(versus);
    mc_text both = {0};
    if (other) mc_pair_append_names(&input->pair, name, other, &both);
    mc_free(name);
    name = other && !both.failed ? mc_copy_string(both.data) : NULL;
    mc_free(other);
    mc_text_deinit(&both);
    return name;
}

char *mc_command_get_title(const char *const *paths, uint32_t count,
                           const mc_input_options *input) {
    char *name = get_opened_name(paths[0], input);
    if (count < 2 || !name || (input && input->pair.versus)) return name;
    char *last = mc_command_get_trace_name(paths[count - 1]);
    mc_text both = {0};
    mc_text_format(&both, "%s to %s", name, last ? last : "");
    mc_free(name);
    name = last && !both.failed ? mc_copy_string(both.data) : NULL;
    mc_free(last);
    mc_text_deinit(&both);
    return name;
}

int mc_command_read_times(const mc_input_options *input, mc_step_times *times) {
    mc_error error = {0};
    int32_t tab;
    *times = (mc_step_times){0};
    if (input->tab && !mc_ws_parse_tab(input->tab, &tab))
        return mc_command_wrong_usage("--tab: expected a number, not \"%s\"", input->tab);
    if (!input->times || mc_step_times_read(times, input->times, &error) == MC_OK)
        return MC_EXIT_OK;
    mc_step_times_deinit(times);
    if (error.code != MC_ERROR_BAD_DATA) return mc_command_fail(&error);
    return mc_command_wrong_usage("--times: %s", error.message);
}

int mc_command_read_frame(const mc_input_options *input, double *frame_ms) {
    const char *text = input->frame;
    char *end;
    *frame_ms = input->is_raw                              ? 0
                : input->wanted_frame_s > 0                ? input->wanted_frame_s * 1000
                : input->pair.versus || input->is_compared ? MC_FRAME_WHOLE_MS
                                                           : MC_SLIDING_WINDOW_USUAL_MS;
    if (!text) return MC_EXIT_OK;
    *frame_ms = 0;
    if (strcmp(text, "none") == 0) return MC_EXIT_OK;
    *frame_ms = MC_FRAME_WHOLE_MS;
    if (strcmp(text, "all") == 0) return MC_EXIT_OK;
    double number = strtod(text, &end);
    double unit = strcmp(end, "ms") == 0 ? 1 : *end == '\0' || strcmp(end, "s") == 0 ? 1000 : 0;
    *frame_ms = number * unit;
    if (end > text && *frame_ms >= MC_SLIDING_WINDOW_LEAST_MS &&
        *frame_ms <= MC_SLIDING_WINDOW_MOST_MS)
        return MC_EXIT_OK;
    return mc_command_wrong_usage("--frame: expected 0.1s to 60s, all, or none, found \"%.100s\"",
                                  text);
}

// A server has several tabs, of which one is to be named.
static int tell_tabs(const mc_import_report *report, const mc_error *error) {
    uint32_t shown =
        report->tab_count < MC_IMPORT_TAB_MOST ? report->tab_count : MC_IMPORT_TAB_MOST;
    mc_message_say("%s", error->message);
    for (uint32_t i = 0; i < shown; i++)
        fprintf(stderr, "%6" PRId32 "  %s\n", report->tabs[i].id, report->tabs[i].name);
    if (shown < report->tab_count)
        fprintf(stderr, "        and %" PRIu32 " more\n", report->tab_count - shown);
    return MC_EXIT_USAGE;
}

// What the options say; paths and all that is told meanwhile are not among it.
int mc_command_read_notes(const mc_input_options *input, mc_note_list *notes) {
    mc_error error = {0};
    if (input->notes && input->pair.versus)
        return mc_command_wrong_usage(
            "--notes belongs to one trace; memcity import stores notes in an .mct file");
    if (!input->notes || mc_note_list_read(notes, input->notes, &error) == MC_OK) return MC_EXIT_OK;
    return mc_command_fail(&error);
}

static mc_import_desc get_import_desc(const mc_input_options *input, const mc_step_times *times) {
    return (mc_import_desc){.skip_bad_steps = input->skip_bad_steps,
                            .partial = input->partial,
                            .is_live = input->is_live,
                            .no_references = input->no_references,
                            .deep = input->deep,
                            .rows = input->rows,
                            .tab = input->tab,
                            .stacks = input->stacks,
                            .sample_interval_ms = input->sample_interval_ms,
                            .profiles = input->profiles,
                            .temporary_folder = getenv("TMPDIR"),
                            .group_by = input->group_by,
                            .times = times->count > 0 ? times : NULL};
}

static int group_as_usual(mc_trace **trace) {
    mc_regrouping grouping;
    mc_error error = {0};
    mc_trace *regrouped = NULL;
    const char *list = mc_regrouping_get_usual(*trace);
    if (!list[0]) return MC_EXIT_OK;
    mc_result result = mc_regrouping_parse(*trace, list, &grouping, &error);
    if (result == MC_OK) result = mc_trace_regroup(*trace, &grouping, NULL, &regrouped, &error);
    if (result != MC_OK) {
        mc_trace_destroy(*trace);
        *trace = NULL;
        return mc_command_fail(&error);
    }
    mc_trace_regroup_own_base(regrouped, *trace);
    *trace = regrouped;
    return MC_EXIT_OK;
}

// Into `trace`, or, if that is NULL, into `sink`.
static int read_input(const char *const *paths, uint32_t path_count, const mc_input_options *input,
                      mc_trace **trace, const mc_import_sink *sink) {
    mc_command_progress shown;
    mc_log log = mc_command_get_log();
    mc_step_times times = {0};
    mc_note_list notes = {.items = NULL};
    double frame_ms;
    int code = mc_command_read_frame(input, &frame_ms);
    if (code == MC_EXIT_OK && !trace && input->frame)
        code = mc_command_wrong_usage("--frame: imports keep method times as recorded");
    if (code == MC_EXIT_OK) code = mc_command_read_times(input, &times);
    if (code == MC_EXIT_OK && trace) code = mc_command_read_notes(input, &notes);
    if (code != MC_EXIT_OK) {
        mc_step_times_deinit(&times);
        mc_note_list_deinit(&notes);
        return code;
    }
    mc_progress progress = mc_command_begin_progress(&shown, "reading");
    shown.is_bytes = true;
    mc_import_desc desc = get_import_desc(input, &times);
    desc.paths = paths;
    desc.path_count = path_count;
    desc.names = input->names;
    desc.is_graph = input->is_graph;
    desc.frame_ms = trace ? frame_ms : 0;
    desc.notes = notes.count > 0 ? &notes : NULL;
    desc.log = &log;
    desc.progress = &progress;
    mc_import_report report = {0};
    mc_error error = {0};
    mc_result result = trace ? mc_import_trace(&desc, trace, &report, &error)
                             : mc_import_steps(&desc, sink, &report, &error);
    result = mc_command_end_progress(&shown, result, &error);
    mc_step_times_deinit(&times);
    mc_note_list_deinit(&notes);
    if (report.is_wrong_grouping && input->is_group_optional) {
        mc_message_say("the view groups by classifiers that are not in this trace: %s",
                       input->group_by);
        mc_input_options without = *input;
        without.group_by = NULL;
        return read_input(paths, path_count, &without, trace, sink);
    }
    if (result != MC_OK) {
        if (trace) mc_trace_destroy(*trace);
        if (trace) *trace = NULL;
        if (report.tab_count > 0) return tell_tabs(&report, &error);
        return report.is_wrong_grouping ? mc_command_wrong_usage("--group-by: %s", error.message)
                                        : mc_command_fail(&error);
    }
    if (report.skipped_count > 0)
        mc_message_warn("left out %u bad %s", report.skipped_count,
                        report.skipped_count == 1 ? "input" : "inputs");
    if (report.incomplete_count > 0 && !input->partial) has_incomplete_input = true;
    bool is_usual = trace && input->groups_as_usual && !input->group_by;
    return is_usual ? group_as_usual(trace) : MC_EXIT_OK;
}

int mc_command_get_exit(int code) {
    if (code != MC_EXIT_OK) return code;
    if (fflush(stdout) != 0 || ferror(stdout)) {
        mc_message_say("can't write the output");
        return MC_EXIT_FAILED;
    }
    return has_incomplete_input ? MC_EXIT_BAD_INPUT : MC_EXIT_OK;
}

// Takes the sides over.
static int open_pair(mc_trace *const sides[MC_VERSUS_SIDES], const mc_pair_options *pair,
                     mc_trace **trace) {
    mc_command_progress shown;
    mc_error error = {0};
    mc_progress progress = mc_command_begin_progress(&shown, "comparing");
    mc_result result = mc_pair_create(sides, pair, pair->align ? pair->align : "", true, NULL,
                                      &progress, trace, &error);
    result = mc_command_end_progress(&shown, result, &error);
    if (result == MC_OK) return MC_EXIT_OK;
    mc_trace_destroy(*trace);
    *trace = NULL;
    return mc_command_fail(&error);
}

int mc_command_check_pair(const mc_pair_options *pair) {
    mc_error error = {0};
    const char *option;
    mc_result result = mc_pair_check_options(pair, &option, &error);
    if (result == MC_ERROR_BAD_DATA) return mc_command_wrong_usage("%s: %s", option, error.message);
    return result == MC_OK ? MC_EXIT_OK : mc_command_fail(&error);
}

int mc_command_open(const char *const *paths, uint32_t path_count, const mc_input_options *input,
                    mc_trace **trace) {
    const mc_pair_options *pair = &input->pair;
    if (!pair->versus) return read_input(paths, path_count, input, trace, NULL);
    mc_trace *sides[MC_VERSUS_SIDES] = {NULL};
    *trace = NULL;
    int code = mc_command_check_pair(pair);
    if (code == MC_EXIT_OK) code = read_input(paths, path_count, input, &sides[MC_BEFORE], NULL);
    if (code != MC_EXIT_OK) return code;
    code = read_input(&pair->versus, 1, input, &sides[MC_AFTER], NULL);
    if (code == MC_EXIT_OK) return open_pair(sides, pair, trace);
    mc_trace_destroy(sides[MC_BEFORE]);
    return code;
}

mc_result mc_command_open_part(const char *path, const mc_input_options *input, const mc_log *log,
                               const mc_progress *progress, mc_trace **trace, mc_error *error) {
    const mc_step_times none = {0};
    mc_import_desc desc = get_import_desc(input, &none);
    mc_import_report report = {0};
    desc.paths = &path;
    desc.path_count = 1;
    desc.log = log;
    desc.progress = progress;
    mc_result result = mc_import_trace(&desc, trace, &report, error);
    if (report.incomplete_count > 0 && !input->partial) has_incomplete_input = true;
    return result;
}

int mc_command_read_steps(const char *const *paths, uint32_t path_count,
                          const mc_input_options *input, const mc_import_sink *sink) {
    return read_input(paths, path_count, input, NULL, sink);
}

static mc_result find_node(const mc_trace *trace, const char *option, const char *key,
                           uint32_t *node, mc_error *error) {
    mc_text hint = {0};
    mc_result result = mc_find_key(trace, key, node, &hint, error);
    if (result == MC_OK && *node == MC_NONE)
        result =
            mc_fail(error, MC_ERROR_USAGE, "%s: no node has the full key \"%s\" (%s)", option, key,
                    hint.size > 0 && !hint.failed ? hint.data
                                                  : "memcity find and memcity top print full keys");
    mc_text_deinit(&hint);
    return result;
}

int mc_command_find_node(const mc_trace *trace, const char *option, const char *key,
                         uint32_t *node) {
    mc_error error = {0};
    return find_node(trace, option, key, node, &error) == MC_OK ? MC_EXIT_OK
                                                                : mc_command_fail(&error);
}

mc_result mc_command_resolve_metric(const mc_trace *trace, const char *option, const char *key,
                                    mc_metric *metric, mc_error *error) {
    mc_text known = {0};
    *metric = mc_trace_find_metric(trace, key);
    if (*metric != MC_NONE) return MC_OK;
    for (mc_metric i = 0; i < mc_trace_get_metric_count(trace); i++) {
        const mc_metric_info *info = mc_trace_get_metric(trace, i);
        if (i > 0) mc_text_append_string(&known, ", ");
        mc_format_append_line(&known, info->key, info->key_size);
    }
    mc_fail(error, MC_ERROR_USAGE, "%s: the trace has no metric \"%s\"; it has %s", option, key,
            known.failed ? "objects, bytes and others" : known.data);
    mc_text_deinit(&known);
    return MC_ERROR_USAGE;
}

int mc_command_find_metric(const mc_trace *trace, const char *option, const char *key,
                           mc_metric *metric) {
    mc_error error = {0};
    mc_result result = mc_command_resolve_metric(trace, option, key, metric, &error);
    return result == MC_OK ? MC_EXIT_OK : mc_command_fail(&error);
}

// ---- what the layout's options say of a trace

static void remark(mc_text *remarks, const char *format, ...) MC_PRINTF(2, 3);

static void remark(mc_text *remarks, const char *format, ...) {
    char line[MC_ERROR_MESSAGE_SIZE];
    va_list arguments;
    if (!remarks) return;
    va_start(arguments, format);
    vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    mc_text_append_string(remarks, remarks->size > 0 ? "\n" : "");
    mc_text_append_string(remarks, line);
}

static mc_result resolve_metric(const mc_layout_options *options, const char *area_key,
                                const mc_trace *trace, mc_city_desc *desc, mc_text *remarks,
                                mc_error *error) {
    const char *metric_key = options->metric_key;
    if (options->metric[0] && !metric_key && !area_key) { // of a view
        mc_metric found = mc_trace_find_metric(trace, options->metric);
        if (found == MC_NONE)
            remark(remarks, "the view's metric is not in this trace: %s", options->metric);
        else
            desc->metric = found;
    }
    if (metric_key && area_key && strcmp(metric_key, area_key) != 0)
        return mc_fail(error, MC_ERROR_USAGE, "--metric and --area can't be combined for a city");
    if (!metric_key && !area_key) return MC_OK;
    return mc_command_resolve_metric(trace, metric_key ? "--metric" : "--area",
                                     metric_key ? metric_key : area_key, &desc->metric, error);
}

static mc_result resolve_root(const mc_layout_options *options, const mc_trace *trace,
                              mc_city_desc *desc, mc_text *remarks, mc_error *error) {
    if (!options->root_key) return MC_OK;
    desc->root_node = mc_trace_find_node(trace, options->root_key, strlen(options->root_key));
    if (desc->root_node != MC_NONE) return MC_OK;
    if (!options->is_lenient)
        return find_node(trace, "--root", options->root_key, &desc->root_node, error);
    remark(remarks, "the view's district is not in this trace: %s", options->root_key);
    desc->root_node = 0;
    return MC_OK;
}

static mc_result resolve_padding(const mc_layout_options *options, mc_city_desc *desc,
                                 mc_error *error) {
    if (!options->padding || strcmp(options->padding, "auto") == 0) return MC_OK;
    char *end;
    double padding = strtod(options->padding, &end);
    if (end == options->padding || *end != '\0' || !isfinite(padding) || padding < 0)
        return mc_fail(error, MC_ERROR_USAGE,
                       "--padding: expected a number, 0 or more, or auto, not \"%s\"",
                       options->padding);
    if (desc->scaling == MC_SCALING_UNIFORM && padding > 0)
        return mc_fail(error, MC_ERROR_USAGE,
                       "--padding: expected auto or 0 where all plots are the same, not "
                       "\"%s\"",
                       options->padding);
    desc->treemap.padding_kind = MC_PADDING_ABSOLUTE;
    desc->treemap.padding = padding;
    return MC_OK;
}

// What is left out at the end, in one line.
static void remark_release(const mc_trace *trace, const char *option, uint32_t release,
                           uint32_t last, mc_text *remarks) {
    if (mc_trace_is_versus(trace)) {
        mc_text ends = {0};
        mc_pair_append_ends_at(trace, release, &ends);
        if (!ends.failed)
            remark(remarks, "%s (%s 0:%u is about all steps)", ends.data, option, last);
        mc_text_deinit(&ends);
        return;
    }
    bool is_heap = mc_subject_is_heap(trace);
    remark(remarks,
           "most of %s was %s after step %u%s: this is about steps 0 to %u (%s 0:%u is about all)",
           is_heap ? "the heap" : "it", is_heap ? "freed" : "gone", release,
           is_heap ? ", as at a shutdown" : "", release, option, last);
}

static mc_result choose_window(const mc_trace *trace, const uint32_t wanted[2], mc_metric metric,
                               const char *option, mc_step_range *window, mc_text *remarks,
                               mc_error *error) {
    uint32_t last = mc_trace_get_step_count(trace) - 1;
    *window = mc_step_range_whole(trace);
    if (wanted[0] != MC_NONE) {
        if (wanted[1] > last)
            return mc_fail(error, MC_ERROR_USAGE, "%s: the trace has steps 0 to %u",
                           option ? option : "--window", last);
        *window = (mc_step_range){wanted[0], wanted[1]};
        return MC_OK;
    }
    uint32_t release = mc_step_range_find_release(trace, metric);
    if (release == MC_NONE) return MC_OK;
    window->last_step = release;
    if (option) remark_release(trace, option, release, last, remarks);
    return MC_OK;
}

static mc_result resolve_window(const mc_layout_options *options, const mc_trace *trace,
                                mc_city_desc *desc, mc_text *remarks, mc_error *error) {
    uint32_t step_count = mc_trace_get_step_count(trace);
    bool is_said = options->window[0] != MC_NONE;
    if (is_said && options->is_lenient && options->window[1] >= step_count) {
        remark(remarks, "the view's time window %u:%u is left out: the trace has steps 0 to %u",
               options->window[0], options->window[1], step_count - 1);
        return MC_OK;
    }
    if (!is_said && (options->is_lenient || options->is_whole)) return MC_OK;
    return choose_window(trace, options->window, desc->metric,
                         options->is_silent ? NULL : "--window", &desc->window, remarks, error);
}

mc_result mc_command_resolve_layout(const mc_layout_options *options, const mc_trace *trace,
                                    mc_city_desc *desc, mc_text *remarks, mc_error *error) {
    *desc = mc_city_desc_default(trace);
    const char *area_key = options->area_key;
    if (options->scaling != MC_NONE) desc->scaling = (mc_scaling)options->scaling;
    if (area_key && strcmp(area_key, mc_scaling_names[MC_SCALING_UNIFORM]) == 0) {
        desc->scaling = MC_SCALING_UNIFORM;
        area_key = NULL;
    }
    if (options->tiling != MC_NONE) desc->treemap.tiling = (mc_tiling)options->tiling;
    desc->child_limit = options->child_limit;
    if (options->size[0] > 0) {
        desc->treemap.width = options->size[0];
        desc->treemap.height = options->size[1];
        desc->keeps_shape = false;
    }
    mc_result result = resolve_metric(options, area_key, trace, desc, remarks, error);
    if (result == MC_OK) result = resolve_root(options, trace, desc, remarks, error);
    if (result == MC_OK) result = resolve_padding(options, desc, error);
    if (result == MC_OK) result = resolve_window(options, trace, desc, remarks, error);
    if (result == MC_OK && mc_trace_is_versus(trace))
        mc_pair_settle_city(trace, (mc_pair_show)options->pair, desc);
    return result;
}

// Says what was remarked, then what went wrong; frees the remarks.
static int tell(mc_text *remarks, mc_result result, const mc_error *error) {
    char *rest = remarks->failed ? NULL : remarks->data;
    for (char *line; rest && (line = strsep(&rest, "\n"));)
        mc_message_say("%s", line);
    mc_text_deinit(remarks);
    return result == MC_OK ? MC_EXIT_OK : mc_command_fail(error);
}

int mc_command_get_city_desc(const mc_layout_options *options, const mc_trace *trace,
                             mc_city_desc *desc) {
    mc_text remarks = {0};
    mc_error error = {0};
    mc_result result = mc_command_resolve_layout(options, trace, desc, &remarks, &error);
    return tell(&remarks, result, &error);
}

int mc_command_open_for_layout(const char *const *paths, uint32_t path_count,
                               const mc_input_options *input, const mc_layout_options *options,
                               mc_trace **trace, mc_city_desc *desc) {
    int code = mc_command_open(paths, path_count, input, trace);
    if (code == MC_EXIT_OK) code = mc_command_get_city_desc(options, *trace, desc);
    if (code == MC_EXIT_OK) return code;
    mc_trace_destroy(*trace);
    *trace = NULL;
    return code;
}

int mc_command_choose_window(const mc_trace *trace, const uint32_t wanted[2], mc_metric metric,
                             const char *option, mc_step_range *window) {
    mc_text remarks = {0};
    mc_error error = {0};
    mc_result result = choose_window(trace, wanted, metric, option, window, &remarks, &error);
    return tell(&remarks, result, &error);
}

int mc_command_get_step(const mc_trace *trace, const mc_city_desc *desc, uint32_t *step) {
    if (*step == MC_NONE) *step = desc->window.last_step;
    if (*step >= mc_trace_get_step_count(trace))
        return mc_command_wrong_usage("--step: the trace has steps 0 to %u",
                                      mc_trace_get_step_count(trace) - 1);
    return MC_EXIT_OK;
}

uint64_t *mc_command_read_counts(const mc_trace *trace, const mc_city *city, uint32_t step,
                                 mc_error *error) {
    uint64_t *nodes = mc_alloc(mc_trace_get_nodes(trace)->count, sizeof *nodes);
    uint64_t *counts = mc_alloc((size_t)city->building_count + 1, sizeof *counts);
    mc_result result = nodes && counts
                           ? mc_trace_read_counts(trace, step, city->desc.metric, nodes, error)
                           : mc_error_out_of_memory(error);
    if (result == MC_OK) {
        mc_city_gather(city, nodes, counts);
    } else {
        mc_free(counts);
        counts = NULL;
    }
    mc_free(nodes);
    return counts;
}

void mc_command_tell_hidden(uint32_t hidden_leaf_count, double hidden_share) {
    if (hidden_leaf_count == 0) return;
    char count[MC_FORMAT_SIZE], share[MC_FORMAT_SIZE];
    mc_message_say("--child-limit leaves out %s %s%s%s%s",
                   mc_format_count(count, hidden_leaf_count),
                   hidden_leaf_count == 1 ? "group" : "groups", hidden_share < 0 ? "" : ", ",
                   hidden_share < 0 ? "" : mc_format_share(share, hidden_share),
                   hidden_share < 0 ? "" : " of the sum of all maxima");
}

bool mc_command_check_output(const char *path, const char *extension) {
    size_t length = strlen(path), wanted = strlen(extension);
    if (length > wanted && strcasecmp(path + length - wanted, extension) == 0) return true;
    struct stat status;
    if (mc_file_is_descriptor(path) || (stat(path, &status) == 0 && !S_ISREG(status.st_mode)))
        return true;
    mc_command_wrong_usage("-o: \"%s\" should end in %s, which is what is written", path,
                           extension);
    return false;
}

bool mc_command_check_writable(const char *path) {
    mc_file_target target = {.fd = -1, .lock = -1};
    mc_error error = {0};
    struct stat status;
    // A pipe's reader would take this for its end.
    if (mc_file_is_descriptor(path) || (stat(path, &status) == 0 && !S_ISREG(status.st_mode)))
        return true;
    mc_result result = mc_file_target_begin(&target, path, &error);
    mc_file_target_discard(&target);
    if (result != MC_OK) (void)mc_command_fail(&error);
    return result == MC_OK;
}

static bool write_output(mc_text *text) {
    if (text->failed) return false;
    static mc_output standard;
    if (!standard.stream) (void)mc_output_begin(&standard, NULL, false, NULL);
    bool is_written = mc_output_write(&standard, text->data, text->size);
    mc_text_clear(text);
    return is_written;
}

bool mc_command_pass_on(mc_text *text) {
    return text->size < OUTPUT_SIZE || write_output(text);
}

int mc_command_print(mc_text *text) {
    bool is_out_of_memory = text->failed;
    bool is_written = write_output(text) && fflush(stdout) == 0 && !ferror(stdout);
    if (!is_written) mc_message_say(is_out_of_memory ? "out of memory" : "can't write the output");
    mc_text_deinit(text);
    return is_written ? MC_EXIT_OK : MC_EXIT_FAILED;
}
