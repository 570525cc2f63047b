#include "app/commands/export_json.h"

#include "app/print/print.h"
#include "engine/base/file.h"
#include "engine/base/memory.h"
#include "engine/base/printable.h"
#include "engine/base/utf8.h"
#include "engine/trace/full_keys.h"
#include "engine/trace/trace_step.h"
#include <dirent.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define FLUSH_SIZE ((size_t)1 << 20)

// Below this level full keys are left out of the AntTracks form: written at every node, they take
// space quadratic in the depth, and the keys on the way down say the same.
#define FULL_KEY_LEVELS 256

typedef struct exporter {
    const mc_trace *trace;
    mc_export_format format;
    mc_export_report *report;
    const mc_progress *progress;
    uint32_t step; // that is being written
    mc_error *error;
    mc_step_tree tree;
    uint32_t retained, closure; // metrics of the tree that fields of the form hold, or MC_NONE
    mc_text path, out;
    mc_print print; // to `out`
    mc_file_writer writer;
    mc_excerpt bad_name; // that was to be written and is no UTF-8
    bool has_bad_name;

    // Of the nodes from the root to the one that is being written.
    mc_text full_key;   // in the exported form, joined
    size_t *key_ends;   // where a level's full key ends
    uint32_t *children; // written so far
    size_t level_capacity, child_capacity;
} exporter;

static void exporter_deinit(exporter *self) {
    mc_file_writer_discard(&self->writer);
    mc_step_tree_deinit(&self->tree);
    mc_text_deinit(&self->path);
    mc_text_deinit(&self->out);
    mc_text_deinit(&self->full_key);
    mc_free(self->key_ends);
    mc_free(self->children);
}

// ---- files

static mc_result make_folder(exporter *self, const char *folder, const char *first,
                             const char *second) {
    mc_text_clear(&self->path);
    mc_text_format(&self->path, "%s%s%s/", folder, first, second);
    if (self->path.failed) return mc_error_out_of_memory(self->error);
    return mc_file_make_parents(self->path.data, 0777, self->error);
}

// The names of all files at once: each by itself would take longer than to write it.
static void sync_folder(exporter *self, const char *folder, const char *first, const char *second) {
    mc_text_clear(&self->path);
    mc_text_format(&self->path, "%s%s%s/", folder, first, second);
    if (!self->path.failed) mc_file_sync_folder_of(self->path.data);
}

static bool is_json_name(const char *name) {
    static const char *const ends[] = {".json", ".json.gz", ".json.zst"};
    size_t size = strlen(name);
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
        size_t length = strlen(ends[i]);
        if (size >= length && strcmp(name + size - length, ends[i]) == 0) return true;
    }
    return false;
}

// What is read as steps or pointer maps there, whoever wrote it.
static uint32_t count_files(exporter *self, const char *folder, const char *first,
                            const char *second) {
    uint32_t count = 0;
    mc_text_clear(&self->path);
    mc_text_format(&self->path, "%s%s%s", folder, first, second);
    DIR *entries = self->path.failed ? NULL : opendir(self->path.data);
    for (struct dirent *entry; entries && (entry = readdir(entries));)
        count += is_json_name(entry->d_name);
    if (entries) closedir(entries);
    return count;
}

static mc_result begin_file(exporter *self, const char *folder, const char *first,
                            const char *second, int64_t time_ms) {
    mc_text_clear(&self->path);
    mc_text_format(&self->path, "%s%s%s/%" PRId64 ".json", folder, first, second, time_ms);
    mc_text_clear(&self->out);
    self->print = mc_print_to(&self->out, true, false);
    if (self->path.failed) return mc_error_out_of_memory(self->error);
    mc_result result = mc_file_writer_begin(&self->writer, self->path.data, self->error);
    self->writer.sync = MC_FILE_SYNC_CONTENT;
    return result;
}

static mc_result report_progress(exporter *self, uint32_t done) {
    if (mc_progress_report(self->progress, done, mc_trace_get_step_count(self->trace)))
        return MC_OK;
    return mc_fail(self->error, MC_ERROR_CANCELLED, "cancelled");
}

// A write that fails leaves its mark on the stream.
static void flush(exporter *self) {
    if (self->out.failed) return;
    if (self->out.size > 0) fwrite(self->out.data, 1, self->out.size, self->writer.stream);
    mc_text_clear(&self->out);
}

// Between two nodes: a step may be large, and in the default form is quadratic in its depth.
static mc_result pass_on(exporter *self) {
    if (self->out.size <= FLUSH_SIZE) return MC_OK;
    flush(self);
    return report_progress(self, self->step);
}

static mc_result end_file(exporter *self) {
    flush(self);
    if (self->out.failed || self->full_key.failed) return mc_error_out_of_memory(self->error);
    if (self->has_bad_name)
        return mc_fail(self->error, MC_ERROR_UNSUPPORTED,
                       "JSON can't store this trace: the name \"%s\" is not UTF-8",
                       self->bad_name.text);
    self->report->file_count++;
    return mc_file_writer_commit(&self->writer, self->error); // notices what could not be written
}

// ---- keys in the exported form

typedef struct part_of_key {
    const char *bytes;
    size_t size;
} part_of_key;

// What is left of a full key behind its parent's, if it goes on from that.
static part_of_key cut_prefix(part_of_key key, part_of_key parent) {
    if (key.size <= parent.size || memcmp(key.bytes, parent.bytes, parent.size) != 0 ||
        key.bytes[parent.size] != '#')
        return key;
    return (part_of_key){key.bytes + parent.size + 1, key.size - parent.size - 1};
}

// What a node's own key is in the AntTracks form.
static part_of_key get_part(const exporter *self, const mc_step_entry *node) {
    const mc_step_tree *tree = &self->tree;
    part_of_key key = {tree->text.data + node->key_offset, node->key_size};
    if (tree->key_kind == MC_KEY_PATH_PART || node->parent == MC_NONE) return key;
    const mc_step_entry *parent = &tree->nodes[node->parent];
    return cut_prefix(key, (part_of_key){tree->text.data + parent->key_offset, parent->key_size});
}

static bool reserve_level(exporter *self, size_t level) {
    return mc_reserve(&self->key_ends, &self->level_capacity, level + 1, sizeof *self->key_ends) &&
           mc_reserve(&self->children, &self->child_capacity, level + 1, sizeof *self->children);
}

// Extends the full key from the parent's to the node's.
static bool enter_level(exporter *self, size_t level, const mc_step_entry *node) {
    const mc_step_tree *tree = &self->tree;
    if (!reserve_level(self, level)) return false;
    if (tree->key_kind == MC_KEY_FULL && self->format == MC_EXPORT_DEFAULT) {
        mc_text_clear(&self->full_key);
        mc_text_append(&self->full_key, tree->text.data + node->key_offset, node->key_size);
    } else {
        part_of_key part = get_part(self, node);
        self->full_key.size = level > 0 ? self->key_ends[level - 1] : 0;
        if (level > 0) mc_text_append(&self->full_key, "#", 1);
        mc_text_append(&self->full_key, part.bytes, part.size);
    }
    self->key_ends[level] = self->full_key.size;
    self->children[level] = 0;
    return true;
}

// ---- steps

// A name of the trace, as it will be written.
static void check_name(exporter *self, const char *bytes, size_t size) {
    if (self->has_bad_name || mc_utf8_is_valid(bytes, size)) return;
    self->has_bad_name = true;
    mc_excerpt_make(&self->bad_name, bytes, size);
}

static void put_name(exporter *self, const char *key, const char *bytes, size_t size) {
    check_name(self, bytes, size);
    mc_print_put(&self->print, key, mc_cell_bytes_of(bytes, size));
}

static void put_size(exporter *self, const char *key, uint32_t metric, size_t entry) {
    uint64_t size =
        metric == MC_NONE ? MC_COUNT_UNKNOWN : mc_step_tree_get_value(&self->tree, metric, entry);
    mc_print_put(&self->print, key,
                 size == MC_COUNT_UNKNOWN ? mc_cell_number(-1) : mc_cell_count(size));
}

static void put_values(exporter *self, size_t entry) {
    const mc_metrics *metrics = &self->tree.metrics;
    bool has_any = false;
    for (uint32_t i = 0; i < metrics->count; i++) {
        const mc_metric_info *info = &metrics->items[i];
        uint64_t value = mc_step_tree_get_value(&self->tree, i, entry);
        if (value == MC_COUNT_UNKNOWN || i == self->retained || i == self->closure) continue;
        if (!has_any) mc_print_begin_object(&self->print, "metrics");
        has_any = true;
        check_name(self, info->key, info->key_size);
        mc_print_key(&self->print, info->key, info->key_size);
        mc_print_put(&self->print, NULL, mc_cell_value(info, value));
    }
    if (has_any) mc_print_end_object(&self->print);
}

// What they are, and in which order: of those that have fields of their own, too.
static void put_declarations(exporter *self) {
    const mc_metrics *metrics = &self->tree.metrics;
    mc_print *print = &self->print;
    if (metrics->count == 0) return;
    mc_print_begin_list(print, "metrics");
    for (uint32_t i = 0; i < metrics->count; i++) {
        const mc_metric_info *info = &metrics->items[i];
        mc_print_begin_object(print, NULL);
        put_name(self, "name", info->key, info->key_size);
        put_name(self, "title", info->title, info->title_size);
        MC_PRINT(print, {"unit", mc_cell_text(mc_unit_names[info->unit])},
                 {"kind", mc_cell_text(mc_metric_kind_names[info->kind])},
                 {"additive", mc_cell_bool(info->is_additive)});
        mc_print_end_object(print);
    }
    mc_print_end_list(print);
}

// The AntTracks form has fields for sizes, in bytes and whole.
static uint32_t find_size(const exporter *self, const char *key) {
    const mc_metrics *metrics = &self->tree.metrics;
    uint32_t index = mc_metrics_find(metrics, key, strlen(key));
    bool has_field = self->format == MC_EXPORT_ANTTRACKS && index != MC_NONE;
    return has_field && !metrics->items[index].is_real ? index : MC_NONE;
}

static void put_full_key_parts(exporter *self, size_t entry, size_t level) {
    const mc_step_entry *nodes = self->tree.nodes;
    uint32_t way[FULL_KEY_LEVELS] = {0};
    for (size_t i = level + 1; i-- > 0; entry = nodes[entry].parent)
        way[i] = (uint32_t)entry;
    mc_print_begin_list(&self->print, "fullKey");
    for (size_t i = 0; i <= level; i++) {
        part_of_key part = get_part(self, &nodes[way[i]]);
        put_name(self, NULL, part.bytes, part.size);
    }
    mc_print_end_list(&self->print);
    put_name(self, "fullKeyAsString", self->full_key.data, self->full_key.size);
}

static void put_anttracks_node(exporter *self, size_t entry, size_t level) {
    const mc_step_entry *node = &self->tree.nodes[entry];
    mc_step_name name = mc_step_tree_get_name(&self->tree, entry);
    part_of_key part = get_part(self, node);
    put_name(self, "key", part.bytes, part.size);
    if (name.size != part.size ||
        memcmp(self->tree.text.data + name.offset, part.bytes, part.size) != 0)
        self->report->lost_name_count++;
    if (level < FULL_KEY_LEVELS) put_full_key_parts(self, entry, level);
    MC_PRINT(&self->print,
             {"classifierId", mc_cell_number(node->role == MC_NONE ? -1 : (int64_t)node->role)},
             {"bytes", mc_cell_count(node->bytes)}, {"objects", mc_cell_count(node->objects)});
    put_size(self, "transitiveClosureSize", self->closure, entry);
    put_size(self, "retainedSize", self->retained, entry);
}

static void put_default_node(exporter *self, size_t entry) {
    mc_step_node node = mc_step_tree_get(&self->tree, entry);
    size_t role_size = 0;
    const char *role = "";
    if (node.role != MC_NONE) role = mc_strings_get(&self->tree.roles, node.role, &role_size);
    put_name(self, "key", self->full_key.data, self->full_key.size);
    put_name(self, "name", self->tree.text.data + node.name_offset, node.name_size);
    put_name(self, "role", role, role_size);
    MC_PRINT(&self->print, {"bytes", mc_cell_count(node.bytes)},
             {"objects", mc_cell_count(node.objects)});
}

static void close_node(exporter *self, size_t level) {
    if (self->children[level] > 0) mc_print_end_list(&self->print);
    mc_print_end_object(&self->print);
}

// The tree's entries are in depth-first order. `levels` says how deep each one is.
static mc_result put_nodes(exporter *self, const uint32_t *levels) {
    size_t count = self->tree.node_count;
    for (size_t entry = 0; entry < count; entry++) {
        size_t level = levels[entry];
        for (size_t open = entry > 0 ? levels[entry - 1] + 1 : 0; open-- > level;)
            close_node(self, open);
        if (level > 0 && self->children[level - 1]++ == 0)
            mc_print_begin_list(&self->print, "children");
        mc_print_begin_object(&self->print, level > 0 ? NULL : "root");
        if (!enter_level(self, level, &self->tree.nodes[entry]))
            return mc_error_out_of_memory(self->error);
        if (self->format == MC_EXPORT_ANTTRACKS)
            put_anttracks_node(self, entry, level);
        else
            put_default_node(self, entry);
        put_values(self, entry);
        mc_result result = pass_on(self);
        if (result != MC_OK) return result;
    }
    for (size_t open = (size_t)levels[count - 1] + 1; open-- > 0;)
        close_node(self, open);
    return MC_OK;
}

static mc_result put_root(exporter *self) {
    size_t count = self->tree.node_count;
    uint32_t *levels = mc_alloc(count, sizeof *levels);
    if (!levels) return mc_error_out_of_memory(self->error);
    for (size_t entry = 0; entry < count; entry++) {
        uint32_t parent = self->tree.nodes[entry].parent;
        levels[entry] = parent == MC_NONE ? 0 : levels[parent] + 1;
    }
    mc_result result = put_nodes(self, levels);
    mc_free(levels);
    return result;
}

static void put_classifiers(exporter *self) {
    mc_print *print = &self->print;
    mc_print_begin_list(print, "classifiers");
    for (uint32_t i = 0; i < self->tree.roles.count; i++) {
        size_t size;
        const char *name = mc_strings_get(&self->tree.roles, i, &size);
        mc_print_begin_object(print, NULL);
        put_name(self, "name", name, size);
        MC_PRINT(print, {"id", mc_cell_count(i)});
        mc_print_end_object(print);
    }
    mc_print_end_list(print);
}

static mc_result write_step(exporter *self, const char *folder, const char *form, uint32_t step) {
    mc_result result = mc_trace_fill_step_tree(self->trace, step, &self->tree, self->error);
    if (result == MC_OK) result = begin_file(self, folder, form, "", self->tree.time_ms);
    if (result != MC_OK) return result;
    self->retained = find_size(self, mc_metric_retained);
    self->closure = find_size(self, mc_metric_closure);
    mc_print_begin_object(&self->print, NULL);
    if (self->format == MC_EXPORT_ANTTRACKS) put_classifiers(self);
    put_declarations(self);
    MC_PRINT(&self->print, {"time", mc_cell_time(self->tree.time_ms)});
    result = put_root(self);
    mc_print_end_object(&self->print);
    mc_print_end(&self->print);
    return result == MC_OK ? end_file(self) : result;
}

// ---- pointer maps

// The full key, in the exported form, of what the input has in the place of a leaf of the trace.
static mc_result append_full_key(exporter *self, uint32_t node) {
    const mc_node_columns *nodes = mc_trace_get_nodes(self->trace);
    if (nodes->flags[node] & MC_NODE_SELF) node = nodes->parent[node];
    mc_text_clear(&self->full_key);
    if (self->format == MC_EXPORT_DEFAULT || self->tree.key_kind == MC_KEY_PATH_PART) {
        mc_trace_append_full_key(self->trace, node, &self->full_key);
    } else {
        size_t depth = (size_t)nodes->level[node] + 1, way_capacity = self->level_capacity;
        if (!mc_reserve(&self->key_ends, &way_capacity, depth, sizeof *self->key_ends))
            return mc_error_out_of_memory(self->error);
        self->level_capacity = way_capacity;
        size_t *way = self->key_ends; // free between steps
        for (size_t i = depth; i-- > 0; node = nodes->parent[node])
            way[i] = node;
        for (size_t i = 0; i < depth; i++) {
            part_of_key part = {0};
            part.bytes = mc_trace_get_string(self->trace, nodes->key[way[i]], &part.size);
            part_of_key prefix = {0};
            if (i > 0)
                prefix.bytes =
                    mc_trace_get_string(self->trace, nodes->key[way[i - 1]], &prefix.size);
            if (i > 0) part = cut_prefix(part, prefix);
            if (i > 0) mc_text_append(&self->full_key, "#", 1);
            mc_text_append(&self->full_key, part.bytes, part.size);
        }
    }
    return self->full_key.failed ? mc_error_out_of_memory(self->error) : MC_OK;
}

typedef struct entry {
    uint32_t outer, inner;
    uint64_t count;
} entry;

static int compare_entries(const void *a, const void *b) {
    const entry *x = a, *y = b;
    if (x->outer != y->outer) return x->outer < y->outer ? -1 : 1;
    return x->inner < y->inner ? -1 : x->inner > y->inner;
}

// A pair that only the other map has is left out. One without any count is in some map all the
// same.
static size_t list_entries(const mc_reference_rows *all, bool is_points_to, entry *entries) {
    size_t count = 0;
    for (uint32_t i = 0; i < all->count; i++) {
        uint64_t own = is_points_to ? all->items[i].points_to : all->items[i].pointed_from;
        uint64_t other = is_points_to ? all->items[i].pointed_from : all->items[i].points_to;
        if (own == 0 && other > 0) continue;
        entries[count] = (entry){.outer = is_points_to ? all->items[i].from : all->items[i].to,
                                 .inner = is_points_to ? all->items[i].to : all->items[i].from,
                                 .count = own};
        count++;
    }
    qsort(entries, count, sizeof *entries, compare_entries);
    return count;
}

static void put_key(exporter *self) {
    check_name(self, self->full_key.data, self->full_key.size);
    mc_print_key(&self->print, self->full_key.data, self->full_key.size);
}

static mc_result put_map(exporter *self, const entry *entries, size_t count) {
    for (size_t i = 0; i < count; i++) {
        bool is_first = i == 0 || entries[i].outer != entries[i - 1].outer;
        mc_result result = is_first ? append_full_key(self, entries[i].outer) : MC_OK;
        if (result != MC_OK) return result;
        if (is_first && i > 0) mc_print_end_object(&self->print);
        if (is_first) put_key(self);
        if (is_first) mc_print_begin_object(&self->print, NULL);
        result = append_full_key(self, entries[i].inner);
        if (result != MC_OK) return result;
        put_key(self);
        mc_print_put(&self->print, NULL, mc_cell_count(entries[i].count));
        result = pass_on(self);
        if (result != MC_OK) return result;
    }
    if (count > 0) mc_print_end_object(&self->print);
    return MC_OK;
}

// Maps lie beside the steps of the default form, whichever form the steps have.
static const char map_form[] = "/default-format";
static const char *const map_folders[] = {
    [MC_POINTS_TO] = "/points-to-maps", [MC_POINTED_FROM] = "/pointed-from-maps"};

static mc_result write_map(exporter *self, const char *folder, uint32_t step,
                           mc_reference_direction direction, const mc_reference_rows *all) {
    const mc_step_info *info = mc_trace_get_step(self->trace, step);
    const char *form = map_form, *sub_folder = map_folders[direction];
    if (!(info->directions & 1u << direction)) return MC_OK;
    entry *entries = mc_alloc((size_t)all->count + 1, sizeof *entries);
    if (!entries) return mc_error_out_of_memory(self->error);
    size_t count = list_entries(all, direction == MC_POINTS_TO, entries);
    mc_result result = make_folder(self, folder, form, sub_folder);
    if (result == MC_OK) result = begin_file(self, folder, form, sub_folder, info->time_ms);
    if (result == MC_OK) {
        mc_print_begin_object(&self->print, NULL);
        MC_PRINT(&self->print, {"time", mc_cell_time(info->time_ms)});
        mc_print_begin_object(&self->print, "pointerMap");
        result = put_map(self, entries, count);
        mc_print_end_object(&self->print);
        mc_print_end_object(&self->print);
        mc_print_end(&self->print);
    }
    mc_free(entries);
    return result == MC_OK ? end_file(self) : result;
}

static mc_result write_maps(exporter *self, const char *folder, uint32_t step) {
    mc_reference_rows all = {0};
    if (mc_trace_get_step(self->trace, step)->directions == 0) return MC_OK;
    mc_result result = mc_trace_read_references(self->trace, step, &all, self->error);
    if (result == MC_OK) result = write_map(self, folder, step, MC_POINTS_TO, &all);
    if (result == MC_OK) result = write_map(self, folder, step, MC_POINTED_FROM, &all);
    mc_reference_rows_deinit(&all);
    return result;
}

// ---- the trace

static bool has_sharp(const mc_trace *trace) {
    const mc_node_columns *nodes = mc_trace_get_nodes(trace);
    for (uint32_t node = 0; node < nodes->count; node++) {
        size_t size;
        const char *key = mc_trace_get_string(trace, nodes->key[node], &size);
        if (memchr(key, '#', size)) return true;
    }
    return false;
}

static mc_result fail_twice(exporter *self, uint32_t node) {
    mc_excerpt excerpt;
    mc_text_clear(&self->full_key);
    mc_trace_append_full_key(self->trace, node, &self->full_key);
    if (self->full_key.failed) return mc_error_out_of_memory(self->error);
    return mc_fail(self->error, MC_ERROR_UNSUPPORTED,
                   "the default format can't store this trace: two nodes have the full key \"%s\"; "
                   "the AntTracks format can",
                   mc_excerpt_make(&excerpt, self->full_key.data, self->full_key.size));
}

static mc_result find_twice(exporter *self, mc_full_keys *keys, uint32_t *numbers) {
    const mc_node_columns *nodes = mc_trace_get_nodes(self->trace);
    uint8_t *is_known = NULL;
    size_t capacity = 0;
    mc_result result = MC_OK;
    for (uint32_t node = 0; node < nodes->count && result == MC_OK; node++) {
        size_t size, known = capacity;
        const char *key = mc_trace_get_string(self->trace, nodes->key[node], &size);
        if (nodes->flags[node] & MC_NODE_SELF) continue; // no node of the input
        uint32_t parent = nodes->parent[node];
        uint32_t number =
            mc_full_keys_add(keys, parent == MC_NONE ? MC_NONE : numbers[parent], key, size);
        if (number == MC_NONE || !mc_reserve(&is_known, &capacity, (size_t)number + 1, 1)) {
            result = mc_error_out_of_memory(self->error);
            break;
        }
        memset(is_known + known, 0, capacity - known);
        if (is_known[number]) result = fail_twice(self, node);
        is_known[number] = 1;
        numbers[node] = number;
        if (result == MC_OK && node % 4096 == 0) result = report_progress(self, 0);
    }
    mc_free(is_known);
    return result;
}

// In the default form a full key may occur once in a tree. Joined from keys that hold a '#', two
// may be the same.
static mc_result check_full_keys(exporter *self) {
    if (self->format != MC_EXPORT_DEFAULT ||
        mc_trace_get_key_kind(self->trace) != MC_KEY_PATH_PART || !has_sharp(self->trace))
        return MC_OK;
    mc_full_keys keys = {0};
    uint32_t *numbers = mc_alloc(mc_trace_get_nodes(self->trace)->count, sizeof *numbers);
    mc_result result =
        numbers ? find_twice(self, &keys, numbers) : mc_error_out_of_memory(self->error);
    mc_full_keys_deinit(&keys);
    mc_free(numbers);
    return result;
}

mc_result mc_export_json(const mc_trace *trace, mc_export_format format, const char *folder,
                         const mc_progress *progress, mc_export_report *report, mc_error *error) {
    exporter self = {
        .trace = trace, .format = format, .report = report, .progress = progress, .error = error};
    const char *form = format == MC_EXPORT_ANTTRACKS ? "/anttracks-format" : "/default-format";
    uint32_t count = mc_trace_get_step_count(trace);
    *report = (mc_export_report){0};
    mc_result result = check_full_keys(&self);
    if (result == MC_OK) result = make_folder(&self, folder, form, "");
    for (uint32_t step = 0; step < count && result == MC_OK; step++) {
        self.step = step;
        result = write_step(&self, folder, form, step);
        if (result == MC_OK) result = write_maps(&self, folder, step);
        if (result == MC_OK) result = report_progress(&self, step + 1);
    }
    sync_folder(&self, folder, form, "");
    for (int i = 0; i < 2 && mc_trace_has_references(trace); i++)
        sync_folder(&self, folder, map_form, map_folders[i]);
    uint32_t found = count_files(&self, folder, form, "");
    for (int i = 0; i < 2; i++)
        found += count_files(&self, folder, map_form, map_folders[i]);
    if (found > report->file_count) report->other_file_count = found - report->file_count;
    exporter_deinit(&self);
    return result;
}
