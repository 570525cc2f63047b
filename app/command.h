// command.h - code shared by the subcommands: start, opening a trace, messages, exit codes.
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
int mc_command_agent(int argc, const char **argv);
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
int mc_command_rss(int argc, const char **argv);
int mc_command_run(int argc, const char **argv);
int mc_command_attach(int argc, const char **argv);
int mc_command_listen(int argc, const char **argv);
int mc_command_export(int argc, const char **argv);
int mc_command_report(int argc, const char **argv);
int mc_command_page(int argc, const char **argv);
int mc_command_serve(int argc, const char **argv);
int mc_command_find(int argc, const char **argv);
int mc_command_units(int argc, const char **argv);
int mc_command_about(int argc, const char **argv);
int mc_command_refs(int argc, const char **argv);
int mc_command_link(int argc, const char **argv);
int mc_command_walk(int argc, const char **argv);
int mc_command_why(int argc, const char **argv);
int mc_command_roots(int argc, const char **argv);
int mc_command_paths(int argc, const char **argv);
int mc_command_what_if(int argc, const char **argv);
int mc_command_objects(int argc, const char **argv);
int mc_command_query(int argc, const char **argv);
int mc_command_doctor(int argc, const char **argv);
int mc_command_mcp(int argc, const char **argv);
int mc_command_view(int argc, const char **argv);
int mc_command_bench(int argc, const char **argv);

// All options that many commands share, for the one place that describes them. The list lasts as
// long as the program; its options set nothing that is used.
const mc_option_list *mc_command_get_shared_options(void);

// What this program does at another place, for one that called it from elsewhere: app/far.
int mc_command_far_serve(void);
// What it does for a window that opens addresses (app/far/far_child.h): ends with `parent`, which
// is told the progress. False: that has ended.
bool mc_command_begin_far_child(const char *parent);
int mc_command_far_fetch(int argc, const char **argv);
// From now on words are no addresses: of a program that was started to answer a question about
// files here, with words from somebody else.
void mc_command_stay_here(void);
bool mc_command_stays_here(void);
// Adds --keep to the options of a command that gets files from elsewhere. *keep is set by a line
// without an address.
void mc_command_add_keep(mc_option_list *list, const char *synopsis, const char **keep);
// If words of the line are addresses of what lies elsewhere (app/far_address.h), runs the
// command there: true, and it has ended with *code. Or fetches the traces: false, and the line now
// names those. Without addresses it only returns false.
bool mc_command_go_far(const mc_command_usage *usage, int *argc, const char **argv, int *code);

// Starts a command: parses argv like mc_options_parse(). False: the command ends with *code; the
// help or an error was printed.
bool mc_command_begin(const mc_option_list *list, const char *synopsis, const char *text, int argc,
                      const char **argv, uint32_t *positional_count, int *code);
// The same for a command with another number of arguments than one or more.
bool mc_command_begin_counted(const mc_option_list *list, const char *synopsis, const char *text,
                              uint32_t least_positional, uint32_t most_positional, int argc,
                              const char **argv, uint32_t *positional_count, int *code);

// Prints the error on stderr and returns its exit code.
int mc_command_fail(const mc_error *error);
int mc_command_wrong_usage(const char *format, ...) MC_PRINTF(1, 2);

// An option's duration; without a `text` it stays as it is. False, after saying so: it is none.
bool mc_command_take_duration(const char *name, const char *text, int64_t *duration_ms);

// Warnings go to stderr.
mc_log mc_command_get_log(void);

// Reads the times given by options, if any, and checks the other input options. Returns MC_EXIT_OK,
// or the exit code after printing what is wrong.
int mc_command_read_times(const mc_input_options *input, mc_step_times *times);
// Likewise reads the notes.
int mc_command_read_notes(const mc_input_options *input, mc_note_list *notes);

// The frame in which methods are shown, in ms; 0: none. Also checks the option. Returns MC_EXIT_OK,
// or the exit code after saying what is wrong.
int mc_command_read_frame(const mc_input_options *input, double *frame_ms);

// The name of a trace, from its path: "a/b/trace/" -> "trace". A folder of AntTracks' forms takes
// the name of its parent folder. The caller frees it with mc_free(); NULL: out of memory.
char *mc_command_get_trace_name(const char *path);

// What is opened is called so in windows, pictures and pages: one trace by its name, two that are
// compared by both, several files of one trace by the first and the last. `input` may be NULL.
// Freed as above.
char *mc_command_get_title(const char *const *paths, uint32_t count, const mc_input_options *input);

// Opens a trace, with progress on a terminal. Returns MC_EXIT_OK, or the exit code after saying why
// not.
int mc_command_open(const char *const *paths, uint32_t path_count, const mc_input_options *input,
                    mc_trace **trace);

// Opens one of many inputs, as it was recorded; the caller provides progress and log. Ignores the
// options for frames of methods and for times.
mc_result mc_command_open_part(const char *path, const mc_input_options *input, const mc_log *log,
                               const mc_progress *progress, mc_trace **trace, mc_error *error);

// Checks a pair's options by themselves. Returns MC_EXIT_OK, or the exit code after printing what
// is wrong.
int mc_command_check_pair(const mc_pair_options *pair);

// The program's exit code after a command ended with `code`: MC_EXIT_FAILED if output could not be
// written; bad input if the input was cut off and --partial was not given, although the rest was
// used.
int mc_command_get_exit(int code);

// Like mc_command_open(), but passes step after step to `sink`; prints how many were left out.
int mc_command_read_steps(const char *const *paths, uint32_t path_count,
                          const mc_input_options *input, const mc_import_sink *sink);

// Progress on a terminal for other long, interruptible work; end() clears the line.
typedef struct mc_command_progress {
    const char *doing;
    uint64_t start_ns, shown_ns;
    bool shown;
    bool is_bytes; // set after begin() to show rate and time left, too
} mc_command_progress;

mc_progress mc_command_begin_progress(mc_command_progress *progress, const char *doing);
// True: the user has interrupted, perhaps after the work's last check.
bool mc_command_stop_progress(mc_command_progress *progress);

// Ends the progress of work that returned `result`. Returns `result`, or MC_ERROR_CANCELLED if the
// user interrupted.
static inline mc_result mc_command_end_progress(mc_command_progress *progress, mc_result result,
                                                mc_error *error) {
    bool is_cancelled = mc_command_stop_progress(progress);
    if (result != MC_OK || !is_cancelled) return result;
    return mc_fail(error, MC_ERROR_CANCELLED, "cancelled");
}

// Applies the options to `trace`. MC_ERROR_USAGE: an option does not fit the trace; the error says
// which. What a saved view names but the trace lacks is left out and noted in `remarks`, a line
// each (NULL: not noted), as are omitted steps. Prints nothing. Threads: any.
mc_result mc_command_resolve_layout(const mc_layout_options *options, const mc_trace *trace,
                                    mc_city_desc *desc, mc_text *remarks, mc_error *error);
// Likewise finds the metric that an option names by its key.
mc_result mc_command_resolve_metric(const mc_trace *trace, const char *option, const char *key,
                                    mc_metric *metric, mc_error *error);

// The same for commands: returns MC_EXIT_OK, or the exit code after saying what is wrong.
int mc_command_get_city_desc(const mc_layout_options *options, const mc_trace *trace,
                             mc_city_desc *desc);
// Opens a trace and does the same. Unless it returns MC_EXIT_OK, there is no trace to close.
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

// The wanted steps, or, if none are wanted ({MC_NONE, …}), all steps except those after a final
// release of most of the heap, which hides earlier growth; a line on stderr says so. `option` is
// the option's name for that line; NULL: prints nothing. Returns MC_EXIT_OK, or the exit code after
// saying what is wrong.
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
void mc_command_forget_interrupt(void); // at a prompt, which goes on
// For an mc_progress that shows nothing.
bool mc_command_go_on(void *user, uint64_t done, uint64_t total);

// Prints on stderr what the child limit omits, if anything.
void mc_command_tell_hidden(uint32_t hidden_leaf_count, double hidden_share);

// Whether `path` may be written with this extension (".png"): it has it, or is no regular file, or
// a descriptor of this program. Says what is wrong.
bool mc_command_check_output(const char *path, const char *extension);
// Whether a file can be written there, before long work that it is for. Says what is wrong.
bool mc_command_check_writable(const char *path);

// For output that may be large: writes to stdout what `text` holds and clears it, once it is a
// megabyte. False: that failed; mc_command_print() then says so.
bool mc_command_pass_on(mc_text *text);
// Writes `text` to stdout and frees it. Returns MC_EXIT_OK, or MC_EXIT_FAILED after saying why.
int mc_command_print(mc_text *text);
