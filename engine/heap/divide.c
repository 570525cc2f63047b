#include "engine/heap/divide.h"

#include "engine/base/memory.h"
#include <stdlib.h>

// ---- leaves

typedef struct divider {
    mc_heap *heap;
    mc_heap_structures structures;
    mc_heap_groups *groups; // with all levels
    uint32_t level;
    uint32_t *part_leaves; // by part
} divider;

static uint32_t find_leaf(const divider *self, uint32_t structure, uint32_t class_leaf) {
    mc_heap_key key = {MC_HEAP_NO_STRUCTURE, sizeof MC_HEAP_NO_STRUCTURE - 1};
    if (structure != MC_NONE)
        key.text = mc_strings_get(&self->structures.names, structure, &key.size);
    return mc_heap_groups_find_within(self->groups, self->heap->groups, class_leaf, self->level,
                                      key);
}

// What the graph lacks: objects with the id of another one.
static bool add_rest(divider *self, uint32_t class_leaf, uint64_t objects, uint64_t bytes) {
    mc_heap_leaves *leaves = &self->heap->leaves;
    uint64_t all_objects = leaves->objects[class_leaf], all_bytes = leaves->bytes[class_leaf];
    if (objects >= all_objects) return true;
    uint32_t leaf = find_leaf(self, MC_NONE, class_leaf);
    if (leaf == MC_NONE) return false;
    leaves->own_objects[leaf] += all_objects - objects;
    if (all_bytes > bytes) leaves->own_bytes[leaf] += all_bytes - bytes;
    return true;
}

static int compare_parts(const void *a, const void *b) {
    const mc_heap_structure_part *const *x = a, *const *y = b;
    return (*x)->position < (*y)->position ? -1 : (*x)->position > (*y)->position;
}

// In the order of the graph, which is the same whoever found them first. NULL: out of memory.
static const mc_heap_structure_part **sort_parts(const mc_heap_structures *structures) {
    // Pointers are meant. NOLINTBEGIN(bugprone-sizeof-expression)
    const mc_heap_structure_part **parts = mc_alloc_scattered(structures->count + 1, sizeof *parts);
    for (size_t i = 0; parts && i < structures->count; i++)
        parts[i] = &structures->parts[i];
    if (parts && structures->count > 1)
        qsort(parts, structures->count, sizeof *parts, compare_parts);
    // NOLINTEND(bugprone-sizeof-expression)
    return parts;
}

// Part by part, and, for the rest, class leaf by class leaf.
static bool list_leaves(divider *self) {
    const mc_heap_structures *structures = &self->structures;
    mc_heap_leaves *leaves = &self->heap->leaves;
    const uint32_t class_leaf_count = leaves->count;
    size_t most = structures->count + class_leaf_count + 1;
    self->part_leaves = mc_alloc_scattered(structures->count + 1, sizeof *self->part_leaves);
    leaves->own_objects = mc_alloc_zero_scattered(most, sizeof *leaves->own_objects);
    leaves->own_bytes = mc_alloc_zero_scattered(most, sizeof *leaves->own_bytes);
    mc_group_sum *known = mc_alloc_zero_scattered((size_t)class_leaf_count + 1, sizeof *known);
    const mc_heap_structure_part **parts = sort_parts(structures);
    bool is_done = self->part_leaves && leaves->own_objects && leaves->own_bytes && known && parts;
    for (size_t i = 0; i < structures->count && is_done; i++) {
        const mc_heap_structure_part *part = parts[i];
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

// From parts to groups by number.
static void group_range(void *user, uint32_t thread, uint32_t begin, uint32_t end) {
    const divider *self = user;
    const mc_graph *graph = &self->heap->graph;
    uint32_t *of = self->structures.of;
    (void)thread;
    for (uint32_t at = begin; at < end; at = mc_graph_skip(graph, at)) {
        uint32_t *part = &of[mc_graph_get_number(graph, at)];
        if (*part != MC_NONE)
            *part = mc_heap_groups_get_group(self->groups, self->part_leaves[*part]);
    }
}

static mc_result divide(divider *self, mc_error *error) {
    mc_heap *heap = self->heap;
    mc_result result = mc_heap_structures_init(&self->structures, heap, error);
    if (result != MC_OK) return result;
    if (!list_leaves(self)) return mc_error_out_of_memory(error);
    mc_graph_scan(&heap->graph, heap->thread_count, group_range, self);
    heap->group_of = self->structures.of;
    self->structures.of = NULL;
    heap->leaves.count = mc_heap_groups_get_count(self->groups);
    heap->leaves.objects = heap->leaves.own_objects;
    heap->leaves.bytes = heap->leaves.own_bytes;
    return MC_OK;
}

mc_result mc_heap_divide(mc_heap *heap, mc_heap_groups *groups, uint32_t level, mc_error *error) {
    divider self = {.heap = heap, .groups = groups, .level = level};
    mc_graph_drop_spares(&heap->graph);
    mc_result result = divide(&self, error);
    mc_heap_groups_destroy(heap->groups);
    heap->groups = groups;
    if (result == MC_OK && !mc_heap_list_parents(heap)) result = mc_error_out_of_memory(error);
    mc_heap_structures_deinit(&self.structures);
    mc_free(self.part_leaves);
    return result;
}

// ---- by object

static void list_range(void *user, uint32_t thread, uint32_t begin, uint32_t end) {
    const mc_heap *heap = user;
    const mc_graph *graph = &heap->graph;
    uint32_t object = mc_graph_get_first_vertex(graph, begin);
    (void)thread;
    for (uint32_t at = begin; at < end; at = mc_graph_skip(graph, at))
        heap->leaves.of[object++] = mc_heap_get_leaf(heap, at);
}

mc_result mc_heap_list_leaves(mc_heap *heap, mc_error *error) {
    heap->leaves.of =
        mc_alloc_scattered((size_t)heap->graph.vertex_count + 1, sizeof *heap->leaves.of);
    if (!heap->leaves.of) return mc_error_out_of_memory(error);
    mc_graph_scan(&heap->graph, heap->thread_count, list_range, heap);
    return MC_OK;
}
