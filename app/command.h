// command.h - what the subcommands share: how they begin, opening a trace, messages, exit codes.
//
// Data goes to stdout, messages to stderr. Threads: the main thread.
#pragma once
#include "app/command_options.h"
#include "app/message.h"
#include "engine/city/city.h"
#include "engine/import/import.h"

enum {
    MC_EXIT_OK = 0,
    MC_EXIT_FAILED = 1,
    MC_EXIT_USAGE = 2,
    MC_EXIT_BAD_INPUT = 3,
    MC_EXIT_GATE = 4
};

// One function a subcommand; argv holds what comes after its name. Returns the exit code.
int mc_command_formats(int argc, const char **argv);
int mc_command_info(int argc, const char **argv);
int mc_command_top(int argc, const char **argv);
int mc_command_layout(int argc, const char **argv);
int mc_command_tree(int argc, const char **argv);
int mc_command_timeline(int argc, const char **argv);
int mc_command_city(int argc, const char **argv);
int mc_command_render(int argc, const char **argv);
int mc_command_video(int argc, const char **argv);
int mc_command_import(int argc, const char **argv);
int mc_command_merge(int argc, const char **argv);
int mc_command_diff(int argc, const char **argv);
int mc_command_gate(int argc, const char **argv);
int mc_command_record(int argc, const char **argv);
int mc_command_run(int argc, const char **argv);
int mc_command_attach(int argc, const char **argv);
int mc_command_listen(int argc, const char **argv);
int mc_command_export(int argc, const char **argv);
int mc_command_report(int argc, const char **argv);
int mc_command_find(int argc, const char **argv);
int mc_command_refs(int argc, const char **argv);
int mc_command_link(int argc, const char **argv);
int mc_command_walk(int argc, const char **argv);
int mc_command_why(int argc, const char **argv);
int mc_command_roots(int argc, const char **argv);
int mc_command_paths(int argc, const char **argv);
int mc_command_what_if(int argc, const char **argv);
int mc_command_objects(int argc, const char **argv);
int mc_command_view(int argc, const char **argv);
int mc_command_bench(int argc, const char **argv);

// What every command begins with: parses argv as mc_options_parse() does. False: the command ends
// here, with *code, after the help or what is wrong was printed.
bool mc_command_begin(const mc_option_list *list, const char *synopsis, const char *text, int argc,
                      const char **argv, uint32_t *positional_count, int *code);
// For a command with another number of arguments than one or more.
bool mc_command_begin_counted(const mc_option_list *list, const char *synopsis, const char *text,
                              uint32_t least_positional, uint32_t most_positional, int argc,
                              const char **argv, uint32_t *positional_count, int *code);

// Says the error on stderr and returns the exit code for it.
int mc_command_fail(const mc_error *error);
int mc_command_wrong_usage(const char *format, ...) MC_PRINTF(1, 2);

// Warnings go to stderr.
mc_log mc_command_get_log(void);

// The times that the options give, none if they don't; also checks the other input options. Returns
// MC_EXIT_OK, or the exit code after saying what is wrong.
int mc_command_read_times(const mc_input_options *input, mc_step_times *times);
// Likewise, the notes.
int mc_command_read_notes(const mc_input_options *input, mc_note_list *notes);

// The frame in which methods are shown, in ms; 0: none. Also checks the option. Returns MC_EXIT_OK,
// or the exit code after saying what is wrong.
int mc_command_read_frame(const mc_input_options *input, double *frame_ms);

// What a trace is called by its path: "a/b/trace/" -> "trace". The folders of AntTracks' forms are
// named after what holds them. The caller frees it with mc_free(); NULL: out of memory.
char *mc_command_get_trace_name(const char *path);

// What is opened is called: the trace by its path, or both of two. `input` may be NULL. As above.
char *mc_command_get_opened_name(const char *path, const mc_input_options *input);

// Opens a trace, with progress on a terminal. Returns MC_EXIT_OK, or the exit code after saying why
// not.
int mc_command_open(const char *const *paths, uint32_t path_count, const mc_input_options *input,
                    mc_trace **trace);

// One of many inputs of longer work, whose progress and messages these are: as it was recorded.
// What is said of methods' frames and of times is not heeded.
mc_result mc_command_open_part(const char *path, const mc_input_options *input, const mc_log *log,
                               const mc_progress *progress, mc_trace **trace, mc_error *error);

// What of a pair's options is wrong by itself: the exit code after saying so.
int mc_command_check_pair(const mc_pair_options *pair);

// What the program ends with, when a command ended with `code`: output that could not be written
// failed, and input that was cut off, and was not meant to be (--partial), is bad input although
// what is there was used.
int mc_command_get_exit(int code);

// As mc_command_open(), but step by step into `sink`; how many steps were left out is said.
int mc_command_read_steps(const char *const *paths, uint32_t path_count,
                          const mc_input_options *input, const mc_import_sink *sink);

// Progress on a terminal for other long work, which can be interrupted; the line goes with end.
typedef struct mc_command_progress {
    const char *doing;
    uint64_t start_ns, shown_ns;
    bool shown;
    bool is_bytes; // set after begin: rate and time left are shown, too
} mc_command_progress;

mc_progress mc_command_begin_progress(mc_command_progress *progress, const char *doing);
// True: the user has asked to stop, maybe behind the last time that the work asked.
bool mc_command_stop_progress(mc_command_progress *progress);

// Of the work that came to `result`: returns that, or MC_ERROR_CANCELLED.
static inline mc_result mc_command_end_progress(mc_command_progress *progress, mc_result result,
                                                mc_error *error) {
    bool is_cancelled = mc_command_stop_progress(progress);
    if (result != MC_OK || !is_cancelled) return result;
    return mc_error_set(error, MC_ERROR_CANCELLED, MC_ERROR_NO_OFFSET, "cancelled");
}

// What the options say of `trace`. MC_ERROR_USAGE: they do not fit it, and the error says which.
// What a view asks for in vain is left out and said in `remarks`, a line each (NULL: not at all),
// as are steps that are left out. Prints nothing. Threads: any.
mc_result mc_command_resolve_layout(const mc_layout_options *options, const mc_trace *trace,
                                    mc_city_desc *desc, mc_text *remarks, mc_error *error);
// The metric that an option names by its key, likewise.
mc_result mc_command_resolve_metric(const mc_trace *trace, const char *option, const char *key,
                                    mc_metric *metric, mc_error *error);

// The same for commands: returns MC_EXIT_OK, or the exit code after saying what is wrong.
int mc_command_get_city_desc(const mc_layout_options *options, const mc_trace *trace,
                             mc_city_desc *desc);
// Opens a trace and does that. What is not MC_EXIT_OK leaves no trace.
int mc_command_open_for_layout(const char *const *paths, uint32_t path_count,
                               const mc_input_options *input, const mc_layout_options *options,
                               mc_trace **trace, mc_city_desc *desc);

// The metric that an option names by its key. Returns MC_EXIT_OK, or the exit code after saying
// which ones there are.
int mc_command_find_metric(const mc_trace *trace, const char *option, const char *key,
                           mc_metric *metric);

// The node that an option names by its full key, or by the end of one that is no other node's.
// Returns MC_EXIT_OK, or the exit code after saying what is wrong.
int mc_command_find_node(const mc_trace *trace, const char *option, const char *key,
                         uint32_t *node);

// The wanted steps ({MC_NONE, …}: none are), or all but what comes after most of the heap was freed
// at the end, which hides what grew until then; that is said on stderr. `option` is what it is
// called; NULL: nothing is said. Returns MC_EXIT_OK, or the exit code after saying what is wrong.
int mc_command_choose_window(const mc_trace *trace, const uint32_t wanted[2], mc_metric metric,
                             const char *option, mc_step_range *window);

// A step as the user counts it, from 0; MC_NONE becomes the last one of the window.
int mc_command_get_step(const mc_trace *trace, const mc_city_desc *desc, uint32_t *step);

// Counts of `step`, one a building; the caller frees them with mc_free(). NULL: `error` says why. A
// city without buildings gives an array all the same.
uint64_t *mc_command_read_counts(const mc_trace *trace, const mc_city *city, uint32_t step,
                                 mc_error *error);

// True once the user has asked to stop (SIGINT, SIGTERM, SIGHUP); long work then ends cleanly.
// Signals are caught while there is progress, between its begin and its end, and from this call on
// for good: by commands that have something to put in order. At other times they end the program at
// once.
void mc_command_catch_interrupts(void);
bool mc_command_is_interrupted(void);

// Says on stderr what the child limit leaves out, if it does.
void mc_command_tell_hidden(uint32_t hidden_leaf_count, double hidden_share);

// Whether `path` may be written with this extension (".png"): it has it, or is no regular file, or
// a descriptor of this program. Says what is wrong.
bool mc_command_check_output(const char *path, const char *extension);

// For output that may be large: writes to stdout what `text` holds and clears it, once it is a
// megabyte. False: that failed; mc_command_print() then says so.
bool mc_command_pass_on(mc_text *text);
// Writes `text` to stdout and frees it. Returns MC_EXIT_OK, or MC_EXIT_FAILED after saying why.
int mc_command_print(mc_text *text);
