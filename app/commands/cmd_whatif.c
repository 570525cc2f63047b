#include "app/commands/heap_dumps.h"
#include "app/format.h"
#include "app/print/print.h"
#include "engine/base/memory.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

typedef struct whatif_options {
    mc_option_texts demolished;
    mc_dump_options dump;
    uint32_t most;
    bool json;
} whatif_options;

// What is asked of an open dump, and what comes out: an entry a group.
typedef struct whatif {
    const whatif_options *options;
    const mc_dump *dump;
    uint32_t dump_count;
    bool *is_found; // which keys some dump has
    mc_heap_file file;
    mc_text hint; // on a key that the dump lacks
    bool *is_gone, is_any_gone;
    mc_group_sum *retained, *freed;
    uint32_t *order; // leaves that lose something, the most bytes first
    uint32_t order_count;
} whatif;

static void close_dump(whatif *self) {
    mc_free(self->is_gone);
    mc_free(self->retained);
    mc_free(self->freed);
    mc_free(self->order);
    self->is_gone = NULL;
    self->retained = self->freed = NULL;
    self->order = NULL;
    self->order_count = 0;
    self->is_any_gone = false;
    mc_heap_file_close(&self->file);
}

static void append_key(const whatif *self, uint32_t group, mc_text *text) {
    mc_heap_groups_append_key(self->file.heap->groups, group, text);
}

static int mark_groups(whatif *self) {
    mc_vertex_groups groups = mc_heap_get_groups(self->file.heap);
    const mc_option_texts *keys = &self->options->demolished;
    int code = MC_EXIT_OK;
    for (uint32_t i = 0; i < keys->count && code == MC_EXIT_OK; i++) {
        uint32_t group;
        code =
            mc_dump_find_group(self->file.heap, "--demolish", keys->items[i], &group, &self->hint);
        // Of a series other dumps may have it.
        if (code == MC_EXIT_OK && group == MC_NONE && self->dump_count == 1)
            code = mc_dump_fail_group("--demolish", keys->items[i], 1, &self->hint);
        if (code != MC_EXIT_OK || group == MC_NONE) continue;
        self->is_found[i] = self->is_any_gone = true;
        mc_vertex_groups_mark(&groups, group, self->is_gone);
    }
    return code;
}

// ---- asking

// What all of the marked groups retain together, as one group.
static mc_result retain_together(whatif *self, mc_group_sum *sum, mc_error *error) {
    const mc_heap *heap = self->file.heap;
    uint32_t *of = mc_alloc(heap->tree.count, sizeof *of);
    mc_group_sum sums[2];
    if (!of) return mc_error_out_of_memory(error);
    for (uint32_t i = 0; i < heap->tree.count; i++) {
        uint32_t group = heap->group_of[i];
        of[i] = group == MC_NONE ? MC_NONE : self->is_gone[group] ? 0 : 1;
    }
    mc_vertex_groups groups = {of, 2, NULL};
    mc_result result = mc_retained_sum(&heap->tree, &heap->sizes, &groups, heap->thread_count,
                                       heap->progress, sums, error);
    *sum = sums[0];
    mc_free(of);
    return result;
}

static mc_result ask(whatif *self, mc_error *error) {
    mc_result result = retain_together(self, self->retained, error);
    if (result == MC_OK)
        result = mc_heap_demolish(self->file.heap, self->is_gone, NULL, 0, self->freed, error);
    return result;
}

typedef struct ranked {
    uint64_t bytes;
    uint32_t group;
} ranked;

static int compare(const void *a, const void *b) {
    const ranked *x = a, *y = b;
    if (x->bytes != y->bytes) return x->bytes > y->bytes ? -1 : 1;
    return x->group < y->group ? -1 : x->group > y->group;
}

static bool order_leaves(whatif *self) {
    const mc_heap_groups *groups = self->file.heap->groups;
    uint32_t count = mc_heap_groups_get_count(groups);
    ranked *items = mc_alloc((size_t)count + 1, sizeof *items);
    if (!items) return false;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t group = mc_heap_groups_get_group(groups, i);
        if (self->freed[group].count > 0)
            items[self->order_count++] = (ranked){self->freed[group].size, group};
    }
    qsort(items, self->order_count, sizeof *items, compare);
    for (uint32_t i = 0; i < self->order_count; i++)
        self->order[i] = items[i].group;
    mc_free(items);
    return true;
}

// ---- telling

static void append_sum(const mc_group_sum *sum, mc_text *out) {
    char objects[MC_FORMAT_SIZE], bytes[MC_FORMAT_SIZE];
    mc_text_format(out, "%14s %12s  ", mc_format_count(objects, sum->count),
                   mc_format_bytes(bytes, sum->size));
}

static void print_leaves(const whatif *self, mc_print *print) {
    const mc_column columns[] = {{.key = "key"},
                                 {"objects", "", .width = 14},
                                 {"bytes", "", .before = " ", .width = 12},
                                 {.heading = "", .before = "  "}};
    mc_text key = {0};
    MC_PRINT_BEGIN_ROWS(print, "leaves", columns);
    for (uint32_t i = 0; i < self->order_count && i < self->options->most; i++) {
        const mc_group_sum *sum = &self->freed[self->order[i]];
        mc_text_clear(&key);
        append_key(self, self->order[i], &key);
        MC_PRINT_ROW(print, mc_cell_escaped(&key), mc_cell_count(sum->count),
                     mc_cell_bytes(sum->size), mc_cell_escaped(&key));
    }
    mc_print_end_rows(print);
    mc_text_deinit(&key);
}

// Of a series a line a dump, and the leaves of the last one.
static void print_text(const whatif *self, uint32_t index, mc_print *print) {
    mc_text *out = print->out;
    char time[MC_FORMAT_SIZE];
    if (self->dump_count == 1) {
        append_sum(self->freed, out);
        mc_text_append_string(out, "freed\n");
        append_sum(self->retained, out);
        mc_text_append_string(out, "retained by what goes\n");
    } else {
        if (index == 0) mc_text_format(out, "%28s %28s\n", "freed", "retained by what goes");
        append_sum(self->freed, out);
        append_sum(self->retained, out);
        mc_text_format(out, "%s  ", mc_format_time(time, self->dump->time_ms));
        mc_format_append_line(out, self->dump->path, strlen(self->dump->path));
        mc_text_append_string(out, "\n");
    }
    if (index + 1 < self->dump_count) return;
    mc_text_append_string(out, "\n");
    print_leaves(self, print);
    if (self->order_count > self->options->most)
        mc_message_say("%" PRIu32 " more; -n says how many",
                       self->order_count - self->options->most);
}

static void print_json(const whatif *self, uint32_t index, mc_print *print) {
    bool is_series = self->dump_count > 1, is_last = index + 1 == self->dump_count;
    if (is_series && index == 0) mc_print_begin_object(print, NULL);
    if (is_series && index == 0) mc_print_begin_list(print, "steps");
    if (is_series) mc_print_break(print);
    mc_print_begin_object(print, NULL);
    MC_PRINT(print, {"dump", mc_cell_if(is_series, mc_cell_text(self->dump->path))},
             {"time_ms", mc_cell_if(is_series, mc_cell_time(self->dump->time_ms))},
             {"objects", mc_cell_count(self->freed[0].count)},
             {"bytes", mc_cell_count(self->freed[0].size)},
             {"retained", MC_OBJECT({"objects", mc_cell_count(self->retained->count)},
                                    {"bytes", mc_cell_count(self->retained->size)})});
    print_leaves(self, print);
    mc_print_end_object(print);
    if (is_series && is_last) mc_print_end_list(print);
    if (is_series && is_last) mc_print_end_object(print);
    if (is_last) mc_print_end(print);
}

// ---- all of it

static int list_groups(whatif *self) {
    mc_error error = {0};
    uint32_t count = mc_heap_groups_get_group_count(self->file.heap->groups);
    self->is_gone = mc_alloc_zero(count, sizeof *self->is_gone);
    self->retained = mc_alloc_zero(1, sizeof *self->retained);
    self->freed = mc_alloc_zero(count, sizeof *self->freed);
    self->order = mc_alloc(count, sizeof *self->order);
    if (self->is_gone && self->retained && self->freed && self->order) return mark_groups(self);
    (void)mc_error_out_of_memory(&error);
    return mc_command_fail(&error);
}

// What takes the time is done only where something goes.
static int open_dump(whatif *self) {
    const mc_dump_options *options = &self->options->dump;
    bool is_early = mc_dump_has_groups(options);
    int code = mc_dump_open(&self->file, self->dump, options);
    if (code == MC_EXIT_OK && is_early) code = list_groups(self);
    if (code == MC_EXIT_OK && (!is_early || self->is_any_gone)) code = mc_dump_link(&self->file);
    if (code == MC_EXIT_OK && !is_early) code = list_groups(self);
    return code;
}

static int ask_dump(whatif *self, uint32_t index, mc_print *print, int *limits) {
    mc_error error = {0};
    int code = open_dump(self);
    if (code != MC_EXIT_OK) return code;
    if (self->is_any_gone && ask(self, &error) != MC_OK) return mc_command_fail(&error);
    if (!order_leaves(self)) {
        (void)mc_error_out_of_memory(&error);
        return mc_command_fail(&error);
    }
    if (self->options->json)
        print_json(self, index, print);
    else
        print_text(self, index, print);
    int limit = mc_dump_tell_limits(&self->file, self->dump, &self->options->dump);
    if (limit != MC_EXIT_OK) *limits = limit;
    return MC_EXIT_OK;
}

// One after another: a dump's graph may take most of the memory.
static int run(const whatif_options *options, const mc_dump *dumps, uint32_t count) {
    bool is_found[MC_OPTION_TEXT_CAPACITY] = {false};
    whatif self = {.options = options, .dump_count = count, .is_found = is_found};
    mc_text out = {0};
    mc_print print = mc_print_to(&out, options->json, false);
    int code = MC_EXIT_OK, limits = MC_EXIT_OK;
    for (uint32_t i = 0; i < count && code == MC_EXIT_OK; i++) {
        self.dump = &dumps[i];
        code = ask_dump(&self, i, &print, &limits);
        close_dump(&self);
    }
    for (uint32_t i = 0; i < options->demolished.count && code == MC_EXIT_OK; i++)
        if (!is_found[i])
            code =
                mc_dump_fail_group("--demolish", options->demolished.items[i], count, &self.hint);
    mc_text_deinit(&self.hint);
    if (code == MC_EXIT_OK) return (code = mc_command_print(&out)) == MC_EXIT_OK ? limits : code;
    mc_text_deinit(&out);
    return code;
}

int mc_command_what_if(int argc, const char **argv) {
    whatif_options options = {.most = 30};
    uint32_t count;
    int code;
    mc_option_list list = {0};
    mc_option_list_add(
        &list, (mc_option){.name = "demolish",
                           .kind = MC_OPTION_LIST,
                           .target = &options.demolished,
                           .argument = "KEY",
                           .help = "leaf or district whose objects are removed; repeatable"});
    mc_option_list_add_uint(&list, "n", &options.most, "N", "print at most N leaves (30)");
    mc_option_list_add_dumps(&list, &options.dump);
    mc_option_list_add_flag(&list, "json", &options.json, "print one JSON object");
    if (!mc_command_begin(&list, "memcity whatif DUMP… --demolish KEY [--demolish KEY…] [--json]",
                          "Computes what becomes unreachable from the GC roots if all objects of a "
                          "leaf or district of heap\ndumps are removed, including them, and their "
                          "retained size as a lower bound. Several dumps are\ncomputed one by one; "
                          "the leaves listed are those of the last.",
                          argc, argv, &count, &code))
        return code;
    if (options.demolished.count == 0)
        return mc_command_wrong_usage("whatif: --demolish KEY is missing");
    code = mc_dump_options_read(&options.dump);
    if (code != MC_EXIT_OK) return code;
    mc_dump *dumps = NULL;
    code = mc_dumps_list(argv, count, "whatif", &dumps);
    if (code == MC_EXIT_OK) code = run(&options, dumps, count);
    mc_free(dumps);
    return code;
}
