#include "engine/import/hprof/hprof.h"

#include "engine/base/memory.h"
#include "engine/import/hprof/hprof_heap.h"
#include "engine/import/hprof/hprof_references.h"
#include <inttypes.h>

typedef struct reader {
    const mc_hprof_desc *desc;
    mc_hprof_heap heap;
    mc_hprof_pairs pairs;
    mc_error *error;
} reader;

void mc_hprof_step_deinit(mc_hprof_step *step) {
    mc_step_tree_deinit(&step->tree);
    mc_reference_map_deinit(&step->points_to);
    mc_reference_map_deinit(&step->pointed_from);
    mc_free(step->retained);
    step->retained = NULL;
}

// ---- what comes out

static bool append_key(const mc_class_groups *groups, uint32_t leaf, uint64_t *offsets,
                       uint32_t *sizes, mc_text *text) {
    if (sizes[leaf] > 0) return true;
    offsets[leaf] = text->size;
    mc_class_groups_append_full_key(groups, leaf, text);
    sizes[leaf] = (uint32_t)(text->size - offsets[leaf]);
    return !text->failed;
}

// One direction: an entry a pair, each full key once in the text.
static bool fill_map(const reader *self, mc_reference_map *map, bool is_points_to,
                     uint64_t *offsets, uint32_t *sizes) {
    mc_reference_map_reset(map);
    map->time_ms = self->heap.file.time_ms;
    memset(sizes, 0, self->heap.classes.leaf_count * sizeof *sizes);
    for (size_t i = 0; i < self->pairs.count; i++) {
        const mc_hprof_pair *pair = &self->pairs.slots[i];
        uint32_t from = (uint32_t)(pair->key >> 32), to = (uint32_t)pair->key;
        uint32_t outer = is_points_to ? from : to, inner = is_points_to ? to : from;
        if (!append_key(self->heap.groups, outer, offsets, sizes, &map->text) ||
            !append_key(self->heap.groups, inner, offsets, sizes, &map->text))
            return false;
        mc_reference_entry entry = {.outer_offset = offsets[outer],
                                    .inner_offset = offsets[inner],
                                    .outer_size = sizes[outer],
                                    .inner_size = sizes[inner],
                                    .count = is_points_to ? pair->points_to : pair->pointed_from};
        if (!mc_reference_map_add(map, entry)) return false;
    }
    return true;
}

static mc_result fill_maps(const reader *self, mc_hprof_step *step) {
    size_t count = (size_t)self->heap.classes.leaf_count + 1;
    uint64_t *offsets = mc_alloc(count, sizeof *offsets);
    uint32_t *sizes = mc_alloc(count, sizeof *sizes);
    bool is_done = offsets && sizes && fill_map(self, &step->points_to, true, offsets, sizes) &&
                   fill_map(self, &step->pointed_from, false, offsets, sizes);
    mc_free(offsets);
    mc_free(sizes);
    return is_done ? MC_OK : mc_error_out_of_memory(self->error);
}

// ---- the walks

static mc_result find_references(reader *self, mc_hprof_step *step) {
    mc_hprof_reference_report report = {0};
    mc_result result = mc_hprof_find_references(
        &self->heap.file, self->heap.batches, self->heap.batch_count, &self->heap.classes,
        &self->heap.tallies.ids, &self->heap.crew, &self->pairs, &report, self->error);
    self->heap.report.reference_count = report.count;
    self->heap.report.dangling_count = report.dangling_count;
    return result == MC_OK ? fill_maps(self, step) : result;
}

// What each node of the tree retains.
static mc_result fill_retained(const reader *self, const uint32_t *tree_nodes,
                               mc_hprof_step *step) {
    uint32_t count = mc_class_groups_get_group_count(self->heap.groups);
    mc_group_sum *sums = mc_alloc(count, sizeof *sums);
    step->retained = mc_alloc_zero(step->tree.node_count + 1, sizeof *step->retained);
    mc_result result = sums && step->retained ? mc_hprof_heap_retain(&self->heap, sums, self->error)
                                              : mc_error_out_of_memory(self->error);
    for (uint32_t i = 0; i < count && result == MC_OK; i++) {
        if (tree_nodes[i] == MC_NONE) continue;
        step->retained[tree_nodes[i]] = (mc_hprof_retained){sums[i].count, sums[i].size};
        if (!mc_step_tree_set_size(&step->tree, tree_nodes[i], MC_STEP_RETAINED_SIZE, sums[i].size))
            result = mc_error_out_of_memory(self->error);
    }
    mc_free(sums);
    return result;
}

static mc_result read_heap(reader *self, mc_hprof_step *step, uint32_t **tree_nodes) {
    mc_hprof_heap *heap = &self->heap;
    *tree_nodes =
        mc_alloc((size_t)mc_class_groups_get_group_count(heap->groups) + 1, sizeof **tree_nodes);
    if (!*tree_nodes) return mc_error_out_of_memory(self->error);
    mc_result result =
        mc_class_groups_fill_tree(heap->groups, heap->classes.objects, heap->classes.bytes, NULL,
                                  &step->tree, *tree_nodes, self->error);
    step->tree.time_ms = heap->file.time_ms;
    if (result == MC_OK && self->desc->has_references) result = find_references(self, step);
    if (result == MC_OK && self->desc->has_graph) result = mc_hprof_heap_link(heap, self->error);
    if (result == MC_OK && self->desc->has_graph) result = fill_retained(self, *tree_nodes, step);
    return result;
}

mc_result mc_hprof_read(const unsigned char *data, uint64_t size, const mc_hprof_desc *desc,
                        mc_hprof_step *step, mc_error *error) {
    reader self = {.desc = desc, .error = error};
    uint32_t *tree_nodes = NULL;
    mc_free(step->retained);
    step->retained = NULL;
    mc_result result = mc_hprof_heap_open(&self.heap, data, size, desc, error);
    if (result == MC_OK) result = read_heap(&self, step, &tree_nodes);
    step->report = self.heap.report;
    mc_free(tree_nodes);
    mc_hprof_pairs_deinit(&self.pairs);
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
