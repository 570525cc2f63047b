#include "app/command.h"
#include "app/format.h"
#include "engine/base/memory.h"
#include "engine/import/hprof/hprof_heap_file.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

typedef struct whatif_options {
    mc_option_texts demolished;
    const char *group_by;
    uint32_t most;
    bool json, partial;
} whatif_options;

// What is asked of an open dump, and what comes out: an entry a group.
typedef struct whatif {
    const whatif_options *options;
    mc_hprof_heap_file file;
    bool *is_gone;
    mc_group_sum *retained, *freed;
    uint32_t *order; // leaves that lose something, the most bytes first
    uint32_t order_count;
} whatif;

static void deinit(whatif *self) {
    mc_free(self->is_gone);
    mc_free(self->retained);
    mc_free(self->freed);
    mc_free(self->order);
    mc_hprof_heap_file_close(&self->file);
}

static void append_key(const whatif *self, uint32_t group, mc_text *text) {
    mc_class_groups_append_group_key(self->file.heap.groups, group, text);
}

// ---- groups

static bool ends_with(const mc_text *key, const char *end) {
    size_t size = strlen(end);
    return key->size > size && memcmp(key->data + key->size - size, end, size) == 0 &&
           key->data[key->size - size - 1] == '#';
}

// By its full key, or by the end of one that is no other's.
static int find_group(const whatif *self, const char *key, uint32_t *found) {
    const mc_class_groups *groups = self->file.heap.groups;
    mc_text text = {0};
    uint32_t count = 0;
    *found = mc_class_groups_find_key(groups, key, strlen(key));
    for (uint32_t i = 0; *found == MC_NONE && i < mc_class_groups_get_group_count(groups); i++) {
        mc_text_clear(&text);
        append_key(self, i, &text);
        if (text.failed || !ends_with(&text, key)) continue;
        count++;
        *found = i;
        if (count > 1) break;
    }
    mc_text_deinit(&text);
    if (count > 1)
        return mc_command_wrong_usage("--demolish: several groups end in \"%s\"; say a full key",
                                      key);
    if (*found == MC_NONE)
        return mc_command_wrong_usage("--demolish: the dump has no group \"%s\"; memcity find "
                                      "prints full keys",
                                      key);
    return MC_EXIT_OK;
}

static int mark_groups(whatif *self) {
    mc_vertex_groups groups = mc_hprof_heap_get_groups(&self->file.heap);
    const mc_option_texts *keys = &self->options->demolished;
    int code = MC_EXIT_OK;
    for (uint32_t i = 0; i < keys->count && code == MC_EXIT_OK; i++) {
        uint32_t group;
        code = find_group(self, keys->items[i], &group);
        if (code == MC_EXIT_OK) mc_vertex_groups_mark(&groups, group, self->is_gone);
    }
    return code;
}

// ---- asking

// What all of the marked groups retain together, as one group.
static mc_result retain_together(whatif *self, mc_group_sum *sum, mc_error *error) {
    const mc_hprof_heap *heap = &self->file.heap;
    uint32_t *of = mc_alloc(heap->tree.count, sizeof *of);
    mc_group_sum sums[2];
    if (!of) return mc_error_out_of_memory(error);
    for (uint32_t i = 0; i < heap->tree.count; i++) {
        uint32_t group = heap->group_of[i];
        of[i] = group == MC_NONE ? MC_NONE : self->is_gone[group] ? 0 : 1;
    }
    mc_vertex_groups groups = {of, 2, NULL};
    mc_result result =
        mc_retained_sum(&heap->tree, &heap->sizes, &groups, heap->crew.progress, sums, error);
    *sum = sums[0];
    mc_free(of);
    return result;
}

static mc_result ask(whatif *self, mc_error *error) {
    mc_result result = retain_together(self, self->retained, error);
    if (result == MC_OK)
        result =
            mc_hprof_heap_demolish(&self->file.heap, self->is_gone, NULL, 0, self->freed, error);
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
    const mc_class_groups *groups = self->file.heap.groups;
    uint32_t count = mc_class_groups_get_count(groups);
    ranked *items = mc_alloc((size_t)count + 1, sizeof *items);
    if (!items) return false;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t group = mc_class_groups_get_group(groups, i);
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

static void write_text(const whatif *self, mc_text *out) {
    char objects[MC_FORMAT_SIZE], bytes[MC_FORMAT_SIZE];
    mc_text key = {0};
    mc_text_format(out, "%14s %12s  freed\n", mc_format_count(objects, self->freed[0].count),
                   mc_format_bytes(bytes, self->freed[0].size));
    mc_text_format(out, "%14s %12s  retained by what goes\n\n",
                   mc_format_count(objects, self->retained->count),
                   mc_format_bytes(bytes, self->retained->size));
    for (uint32_t i = 0; i < self->order_count && i < self->options->most; i++) {
        const mc_group_sum *sum = &self->freed[self->order[i]];
        mc_text_clear(&key);
        append_key(self, self->order[i], &key);
        mc_text_format(out, "%14s %12s  ", mc_format_count(objects, sum->count),
                       mc_format_bytes(bytes, sum->size));
        if (!key.failed) mc_format_append_tsv(out, key.data, key.size);
        mc_text_append_string(out, "\n");
    }
    mc_text_deinit(&key);
    if (self->order_count > self->options->most)
        mc_message_say("%" PRIu32 " more; -n says how many",
                       self->order_count - self->options->most);
}

static void write_json(const whatif *self, mc_text *out) {
    mc_text key = {0};
    mc_text_format(out,
                   "{\"objects\":%" PRIu64 ",\"bytes\":%" PRIu64
                   ",\"retained\":{\"objects\":%" PRIu64 ",\"bytes\":%" PRIu64 "},\"leaves\":[",
                   self->freed[0].count, self->freed[0].size, self->retained->count,
                   self->retained->size);
    for (uint32_t i = 0; i < self->order_count && i < self->options->most; i++) {
        const mc_group_sum *sum = &self->freed[self->order[i]];
        mc_text_clear(&key);
        append_key(self, self->order[i], &key);
        mc_text_append_string(out, i > 0 ? ",\n{\"key\":" : "\n{\"key\":");
        mc_format_append_json(out, key.failed ? "" : key.data, key.failed ? 0 : key.size);
        mc_text_format(out, ",\"objects\":%" PRIu64 ",\"bytes\":%" PRIu64 "}", sum->count,
                       sum->size);
    }
    mc_text_append_string(out, "]}\n");
    mc_text_deinit(&key);
}

// Says what makes the numbers less than they seem. Returns the exit code.
static int tell_limits(const whatif *self, const char *path) {
    mc_text damage = {0};
    mc_hprof_heap_file_append_damage(&self->file, &damage);
    bool is_damaged = damage.size > 0;
    if (is_damaged && !damage.failed)
        mc_message_say("%s: incomplete: %s; shown is what is there", path, damage.data);
    mc_text_deinit(&damage);
    if (self->file.heap.report.root_count == 0)
        mc_message_say("%s: no GC root names an object: nothing is taken for unreachable", path);
    if (self->file.heap.report.undescribed_count > 0)
        mc_message_say("%s: %" PRIu64 " objects are of classes that the dump does not describe: "
                       "not all of their references are known",
                       path, self->file.heap.report.undescribed_count);
    return is_damaged && !self->options->partial ? MC_EXIT_BAD_INPUT : MC_EXIT_OK;
}

static mc_result open_dump(whatif *self, const char *path, const mc_grouping *grouping,
                           mc_error *error) {
    mc_command_progress shown;
    mc_progress progress = mc_command_begin_progress(&shown, "reading");
    mc_result result = mc_hprof_heap_file_open(&self->file, path, grouping, &progress, error);
    result = mc_command_end_progress(&shown, result, error);
    if (result != MC_OK) return result;
    uint32_t count = mc_class_groups_get_group_count(self->file.heap.groups);
    self->is_gone = mc_alloc_zero(count, sizeof *self->is_gone);
    self->retained = mc_alloc_zero(1, sizeof *self->retained);
    self->freed = mc_alloc_zero(count, sizeof *self->freed);
    self->order = mc_alloc(count, sizeof *self->order);
    bool is_done = self->is_gone && self->retained && self->freed && self->order;
    return is_done ? MC_OK : mc_error_out_of_memory(error);
}

static int run(whatif *self, const char *path, const mc_grouping *grouping) {
    mc_error error = {0};
    mc_text out = {0};
    if (open_dump(self, path, grouping, &error) != MC_OK) return mc_command_fail(&error);
    int code = mark_groups(self);
    if (code != MC_EXIT_OK) return code;
    if (ask(self, &error) != MC_OK) return mc_command_fail(&error);
    if (!order_leaves(self)) {
        (void)mc_error_out_of_memory(&error);
        return mc_command_fail(&error);
    }
    if (self->options->json)
        write_json(self, &out);
    else
        write_text(self, &out);
    code = mc_command_print(&out);
    int limits = tell_limits(self, path);
    return code == MC_EXIT_OK ? limits : code;
}

int mc_command_whatif(int argc, const char **argv) {
    whatif_options options = {.most = 30};
    uint32_t count;
    int code;
    mc_option_list list = {0};
    mc_option_list_add(&list, (mc_option){.name = "demolish",
                                          .kind = MC_OPTION_LIST,
                                          .target = &options.demolished,
                                          .argument = "KEY",
                                          .help = "a leaf or district whose objects go; may be "
                                                  "said several times"});
    mc_option_list_add_string(&list, "group-by", &options.group_by, "LIST",
                              "what the leaves are by: package, type, loader, module, "
                              "datastructure (package,type)");
    mc_option_list_add_uint(&list, "n", &options.most, "N", "at most so many leaves (30)");
    mc_option_list_add_flag(&list, "partial", &options.partial,
                            "a dump that is damaged or cut off is fine");
    mc_option_list_add_flag(&list, "json", &options.json, "one JSON object");
    if (!mc_command_begin_counted(
            &list, "memcity whatif DUMP --demolish KEY [--demolish KEY…] [--json]",
            "What goes if all objects of a leaf or district of a heap dump go: exactly what the GC "
            "roots no longer reach then, with them; and the least of it, what they retain.",
            1, 1, argc, argv, &count, &code))
        return code;
    if (options.demolished.count == 0)
        return mc_command_wrong_usage("whatif: say with --demolish what goes");
    mc_grouping grouping;
    mc_error error = {0};
    if (mc_grouping_parse(options.group_by, &grouping, &error) != MC_OK)
        return mc_command_wrong_usage("--group-by: %s", error.message);
    whatif self = {.options = &options};
    code = run(&self, argv[0], &grouping);
    deinit(&self);
    return code;
}
