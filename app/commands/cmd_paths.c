#include "app/commands/heap_dumps.h"
#include "app/commands/paths_tree.h"
#include "app/format.h"
#include "app/print/print_trace.h"
#include "engine/base/memory.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { COLUMN_COUNT = 19 };

#define MOST 60 // nodes that are printed as text, if nothing is said

typedef struct paths_options {
    const char *of;
    mc_dump_options dump;
    uint32_t window[2], step, most;
    bool tsv, json;
} paths_options;

typedef struct paths_command {
    paths_options *options;
    const char *dump; // the path of what is looked at; NULL: a trace
    uint32_t step;
    int64_t time_ms;
    bool has_before;          // another step, before it, is known
    mc_path_tree tree, first; // of it, and of the first one
    mc_strings strings;
    mc_text key;           // of the group, whole
    mc_text hint;          // on a key that a dump lacks
    const mc_trace *trace; // NULL: dumps; what they lack is said with them
    uint32_t before;       // the step before, MC_NONE: none
    int limits;
} paths_command;

static int fail_memory(void) {
    mc_error error = {0};
    (void)mc_error_out_of_memory(&error);
    return mc_command_fail(&error);
}

// ---- from a dump

static int take_paths(paths_command *self, const mc_heap *heap, uint32_t group,
                      mc_path_tree *tree) {
    mc_vertex_groups groups = mc_heap_get_groups(heap);
    bool *flags = mc_alloc_zero(groups.count, sizeof *flags);
    mc_paths paths = {0};
    mc_error error = {0};
    if (!flags) return fail_memory();
    mc_vertex_groups_mark(&groups, group, flags);
    mc_result result = mc_heap_find_paths(heap, flags, &paths, &error);
    mc_free(flags);
    if (result == MC_OK && !mc_path_tree_take(tree, heap, &paths, &self->strings))
        result = mc_error_out_of_memory(&error);
    mc_paths_deinit(&paths);
    return result == MC_OK ? MC_EXIT_OK : mc_command_fail(&error);
}

// The group that is asked for, MC_NONE: there is none. It is looked for before the dump is linked,
// which takes most of the time, if it can be.
static int find_group(paths_command *self, mc_heap_file *file, uint32_t *group) {
    const char *key = self->key.size > 0 ? self->key.data : self->options->of;
    bool is_early = mc_dump_has_groups(&self->options->dump);
    int code = MC_EXIT_OK;
    if (is_early) code = mc_dump_find_group(file->heap, "--of", key, group, &self->hint);
    if (code == MC_EXIT_OK && (!is_early || *group != MC_NONE)) code = mc_dump_link(file);
    if (code == MC_EXIT_OK && !is_early)
        code = mc_dump_find_group(file->heap, "--of", key, group, &self->hint);
    return code;
}

// Of a dump without such a group there is no tree. The key is known in full once one has it.
static int read_dump(paths_command *self, const mc_dump *dump, mc_path_tree *tree) {
    mc_heap_file file;
    uint32_t group = MC_NONE;
    int code = mc_dump_open(&file, dump, &self->options->dump);
    if (code == MC_EXIT_OK) code = find_group(self, &file, &group);
    if (code == MC_EXIT_OK && group != MC_NONE) {
        if (self->key.size == 0) mc_heap_groups_append_key(file.heap->groups, group, &self->key);
        code = self->key.failed ? fail_memory() : take_paths(self, file.heap, group, tree);
    }
    if (code == MC_EXIT_OK) {
        int limits = mc_dump_tell_limits(&file, dump, &self->options->dump);
        if (limits != MC_EXIT_OK) self->limits = limits;
    }
    mc_heap_file_close(&file);
    return code;
}

// ---- telling

static void append_notes(const mc_path_row *row, mc_text *out) {
    const struct {
        bool is_so;
        const char *note;
    } notes[] = {{row->is_new, "new"},
                 {row->is_folded, "folded"},
                 {row->is_cut, "cut"},
                 {row->is_rest, "others"}};
    const char *separator = "";
    for (size_t i = 0; i < sizeof notes / sizeof *notes; i++) {
        if (!notes[i].is_so) continue;
        mc_text_format(out, "%s%s", separator, notes[i].note);
        separator = ",";
    }
}

static void append_string(const paths_command *self, uint32_t string, mc_text *out) {
    size_t size;
    const char *text = mc_strings_get(&self->strings, string, &size);
    mc_format_append_line(out, text, size);
}

// As text: the field and the class, behind those that hold it.
static void append_branch(const paths_command *self, const mc_path_row *row, mc_text *out) {
    if (self->has_before) mc_text_append_string(out, row->is_new ? "new " : "    ");
    mc_text_format(out, "%*s", (int)(2 * (row->depth < 200 ? row->depth : 200)), "");
    if (row->field != MC_NONE) append_string(self, row->field, out);
    if (row->field != MC_NONE) mc_text_append_string(out, " → ");
    append_string(self, row->class, out);
    if (row->is_folded) mc_text_append_string(out, " (and on from it)");
    if (row->is_cut) mc_text_append_string(out, " (what is below has no room)");
}

static void begin_rows(const paths_command *self, mc_print *print, mc_column *columns) {
    bool has_before = self->has_before;
    const mc_column all[COLUMN_COUNT] = {
        {.key = "node", .forms = MC_IN_TSV},
        {.key = "parent"},
        {.key = "depth", .forms = MC_IN_TSV},
        {.key = "field"},
        {.key = "class"},
        {.heading = "retained", .width = 12},
        {"objects", "objects", .before = " ", .width = 14},
        {.key = "bytes"},
        {.key = "own_objects"},
        {.key = "own_bytes"},
        {.key = "notes", .forms = MC_IN_TSV},
        {.key = "folded", .forms = MC_IN_JSON},
        {.key = "cut", .forms = MC_IN_JSON},
        {.key = "others", .forms = MC_IN_JSON},
        {.key = "new", .forms = MC_IN_JSON},
        {.key = "first_objects"},
        {.key = "first_bytes"},
        {.heading = "growth", .before = " ", .width = 13, .is_off = !has_before},
        {.heading = has_before ? "     held by way of" : " held by way of", .before = " "}};
    memcpy(columns, all, sizeof all);
    mc_print_begin_rows(print, "paths", columns, COLUMN_COUNT);
}

static void print_row(const paths_command *self, mc_print *print, uint32_t index) {
    const mc_path_row *row = &self->tree.rows[index];
    mc_cell absent = mc_cell_absent(), bytes = mc_cell_bytes(row->whole.size);
    mc_text notes = {0}, branch = {0};
    append_notes(row, &notes);
    if (print->form == MC_PRINT_TEXT) append_branch(self, row, &branch);
    MC_PRINT_ROW(print, mc_cell_count(index), mc_cell_index(row->parent), mc_cell_count(row->depth),
                 mc_cell_of_strings(&self->strings, row->field),
                 mc_cell_of_strings(&self->strings, row->class), bytes,
                 mc_cell_count(row->whole.count), bytes, mc_cell_count(row->ends.count),
                 mc_cell_count(row->ends.size), mc_cell_line(&notes), mc_cell_bool(row->is_folded),
                 mc_cell_bool(row->is_cut), mc_cell_if(row->is_rest, mc_cell_bool(true)),
                 mc_cell_if(self->has_before, mc_cell_bool(row->is_new)),
                 self->has_before ? mc_cell_count(row->first.count) : absent,
                 self->has_before ? mc_cell_count(row->first.size) : absent,
                 mc_cell_growth((int64_t)(row->whole.size - row->first.size)),
                 mc_cell_line(&branch));
    print->out->failed |= notes.failed || branch.failed;
    mc_text_deinit(&notes);
    mc_text_deinit(&branch);
}

static void print_all(const paths_command *self, mc_print *print) {
    mc_column columns[COLUMN_COUNT];
    mc_print_begin_object(print, NULL);
    MC_PRINT(print, {"of", mc_cell_line(&self->key)},
             {"dump", mc_cell_if(self->dump, mc_cell_text(self->dump))},
             {"step", mc_cell_count(self->step)}, {"time_ms", mc_cell_time(self->time_ms)});
    begin_rows(self, print, columns);
    for (uint32_t i = 0; i < self->tree.count && mc_command_pass_on(print->out); i++)
        print_row(self, print, i);
    mc_print_end_rows(print);
    if (self->trace && self->before != MC_NONE)
        mc_print_incomplete(print, self->trace, self->before, self->before);
    if (self->trace) mc_print_incomplete(print, self->trace, self->step, self->step);
    mc_print_end_object(print);
    mc_print_end(print);
}

typedef struct ranked {
    uint64_t size, count;
    uint32_t row;
} ranked;

static int compare_ranked(const void *a, const void *b) {
    const ranked *x = a, *y = b;
    if (x->size != y->size) return x->size > y->size ? -1 : 1;
    if (x->count != y->count) return x->count > y->count ? -1 : 1;
    return x->row < y->row ? -1 : x->row > y->row;
}

// Flags of the rows that hold the most. A row never holds more than the one before it, which has a
// lower number: so that is there, too.
static bool *choose_rows(const paths_command *self, uint32_t most) {
    uint32_t count = self->tree.count;
    ranked *order = mc_alloc((size_t)count + 1, sizeof *order);
    bool *is_chosen = mc_alloc_zero((size_t)count + 1, sizeof *is_chosen);
    for (uint32_t i = 0; order && i < count; i++)
        order[i] = (ranked){self->tree.rows[i].whole.size, self->tree.rows[i].whole.count, i};
    if (order && is_chosen) qsort(order, count, sizeof *order, compare_ranked);
    for (uint32_t i = 0; order && is_chosen && i < most && i < count; i++)
        is_chosen[order[i].row] = true;
    if (!order) {
        mc_free(is_chosen);
        is_chosen = NULL;
    }
    mc_free(order);
    return is_chosen;
}

// Depth first; siblings are next to each other, the one that holds the most is the first.
static int print_text(const paths_command *self, mc_print *print) {
    const mc_path_tree *tree = &self->tree;
    char time[MC_FORMAT_SIZE];
    mc_column columns[COLUMN_COUNT];
    bool *is_chosen = choose_rows(self, self->options->most);
    uint32_t *children = mc_alloc((size_t)tree->count + 1, sizeof *children); // the first ones
    uint32_t *stack = mc_alloc((size_t)tree->count + 1, sizeof *stack), depth = 0;
    if (is_chosen && children && stack) {
        memset(children, 0xff, ((size_t)tree->count + 1) * sizeof *children);
        for (uint32_t i = tree->count; i-- > 1;)
            children[tree->rows[i].parent] = i;
        mc_format_append_line(print->out, self->key.data, self->key.size);
        mc_text_format(print->out, ", %s\n", mc_format_time(time, self->time_ms));
        begin_rows(self, print, columns);
        if (tree->count > 0 && is_chosen[0]) stack[depth++] = 0;
        while (depth > 0 && mc_command_pass_on(print->out)) {
            uint32_t at = stack[--depth], first = children[at], end = first;
            print_row(self, print, at);
            while (end < tree->count && tree->rows[end].parent == at)
                end++;
            for (uint32_t i = end; first != MC_NONE && i-- > first;)
                if (is_chosen[i]) stack[depth++] = i;
        }
        if (tree->count > self->options->most)
            mc_message_say("%" PRIu32 " more; -n says how many", tree->count - self->options->most);
    }
    bool is_done = is_chosen && children && stack;
    mc_free(is_chosen);
    mc_free(children);
    mc_free(stack);
    return is_done ? MC_EXIT_OK : fail_memory();
}

// ---- all of it

static int print(paths_command *self) {
    mc_text out = {0};
    int code = MC_EXIT_OK;
    if (!mc_path_tree_sort(&self->tree, &self->strings)) return fail_memory();
    mc_print print = mc_print_to(&out, self->options->json, self->options->tsv);
    if (print.form == MC_PRINT_TEXT)
        code = print_text(self, &print);
    else
        print_all(self, &print);
    if (code == MC_EXIT_OK) return mc_command_print(&out);
    mc_text_deinit(&out);
    return code;
}

// The step that is asked for, and the first one of the window: *first is MC_NONE if it is that.
static int choose_steps(const paths_options *options, uint32_t count, const char *what,
                        uint32_t *step, uint32_t *first) {
    const uint32_t *window = options->window;
    *first = window[0] == MC_NONE ? 0 : window[0];
    *step = options->step != MC_NONE ? options->step : window[1] != MC_NONE ? window[1] : count - 1;
    if (*step >= count)
        return mc_command_wrong_usage("--%s %" PRIu32 ": there %s %" PRIu32 " %s%s, the first is 0",
                                      options->step != MC_NONE ? "step" : "window", *step,
                                      count == 1 ? "is" : "are", count, what,
                                      count == 1 ? "" : "s");
    if (*first >= *step) *first = MC_NONE;
    return MC_EXIT_OK;
}

static int ask_dumps(paths_command *self, const mc_dump *dumps, uint32_t count) {
    uint32_t step, first;
    int code = choose_steps(self->options, count, "dump", &step, &first);
    if (code != MC_EXIT_OK) return code;
    self->dump = dumps[step].path;
    self->step = step;
    self->time_ms = dumps[step].time_ms;
    self->has_before = first != MC_NONE;
    code = read_dump(self, &dumps[step], &self->tree);
    if (code == MC_EXIT_OK && self->key.size == 0)
        return mc_dump_fail_group("--of", self->options->of, 1, &self->hint);
    if (code == MC_EXIT_OK && self->has_before) code = read_dump(self, &dumps[first], &self->first);
    if (code != MC_EXIT_OK) return code;
    if (self->has_before && !mc_path_tree_compare(&self->tree, &self->first)) return fail_memory();
    return print(self);
}

static int ask_trace(paths_command *self, const mc_trace *trace, const char *path) {
    mc_retaining_tree tree = {0};
    mc_error error = {0};
    uint32_t node = MC_NONE, first = MC_NONE;
    int code =
        choose_steps(self->options, mc_trace_get_step_count(trace), "step", &self->step, &first);
    if (code == MC_EXIT_OK) code = mc_command_find_node(trace, "--of", self->options->of, &node);
    if (code != MC_EXIT_OK) return code;
    if (!mc_trace_get_step(trace, self->step)->has_paths)
        return mc_command_wrong_usage("paths: %s is a trace %s: import its heap dumps with "
                                      "--paths, or give the dumps instead",
                                      path,
                                      mc_trace_has_paths(trace)
                                          ? "that lacks the retaining paths of this step"
                                          : "without retaining paths");
    if (!mc_trace_knows_paths(trace, node))
        return mc_command_wrong_usage(
            "paths: %s has no paths for the objects of \"%s\", only for the groups that it was "
            "imported with; give the dumps instead",
            path, self->options->of);
    if (mc_retaining_tree_find(trace, node, self->step, first, &tree, &error) != MC_OK)
        return mc_command_fail(&error);
    self->time_ms = mc_trace_get_step(trace, self->step)->time_ms;
    self->has_before = tree.has_first;
    mc_trace_append_full_key(trace, node, &self->key);
    self->trace = trace;
    self->before = first;
    if (!mc_path_tree_take_held(&self->tree, trace, &tree, &self->strings)) code = fail_memory();
    mc_retaining_tree_deinit(&tree);
    return code == MC_EXIT_OK ? print(self) : code;
}

static int run_dumps(paths_command *self, const char **paths, uint32_t count) {
    mc_dump *dumps = NULL;
    int code = mc_dump_options_read(&self->options->dump);
    if (code == MC_EXIT_OK) code = mc_dumps_list(paths, count, "paths", &dumps);
    if (code == MC_EXIT_OK) code = ask_dumps(self, dumps, count);
    mc_free(dumps);
    return code;
}

static int run_trace(paths_command *self, const char **paths, uint32_t count) {
    mc_input_options input = {.partial = self->options->dump.partial,
                              .group_by = self->options->dump.group_by};
    mc_trace *trace = NULL;
    int code = mc_command_open(paths, count, &input, &trace);
    if (code == MC_EXIT_OK) code = ask_trace(self, trace, paths[0]);
    mc_trace_destroy(trace);
    return code;
}

int mc_command_paths(int argc, const char **argv) {
    paths_options options = {.window = {MC_NONE, MC_NONE}, .step = MC_NONE, .most = MOST};
    uint32_t count;
    int code;
    mc_option_list list = {0};
    mc_option_list_add_string(&list, "of", &options.of, "KEY",
                              "full key, or its end, of the leaf or district");
    mc_option_list_add_uint(&list, "step", &options.step, "K",
                            "step or dump, ordered by time, counted from 0 (the last)");
    mc_option_list_add_range(&list, "window", options.window, "A:B",
                             "mark paths at step B as new that did not exist at step A (0)");
    mc_option_list_add_uint(&list, "n", &options.most, "N",
                            "text output: print only the N branches that retain the most (60)");
    mc_option_list_add_dumps(&list, &options.dump);
    mc_option_list_add_flag(&list, "tsv", &options.tsv, "print tab-separated values");
    mc_option_list_add_flag(&list, "json", &options.json, "print one JSON object");
    if (!mc_command_begin(
            &list,
            "memcity paths TRACE.mct|DUMP… --of KEY [--step K] [--window A:B] [-n N] "
            "[--tsv|--json]",
            "Prints how the GC roots keep the objects of a leaf or district alive: a shortest path "
            "to each\nobject, merged by fields and classes, with the retained size at its end, the "
            "largest first. Reads\nheap dumps, or a trace imported from them with --paths. Paths "
            "that did not exist at first are\nmarked as new.",
            argc, argv, &count, &code))
        return code;
    if (!options.of) return mc_command_wrong_usage("paths: --of KEY is missing");
    paths_command self = {.options = &options, .limits = MC_EXIT_OK};
    bool is_trace = false;
    for (uint32_t i = 0; i < count && !is_trace; i++)
        is_trace = mc_dump_is_trace(argv[i]);
    code = is_trace ? run_trace(&self, argv, count) : run_dumps(&self, argv, count);
    mc_path_tree_deinit(&self.tree);
    mc_path_tree_deinit(&self.first);
    mc_strings_deinit(&self.strings);
    mc_text_deinit(&self.key);
    mc_text_deinit(&self.hint);
    return code == MC_EXIT_OK ? self.limits : code;
}
