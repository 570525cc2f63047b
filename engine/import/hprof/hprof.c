#include "engine/import/hprof/hprof.h"

#include "engine/base/memory.h"
#include "engine/import/hprof/hprof_divide.h"
#include "engine/import/hprof/hprof_graph_references.h"
#include "engine/import/hprof/hprof_metrics.h"
#include "engine/import/hprof/hprof_paths.h"
#include "engine/import/hprof/hprof_references.h"
#include "engine/trace/side_table.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

typedef struct reader {
    const mc_hprof_desc *desc;
    bool has_retained;
    mc_hprof_heap heap;
    mc_hprof_links links;
    mc_hprof_references references;
    const uint32_t *tree_nodes; // by group
    mc_error *error;
} reader;

void mc_hprof_step_deinit(mc_hprof_step *step) {
    mc_step_tree_deinit(&step->tree);
    mc_reference_map_deinit(&step->points_to);
    mc_reference_map_deinit(&step->pointed_from);
    mc_step_holders_deinit(&step->holders);
    mc_step_paths_deinit(&step->paths);
}

// ---- what comes out

// MC_NONE: none, which is so only where the file changed since its objects were counted.
static uint32_t get_node(const reader *self, uint32_t leaf) {
    if (leaf == MC_NONE) return MC_NONE;
    return self->tree_nodes[mc_heap_groups_get_group(self->heap.groups, leaf)];
}

// One direction: an entry a pair.
static bool fill_map(const reader *self, mc_reference_map *map, bool is_points_to) {
    mc_reference_map_reset(map);
    map->time_ms = self->heap.file.time_ms;
    map->is_by_node = true;
    for (size_t i = 0; i < self->references.pairs.count; i++) {
        const mc_heap_pair *pair = &self->references.pairs.slots[i];
        uint32_t from = get_node(self, (uint32_t)(pair->key >> 32));
        uint32_t to = get_node(self, (uint32_t)pair->key);
        if (from == MC_NONE || to == MC_NONE) continue;
        mc_reference_entry entry = {.outer_offset = is_points_to ? from : to,
                                    .inner_offset = is_points_to ? to : from,
                                    .count = is_points_to ? pair->points_to : pair->pointed_from};
        if (!mc_reference_map_add(map, entry)) return false;
    }
    return true;
}

static mc_result fill_maps(const reader *self, mc_hprof_step *step) {
    bool is_done =
        fill_map(self, &step->points_to, true) && fill_map(self, &step->pointed_from, false);
    return is_done ? MC_OK : mc_error_out_of_memory(self->error);
}

// ---- fields and roots

// Classes of one leaf may have inherited one field, and two of one name be in a leaf.
static void sort_fields(mc_step_holders *holders) {
    mc_side_rows rows = {holders->fields, (uint32_t)holders->field_count};
    mc_side_rows_add_up(MC_SIDE_FIELDS, &rows);
    mc_side_rows_rank(MC_SIDE_FIELDS, &rows, &holders->names);
    holders->field_count = rows.count;
}

// The name of a field with or without its package; MC_NONE if memory is out.
static uint32_t name_field(const reader *self, mc_strings *names, const mc_hprof_field *field,
                           bool has_package, mc_text *text) {
    mc_text_clear(text);
    mc_hprof_append_field(&self->heap.classes, &self->heap.file, field, has_package, text);
    return text->failed ? MC_NONE : mc_strings_intern(names, text->data, text->size);
}

static bool add_field(const reader *self, mc_step_holders *holders, mc_hprof_leaf_roots *roots,
                      const mc_heap_pair *pair, mc_text *text) {
    uint64_t source = self->references.sources.items[pair->key >> 32];
    mc_hprof_link link = mc_hprof_links_get(&self->links, (uint32_t)source);
    mc_hprof_field field = mc_hprof_link_get_field(&link, &self->heap.classes, &self->heap.file);
    uint32_t leaf = (uint32_t)pair->key;
    mc_field_count count = {.from = get_node(self, (uint32_t)(source >> 32)),
                            .to = get_node(self, leaf),
                            .name = name_field(self, &holders->names, &field, false, text),
                            .is_weak = field.is_weak,
                            .count = pair->points_to};
    if (count.from == MC_NONE || count.to == MC_NONE) return true;
    if (count.name == MC_NONE || !mc_step_holders_add_field(holders, count)) return false;
    if (field.kind != MC_HPROF_FIELD_STATIC) return true;
    uint32_t name = name_field(self, &holders->names, &field, true, text);
    if (name == MC_NONE ||
        !mc_reserve(&roots->items, &roots->capacity, roots->count + 1, sizeof *roots->items))
        return false;
    roots->items[roots->count++] =
        (mc_hprof_leaf_root){leaf, MC_ROOT_STATIC, name, pair->points_to};
    return true;
}

static bool add_roots(const reader *self, mc_step_holders *holders, mc_hprof_leaf_roots *roots) {
    bool is_done = mc_hprof_roots_sort(roots, &holders->names);
    for (size_t i = 0; i < roots->count && is_done; i++)
        is_done = mc_step_holders_add_root(
            holders,
            (mc_root_count){get_node(self, roots->items[i].leaf), (uint32_t)roots->items[i].kind,
                            roots->items[i].name, roots->items[i].count});
    return is_done;
}

static mc_result fill_fields(reader *self, mc_hprof_step *step) {
    mc_hprof_heap *heap = &self->heap;
    mc_hprof_leaf_roots roots = {0};
    mc_step_holders *holders = &step->holders;
    mc_hprof_lookup lookup = {.file = &heap->file,
                              .batches = heap->batches,
                              .batch_count = heap->batch_count,
                              .spans = heap->tallies.spans,
                              .classes = &heap->classes,
                              .crew = &heap->crew,
                              .error = self->error};
    mc_text text = {0};
    mc_result result =
        mc_hprof_roots_tell(&roots, &self->references.roots, &lookup, &holders->names, self->error);
    bool is_done = true;
    for (size_t i = 0; i < self->references.fields.count && is_done && result == MC_OK; i++)
        is_done = add_field(self, holders, &roots, &self->references.fields.slots[i], &text);
    sort_fields(holders);
    if (result == MC_OK && (!is_done || !add_roots(self, holders, &roots)))
        result = mc_error_out_of_memory(self->error);
    mc_text_deinit(&text);
    mc_hprof_lookup_deinit(&lookup);
    mc_free(roots.items);
    return result;
}

static mc_result find_references(reader *self, mc_hprof_step *step, bool is_by_graph) {
    mc_hprof_heap *heap = &self->heap;
    mc_result result = mc_hprof_links_init(&self->links, &heap->classes, &heap->file, self->error);
    if (result == MC_OK && is_by_graph)
        result = mc_hprof_find_graph_references(&self->references, heap, &self->links, self->error);
    else if (result == MC_OK)
        result = mc_hprof_find_references(
            &self->references, &heap->file, heap->batches, heap->batch_count, &heap->classes,
            &heap->leaves, &self->links, &heap->tallies.ids, &heap->crew, self->error);
    heap->report.reference_count = self->references.report.count;
    heap->report.dangling_count = self->references.report.dangling_count;
    if (result == MC_OK) result = fill_maps(self, step);
    return result == MC_OK ? fill_fields(self, step) : result;
}

static mc_result make_tree(reader *self, mc_hprof_step *step, uint32_t **tree_nodes) {
    const mc_hprof_heap *heap = &self->heap;
    *tree_nodes =
        mc_alloc((size_t)mc_heap_groups_get_group_count(heap->groups) + 1, sizeof **tree_nodes);
    if (!*tree_nodes) return mc_error_out_of_memory(self->error);
    self->tree_nodes = *tree_nodes;
    mc_result result =
        mc_heap_groups_fill_tree(heap->groups, heap->leaves.objects, heap->leaves.bytes, NULL,
                                 &step->tree, *tree_nodes, self->error);
    step->tree.time_ms = heap->file.time_ms;
    return result;
}

// The graph takes most of the memory, and goes before what follows takes some.
static mc_result read_heap(reader *self, mc_hprof_step *step, uint32_t **tree_nodes) {
    mc_hprof_heap *heap = &self->heap;
    mc_result result = MC_OK;
    if (self->desc->has_graph) {
        result = mc_hprof_heap_link(heap, self->error);
        if (result == MC_OK) result = mc_hprof_divide(heap, self->error);
    }
    if (result == MC_OK) result = make_tree(self, step, tree_nodes);
    if (result == MC_OK && self->has_retained)
        result = mc_hprof_add_retained(heap, *tree_nodes, &step->tree, self->error);
    if (result == MC_OK && self->desc->has_paths)
        result = mc_hprof_add_paths(heap, *tree_nodes, &step->paths, self->error);
    bool is_by_graph = self->desc->has_graph && heap->has_notes;
    if (result == MC_OK && is_by_graph) result = find_references(self, step, true);
    mc_hprof_heap_unlink(heap);
    if (result == MC_OK && self->desc->has_waste)
        result = mc_hprof_add_waste(heap, *tree_nodes, &step->tree, self->error);
    if (result == MC_OK && self->desc->has_references && !is_by_graph)
        result = find_references(self, step, false);
    return result;
}

mc_result mc_hprof_read(const unsigned char *data, uint64_t size, const mc_hprof_desc *desc,
                        mc_hprof_step *step, mc_error *error) {
    mc_hprof_desc all = *desc;
    reader self = {.desc = &all, .has_retained = desc->has_graph, .error = error};
    uint32_t *tree_nodes = NULL;
    if (mc_grouping_has(desc->grouping, MC_GROUP_STRUCTURE) || desc->has_paths)
        all.has_graph = true;
    mc_step_holders_reset(&step->holders);
    mc_step_paths_reset(&step->paths);
    mc_result result = mc_hprof_heap_open(&self.heap, data, size, &all, error);
    if (result == MC_OK) result = read_heap(&self, step, &tree_nodes);
    step->report = self.heap.report;
    mc_free(tree_nodes);
    mc_hprof_references_deinit(&self.references);
    mc_hprof_links_deinit(&self.links);
    mc_hprof_heap_close(&self.heap);
    return result;
}

void mc_hprof_report_append_damage(const mc_hprof_report *report, uint64_t size, mc_text *text) {
    const mc_hprof_damage *damage = &report->damage;
    switch (damage->kind) {
    case MC_HPROF_WHOLE: return;
    case MC_HPROF_DAMAGE_NO_END:
        mc_text_format(text, "the dump is cut off at its end, byte %" PRIu64, size);
        break;
    case MC_HPROF_DAMAGE_CUT:
        mc_text_format(text, "the record at byte %" PRIu64 " is cut off", damage->offset);
        break;
    default: mc_text_format(text, "byte %" PRIu64 " begins no record", damage->offset);
    }
    if (damage->lost_size > 0)
        mc_text_format(text, "; %" PRIu64 " of %" PRIu64 " bytes are left out", damage->lost_size,
                       size);
}
