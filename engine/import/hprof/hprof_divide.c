#include "engine/import/hprof/hprof_divide.h"

#include "engine/base/memory.h"
#include <stdlib.h>

// ---- leaves

typedef struct divider {
    mc_hprof_heap *heap;
    mc_hprof_structures structures;
    mc_heap_groups *groups; // with all criteria
    uint32_t *part_leaves;  // by part
    mc_error *error;
} divider;

static uint32_t find_leaf(const divider *self, uint32_t structure, uint32_t class_leaf) {
    mc_heap_key key = {MC_HPROF_NO_STRUCTURE, sizeof MC_HPROF_NO_STRUCTURE - 1};
    uint32_t level = mc_grouping_find(&self->heap->grouping, MC_GROUP_STRUCTURE);
    if (structure != MC_NONE)
        key.text = mc_strings_get(&self->structures.names, structure, &key.size);
    return mc_heap_groups_find_within(self->groups, self->heap->groups, class_leaf, level, key);
}

// What the graph lacks: objects with the id of another one.
static bool add_rest(divider *self, uint32_t class_leaf, uint64_t objects, uint64_t bytes) {
    mc_hprof_leaves *leaves = &self->heap->leaves;
    const mc_hprof_classes *classes = &self->heap->classes;
    uint64_t all_objects = classes->objects[class_leaf], all_bytes = classes->bytes[class_leaf];
    if (objects >= all_objects) return true;
    uint32_t leaf = find_leaf(self, MC_NONE, class_leaf);
    if (leaf == MC_NONE) return false;
    leaves->own_objects[leaf] += all_objects - objects;
    if (all_bytes > bytes) leaves->own_bytes[leaf] += all_bytes - bytes;
    return true;
}

static int compare_parts(const void *a, const void *b) {
    const mc_hprof_structure_part *const *x = a, *const *y = b;
    return (*x)->position < (*y)->position ? -1 : (*x)->position > (*y)->position;
}

// In the order of the graph, which is the same whoever found them first. NULL: out of memory.
static const mc_hprof_structure_part **sort_parts(const mc_hprof_structures *structures) {
    // Pointers are meant. NOLINTBEGIN(bugprone-sizeof-expression)
    const mc_hprof_structure_part **parts = mc_alloc(structures->count + 1, sizeof *parts);
    for (size_t i = 0; parts && i < structures->count; i++)
        parts[i] = &structures->parts[i];
    if (parts && structures->count > 1)
        qsort(parts, structures->count, sizeof *parts, compare_parts);
    // NOLINTEND(bugprone-sizeof-expression)
    return parts;
}

// Part by part, and, for the rest, class leaf by class leaf.
static bool list_leaves(divider *self) {
    const mc_hprof_structures *structures = &self->structures;
    uint32_t class_leaf_count = self->heap->classes.leaf_count;
    mc_hprof_leaves *leaves = &self->heap->leaves;
    size_t most = structures->count + class_leaf_count + 1;
    self->part_leaves = mc_alloc(structures->count + 1, sizeof *self->part_leaves);
    leaves->own_objects = mc_alloc_zero(most, sizeof *leaves->own_objects);
    leaves->own_bytes = mc_alloc_zero(most, sizeof *leaves->own_bytes);
    mc_group_sum *known = mc_alloc_zero((size_t)class_leaf_count + 1, sizeof *known);
    const mc_hprof_structure_part **parts = sort_parts(structures);
    bool is_done = self->part_leaves && leaves->own_objects && leaves->own_bytes && known && parts;
    for (size_t i = 0; i < structures->count && is_done; i++) {
        const mc_hprof_structure_part *part = parts[i];
        uint32_t leaf = find_leaf(self, part->structure, part->leaf);
        self->part_leaves[part - structures->parts] = leaf;
        is_done = leaf != MC_NONE;
        if (!is_done) break;
        leaves->own_objects[leaf] += part->sum.count;
        leaves->own_bytes[leaf] += part->sum.size;
        known[part->leaf].count += part->sum.count;
        known[part->leaf].size += part->sum.size;
    }
    for (uint32_t i = 0; i < class_leaf_count && is_done; i++)
        is_done = add_rest(self, i, known[i].count, known[i].size);
    mc_free(known);
    mc_free(parts);
    return is_done;
}

static mc_result divide(divider *self) {
    mc_hprof_heap *heap = self->heap;
    mc_result result =
        mc_hprof_structures_init(&self->structures, heap, heap->collections, self->error);
    if (result == MC_OK)
        result = mc_class_groups_create(&heap->grouping, &self->groups, self->error);
    if (result != MC_OK) return result;
    mc_hprof_leaves_deinit(&heap->leaves);
    if (!list_leaves(self)) return mc_error_out_of_memory(self->error);
    mc_heap_groups_destroy(heap->groups);
    heap->groups = self->groups;
    self->groups = NULL;
    heap->leaves.count = mc_heap_groups_get_count(heap->groups);
    heap->leaves.objects = heap->leaves.own_objects;
    heap->leaves.bytes = heap->leaves.own_bytes;
    return mc_hprof_heap_list_parents(heap) ? MC_OK : mc_error_out_of_memory(self->error);
}

// ---- by object

static void list_range(void *user, uint32_t thread, uint32_t begin, uint32_t end) {
    const divider *self = user;
    const mc_hprof_heap *heap = self->heap;
    const mc_graph *graph = &heap->graph.graph;
    uint32_t *of = heap->leaves.of, *group_of = self->structures.of;
    uint32_t object = mc_graph_get_first_vertex(graph, begin);
    (void)thread;
    for (uint32_t at = begin; at < end; at = mc_graph_skip(graph, at)) {
        uint32_t leaf = heap->graph.kinds[mc_graph_get_kind(graph, at)].leaf;
        if (group_of && leaf != MC_NONE) {
            uint32_t number = mc_graph_get_number(graph, at);
            leaf = self->part_leaves[group_of[number]];
            group_of[number] = mc_heap_groups_get_group(heap->groups, leaf);
        }
        if (of) of[object++] = leaf;
    }
}

// From parts to leaves by object, and to groups by number.
static mc_result list_objects(divider *self) {
    mc_hprof_heap *heap = self->heap;
    const mc_graph *graph = &heap->graph.graph;
    if (heap->keeps_ids) {
        heap->leaves.of = mc_alloc((size_t)graph->vertex_count + 1, sizeof *heap->leaves.of);
        if (!heap->leaves.of) return mc_error_out_of_memory(self->error);
    }
    if (heap->leaves.of || self->structures.of)
        mc_graph_scan(graph, heap->crew.worker_count, list_range, self);
    if (!self->structures.of) return MC_OK;
    heap->group_of = self->structures.of;
    self->structures.of = NULL;
    return MC_OK;
}

mc_result mc_hprof_divide(mc_hprof_heap *heap, mc_error *error) {
    divider self = {.heap = heap, .error = error};
    bool has_structures = mc_grouping_has(&heap->grouping, MC_GROUP_STRUCTURE);
    mc_result result = has_structures ? divide(&self) : MC_OK;
    // Which of two objects with one id a reference means is a question of leaves, else.
    if (result == MC_OK && (has_structures || heap->report.repeated_count == 0))
        result = list_objects(&self);
    mc_hprof_structures_deinit(&self.structures);
    mc_heap_groups_destroy(self.groups);
    mc_free(self.part_leaves);
    return result;
}
