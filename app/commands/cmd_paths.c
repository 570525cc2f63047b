#include "app/commands/heap_dumps.h"
#include "app/format.h"
#include "app/incomplete_text.h"
#include "app/node_text.h"
#include "engine/analyze/held_paths.h"
#include "engine/base/memory.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define MOST 60 // nodes that are printed as text, if nothing is said

typedef struct paths_options {
    const char *of;
    mc_dump_options dump;
    uint32_t window[2], step, most;
    bool tsv, json;
} paths_options;

// A node of the merged paths, in words that other dumps have, too.
typedef struct path_row {
    uint32_t parent; // MC_NONE: the roots
    uint32_t depth;
    uint32_t field, class; // strings; field: MC_NONE, a GC root references it
    uint32_t before;       // of a dump: the same node in the first one; MC_NONE: it is new
    bool is_folded, is_cut, is_rest, is_new;
    mc_group_sum ends, whole, first; // first: what the node was at the first step
} path_row;

typedef struct path_tree {
    path_row *rows;
    uint32_t count;
} path_tree;

typedef struct paths_command {
    paths_options *options;
    const char *dump; // the path of what is looked at; NULL: a trace
    uint32_t step;
    int64_t time_ms;
    bool has_before;       // another step, before it, is known
    path_tree tree, first; // of it, and of the first one
    mc_strings strings;
    mc_text key;        // of the group, whole
    mc_text hint;       // on a key that a dump lacks
    mc_text incomplete; // of a trace: what its steps lack, as JSON; of dumps it is said with them
    int limits;
} paths_command;

static int fail_memory(void) {
    mc_error error = {0};
    (void)mc_error_out_of_memory(&error);
    return mc_command_fail(&error);
}

// ---- from a dump

static bool take_row(paths_command *self, const mc_hprof_heap *heap, const mc_paths *paths,
                     uint32_t index, mc_text *text, path_row *rows) {
    const mc_path_node *node = &paths->nodes[index];
    path_row *row = &rows[index];
    *row = (path_row){.parent = node->parent,
                      .depth = node->parent == MC_NONE ? 0 : rows[node->parent].depth + 1,
                      .field = MC_NONE,
                      .before = MC_NONE,
                      .is_folded = node->is_folded,
                      .is_cut = node->is_cut,
                      .ends = node->ends,
                      .whole = node->whole};
    mc_text_clear(text);
    if (row->depth > 1) {
        mc_hprof_heap_append_path_field(heap, paths, index, text);
        row->field =
            text->failed ? MC_NONE : mc_strings_intern(&self->strings, text->data, text->size);
        if (row->field == MC_NONE) return false;
    }
    mc_text_clear(text);
    mc_hprof_heap_append_path_class(heap, paths, index, text);
    if (text->failed) return false;
    row->class = mc_strings_intern(&self->strings, text->data, text->size);
    return row->class != MC_NONE;
}

static int take_paths(paths_command *self, const mc_hprof_heap *heap, uint32_t group,
                      path_tree *tree) {
    mc_vertex_groups groups = mc_hprof_heap_get_groups(heap);
    bool *flags = mc_alloc_zero(groups.count, sizeof *flags);
    mc_paths paths = {0};
    mc_error error = {0};
    mc_text text = {0};
    if (!flags) return fail_memory();
    mc_vertex_groups_mark(&groups, group, flags);
    mc_result result = mc_hprof_heap_find_paths(heap, flags, &paths, &error);
    mc_free(flags);
    if (result == MC_OK) {
        tree->rows = mc_alloc(paths.count, sizeof *tree->rows);
        bool is_done = tree->rows != NULL;
        for (; is_done && tree->count < paths.count; tree->count++)
            is_done = take_row(self, heap, &paths, tree->count, &text, tree->rows);
        if (!is_done) result = mc_error_out_of_memory(&error);
    }
    mc_text_deinit(&text);
    mc_paths_deinit(&paths);
    return result == MC_OK ? MC_EXIT_OK : mc_command_fail(&error);
}

// The group that is asked for, MC_NONE: there is none. It is looked for before the dump is linked,
// which takes most of the time, if it can be.
static int find_group(paths_command *self, mc_hprof_heap_file *file, uint32_t *group) {
    const char *key = self->key.size > 0 ? self->key.data : self->options->of;
    bool is_early = mc_dump_has_groups(&self->options->dump);
    int code = MC_EXIT_OK;
    if (is_early) code = mc_dump_find_group(&file->heap, "--of", key, group, &self->hint);
    if (code == MC_EXIT_OK && (!is_early || *group != MC_NONE)) code = mc_dump_link(file);
    if (code == MC_EXIT_OK && !is_early)
        code = mc_dump_find_group(&file->heap, "--of", key, group, &self->hint);
    return code;
}

// Of a dump without such a group there is no tree. The key is known in full once one has it.
static int read_dump(paths_command *self, const mc_dump *dump, path_tree *tree) {
    mc_hprof_heap_file file;
    uint32_t group = MC_NONE;
    int code = mc_dump_open(&file, dump, &self->options->dump);
    if (code == MC_EXIT_OK) code = find_group(self, &file, &group);
    if (code == MC_EXIT_OK && group != MC_NONE) {
        if (self->key.size == 0)
            mc_class_groups_append_group_key(file.heap.groups, group, &self->key);
        code = self->key.failed ? fail_memory() : take_paths(self, &file.heap, group, tree);
    }
    if (code == MC_EXIT_OK) {
        int limits = mc_dump_tell_limits(&file, dump, &self->options->dump);
        if (limits != MC_EXIT_OK) self->limits = limits;
    }
    mc_hprof_heap_file_close(&file);
    return code;
}

// ---- what is new

// A node is the same if its field and class are, and those of all before it.
static bool match_first(paths_command *self) {
    mc_strings keys = {0};
    path_tree *tree = &self->tree;
    const path_tree *first = &self->first;
    uint32_t *rows = mc_alloc((size_t)first->count + 1, sizeof *rows);
    bool is_done = rows != NULL;
    for (uint32_t i = 0; i < first->count && is_done; i++) {
        uint32_t key[] = {first->rows[i].parent, first->rows[i].field, first->rows[i].class};
        uint32_t count = keys.count;
        uint32_t index = mc_strings_intern(&keys, (const char *)key, sizeof key);
        is_done = index != MC_NONE;
        if (is_done && index == count) rows[index] = i; // classes may have one name
    }
    for (uint32_t i = 0; i < tree->count && is_done; i++) {
        path_row *row = &tree->rows[i];
        uint32_t parent = row->parent == MC_NONE ? MC_NONE : tree->rows[row->parent].before;
        if (row->parent != MC_NONE && parent == MC_NONE) continue;
        uint32_t key[] = {parent, row->field, row->class};
        uint32_t index = mc_strings_find(&keys, (const char *)key, sizeof key);
        if (index != MC_NONE) row->before = rows[index];
    }
    mc_strings_deinit(&keys);
    mc_free(rows);
    return is_done;
}

// What the nodes were in the first dump.
static void take_first(paths_command *self) {
    for (uint32_t i = 0; i < self->tree.count; i++) {
        path_row *row = &self->tree.rows[i];
        row->is_new = row->before == MC_NONE;
        if (!row->is_new) row->first = self->first.rows[row->before].whole;
    }
}

// ---- from a trace

static uint32_t copy_string(paths_command *self, const mc_trace *trace, uint32_t string) {
    size_t size;
    const char *text = mc_trace_get_string(trace, string, &size);
    return mc_strings_intern(&self->strings, text, size);
}

static bool copy_row(paths_command *self, const mc_trace *trace, const mc_held_row *from,
                     path_row *row) {
    static const char roots[] = "GC root", rest[] = "(others)";
    uint32_t count;
    const mc_held_path *path =
        from->path == MC_NONE ? NULL : &mc_trace_get_paths(trace, &count)[from->path];
    *row = (path_row){.parent = from->parent,
                      .depth = from->depth,
                      .field = MC_NONE,
                      .is_folded = from->is_folded,
                      .is_rest = from->is_rest,
                      .is_new = from->is_new,
                      .ends = {from->objects, from->bytes},
                      .whole = {from->whole_objects, from->whole_bytes},
                      .first = {from->first_objects, from->first_bytes}};
    if (path) {
        row->class = copy_string(self, trace, path->class);
        if (path->field == MC_NONE) return row->class != MC_NONE;
        row->field = copy_string(self, trace, path->field);
        return row->class != MC_NONE && row->field != MC_NONE;
    }
    const char *name = from->is_rest ? rest : roots;
    row->class = mc_strings_intern(&self->strings, name, strlen(name));
    return row->class != MC_NONE;
}

static int take_held_tree(paths_command *self, const mc_trace *trace, const mc_held_tree *tree) {
    self->tree.rows = mc_alloc(tree->count, sizeof *self->tree.rows);
    if (!self->tree.rows) return fail_memory();
    for (; self->tree.count < tree->count; self->tree.count++)
        if (!copy_row(self, trace, &tree->rows[self->tree.count],
                      &self->tree.rows[self->tree.count]))
            return fail_memory();
    return MC_EXIT_OK;
}

// ---- telling

typedef struct sorted_row {
    const paths_command *command;
    const path_row *row;
    uint32_t index;
} sorted_row;

static int compare_strings(const paths_command *self, uint32_t a, uint32_t b) {
    size_t x = 0, y = 0;
    if (a == b) return 0;
    const char *left = a == MC_NONE ? "" : mc_strings_get(&self->strings, a, &x);
    const char *right = b == MC_NONE ? "" : mc_strings_get(&self->strings, b, &y);
    int order = memcmp(left, right, x < y ? x : y);
    return order != 0 ? order : x < y ? -1 : x > y;
}

// Siblings that hold the same by their names, whatever they come from.
static int compare_siblings(const void *a, const void *b) {
    const sorted_row *x = a, *y = b;
    const path_row *p = x->row, *q = y->row;
    if (p->parent != q->parent) return p->parent < q->parent ? -1 : 1; // the root comes last
    if (p->is_rest != q->is_rest) return p->is_rest ? 1 : -1;
    if (p->whole.size != q->whole.size) return p->whole.size > q->whole.size ? -1 : 1;
    if (p->whole.count != q->whole.count) return p->whole.count > q->whole.count ? -1 : 1;
    int order = compare_strings(x->command, p->field, q->field);
    if (order == 0) order = compare_strings(x->command, p->class, q->class);
    if (order != 0) return order;
    return x->index < y->index ? -1 : x->index > y->index;
}

// Breadth first again.
static bool sort_siblings(paths_command *self) {
    uint32_t count = self->tree.count, end = 1;
    if (count == 0) return true;
    sorted_row *order = mc_alloc(count, sizeof *order);
    uint32_t *firsts = mc_alloc(count, sizeof *firsts), *queue = mc_alloc(count, sizeof *queue);
    path_row *rows = mc_alloc(count, sizeof *rows);
    bool is_done = order && firsts && queue && rows;
    for (uint32_t i = 0; is_done && i < count; i++) {
        order[i] = (sorted_row){self, &self->tree.rows[i], i};
        firsts[i] = MC_NONE;
    }
    if (is_done) {
        qsort(order, count, sizeof *order, compare_siblings);
        for (uint32_t i = count - 1; i-- > 0;)
            firsts[order[i].row->parent] = i;
        rows[0] = self->tree.rows[0];
        queue[0] = 0;
        for (uint32_t i = 0; i < end; i++)
            for (uint32_t k = firsts[queue[i]]; k < count - 1 && order[k].row->parent == queue[i];
                 k++) {
                rows[end] = *order[k].row;
                rows[end].parent = i;
                queue[end++] = order[k].index;
            }
        mc_free(self->tree.rows);
        self->tree.rows = rows;
        rows = NULL;
    }
    mc_free(order);
    mc_free(firsts);
    mc_free(queue);
    mc_free(rows);
    return is_done;
}

static void append_string(const paths_command *self, uint32_t string, mc_text *out,
                          void (*append)(mc_text *out, const char *bytes, size_t size)) {
    size_t size;
    const char *text = mc_strings_get(&self->strings, string, &size);
    append(out, text, size);
}

static void write_json(const paths_command *self, mc_text *out) {
    mc_text_append_string(out, "{\"of\":");
    mc_format_append_json(out, self->key.data, self->key.size);
    if (self->dump) {
        mc_text_append_string(out, ",\"dump\":");
        mc_format_append_json(out, self->dump, strlen(self->dump));
    }
    mc_text_format(out, ",\"step\":%" PRIu32 ",\"time_ms\":%" PRId64 ",\"paths\":[", self->step,
                   self->time_ms);
    for (uint32_t i = 0; i < self->tree.count && mc_command_pass_on(out); i++) {
        const path_row *row = &self->tree.rows[i];
        mc_text_append_string(out, i > 0 ? ",\n{\"parent\":" : "\n{\"parent\":");
        if (row->parent == MC_NONE)
            mc_text_append_string(out, "null");
        else
            mc_text_format(out, "%" PRIu32, row->parent);
        mc_text_append_string(out, ",\"field\":");
        if (row->field == MC_NONE)
            mc_text_append_string(out, "null");
        else
            append_string(self, row->field, out, mc_format_append_json);
        mc_text_append_string(out, ",\"class\":");
        append_string(self, row->class, out, mc_format_append_json);
        mc_text_format(out,
                       ",\"objects\":%" PRIu64 ",\"bytes\":%" PRIu64 ",\"own_objects\":%" PRIu64
                       ",\"own_bytes\":%" PRIu64 ",\"folded\":%s,\"cut\":%s",
                       row->whole.count, row->whole.size, row->ends.count, row->ends.size,
                       row->is_folded ? "true" : "false", row->is_cut ? "true" : "false");
        if (row->is_rest) mc_text_append_string(out, ",\"others\":true");
        if (self->has_before)
            mc_text_format(out,
                           ",\"new\":%s,\"first_objects\":%" PRIu64 ",\"first_bytes\":%" PRIu64,
                           row->is_new ? "true" : "false", row->first.count, row->first.size);
        mc_text_append_string(out, "}");
    }
    mc_text_append_string(out, "]");
    mc_text_append(out, self->incomplete.data, self->incomplete.size);
    mc_text_append_string(out, "}\n");
}

static void append_notes(const path_row *row, mc_text *out) {
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

static void write_tsv(const paths_command *self, mc_text *out) {
    mc_text_append_string(out, "node\tparent\tdepth\tfield\tclass\tobjects\tbytes\town_objects"
                               "\town_bytes\tnotes\tfirst_objects\tfirst_bytes\n");
    for (uint32_t i = 0; i < self->tree.count && mc_command_pass_on(out); i++) {
        const path_row *row = &self->tree.rows[i];
        mc_text_format(out, "%" PRIu32 "\t", i);
        if (row->parent != MC_NONE) mc_text_format(out, "%" PRIu32, row->parent);
        mc_text_format(out, "\t%" PRIu32 "\t", row->depth);
        if (row->field != MC_NONE) append_string(self, row->field, out, mc_format_append_tsv);
        mc_text_append_string(out, "\t");
        append_string(self, row->class, out, mc_format_append_tsv);
        mc_text_format(out, "\t%" PRIu64 "\t%" PRIu64 "\t%" PRIu64 "\t%" PRIu64 "\t",
                       row->whole.count, row->whole.size, row->ends.count, row->ends.size);
        append_notes(row, out);
        if (self->has_before)
            mc_text_format(out, "\t%" PRIu64 "\t%" PRIu64 "\n", row->first.count, row->first.size);
        else
            mc_text_append_string(out, "\t\t\n");
    }
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

static void write_row(const paths_command *self, const path_row *row, mc_text *out) {
    char objects[MC_FORMAT_SIZE], bytes[MC_FORMAT_SIZE], growth[MC_FORMAT_SIZE];
    mc_text_format(out, "%12s %14s ", mc_format_bytes(bytes, row->whole.size),
                   mc_format_count(objects, row->whole.count));
    if (self->has_before) {
        mc_format_bytes_growth(growth, (int64_t)(row->whole.size - row->first.size));
        int width = 13 + (growth[0] == '+' ? 0 : (unsigned char)growth[0] == 0xe2 ? 2 : 1);
        mc_text_format(out, "%*s %s", width, growth, row->is_new ? "new " : "    ");
    }
    mc_text_format(out, "%*s", (int)(2 * (row->depth < 200 ? row->depth : 200)), "");
    if (row->field != MC_NONE) {
        append_string(self, row->field, out, mc_format_append_line);
        mc_text_append_string(out, " → ");
    }
    append_string(self, row->class, out, mc_format_append_line);
    if (row->is_folded) mc_text_append_string(out, " (and on from it)");
    if (row->is_cut) mc_text_append_string(out, " (what is below has no room)");
    mc_text_append_string(out, "\n");
}

// Depth first; siblings are next to each other, the one that holds the most is the first.
static int write_text(const paths_command *self, mc_text *out) {
    const path_tree *tree = &self->tree;
    char time[MC_FORMAT_SIZE];
    bool *is_chosen = choose_rows(self, self->options->most);
    uint32_t *children = mc_alloc((size_t)tree->count + 1, sizeof *children); // the first ones
    uint32_t *stack = mc_alloc((size_t)tree->count + 1, sizeof *stack), depth = 0;
    if (is_chosen && children && stack) {
        memset(children, 0xff, ((size_t)tree->count + 1) * sizeof *children);
        for (uint32_t i = tree->count; i-- > 1;)
            children[tree->rows[i].parent] = i;
        mc_format_append_line(out, self->key.data, self->key.size);
        mc_text_format(out, ", %s\n%12s %14s %s held by way of\n",
                       mc_format_time(time, self->time_ms), "retained", "objects",
                       self->has_before ? "       growth     " : "");
        if (tree->count > 0 && is_chosen[0]) stack[depth++] = 0;
        while (depth > 0 && mc_command_pass_on(out)) {
            uint32_t at = stack[--depth], first = children[at], end = first;
            write_row(self, &tree->rows[at], out);
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
    if (!sort_siblings(self)) return fail_memory();
    if (self->options->json)
        write_json(self, &out);
    else if (self->options->tsv)
        write_tsv(self, &out);
    else
        code = write_text(self, &out);
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
    if (self->has_before && !match_first(self)) return fail_memory();
    if (self->has_before) take_first(self);
    return print(self);
}

static int ask_trace(paths_command *self, const mc_trace *trace, const char *path) {
    mc_held_tree tree = {0};
    mc_error error = {0};
    uint32_t node = MC_NONE, first = MC_NONE;
    int code =
        choose_steps(self->options, mc_trace_get_step_count(trace), "step", &self->step, &first);
    if (code == MC_EXIT_OK) code = mc_command_find_node(trace, "--of", self->options->of, &node);
    if (code != MC_EXIT_OK) return code;
    if (!mc_trace_get_step(trace, self->step)->has_paths)
        return mc_command_wrong_usage(
            "paths: %s is a trace %s: import its heap dumps with --paths, "
            "or give the dumps",
            path,
            mc_trace_has_paths(trace) ? "that lacks the retaining paths of this step"
                                      : "without retaining paths");
    if (mc_held_tree_find(trace, node, self->step, first, &tree, &error) != MC_OK)
        return mc_command_fail(&error);
    self->time_ms = mc_trace_get_step(trace, self->step)->time_ms;
    self->has_before = tree.has_first;
    mc_trace_append_full_key(trace, node, &self->key);
    if (first != MC_NONE) mc_incomplete_append_json(trace, first, first, &self->incomplete);
    mc_incomplete_append_json(trace, self->step, self->step, &self->incomplete);
    code = take_held_tree(self, trace, &tree);
    mc_held_tree_deinit(&tree);
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
    mc_input_options input = {.partial = self->options->dump.partial};
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
                              "the leaf or district, by full key or the end of one");
    mc_option_list_add_uint(&list, "step", &options.step, "K",
                            "which step or dump, by time, counted from 0 (the last)");
    mc_option_list_add_range(&list, "window", options.window, "A:B",
                             "what was not there at step A is new (0), as step B shows it");
    mc_option_list_add_uint(&list, "n", &options.most, "N",
                            "as text only the N branches that hold the most (60)");
    mc_option_list_add_dumps(&list, &options.dump);
    mc_option_list_add_flag(&list, "tsv", &options.tsv, "tab-separated values");
    mc_option_list_add_flag(&list, "json", &options.json, "one JSON object");
    if (!mc_command_begin(
            &list,
            "memcity paths TRACE.mct|DUMP… --of KEY [--step K] [--window A:B] [-n N] "
            "[--tsv|--json]",
            "How the GC roots hold the objects of a leaf or district: a shortest path to each, "
            "merged by fields and classes, with what is retained at its end; what holds the most "
            "comes first. Of heap dumps, or of a trace that was imported from them with --paths. "
            "What was not there at first is new.",
            argc, argv, &count, &code))
        return code;
    if (!options.of) return mc_command_wrong_usage("paths: say of what with --of KEY");
    paths_command self = {.options = &options, .limits = MC_EXIT_OK};
    bool is_trace = false;
    for (uint32_t i = 0; i < count && !is_trace; i++)
        is_trace = mc_dump_is_trace(argv[i]);
    code = is_trace ? run_trace(&self, argv, count) : run_dumps(&self, argv, count);
    mc_free(self.tree.rows);
    mc_free(self.first.rows);
    mc_strings_deinit(&self.strings);
    mc_text_deinit(&self.key);
    mc_text_deinit(&self.hint);
    mc_text_deinit(&self.incomplete);
    return code == MC_EXIT_OK ? self.limits : code;
}
