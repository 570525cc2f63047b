#include "engine/heap/path_step.h"

#include "engine/base/memory.h"
#include "engine/graph/group_paths.h"
#include "engine/trace/side_table.h"
#include <string.h>

#define MOST 60 // of a group

typedef struct teller {
    const mc_heap *heap;
    const uint32_t *tree_nodes;
    const mc_group_paths *found;
    mc_step_paths *paths;
    mc_strings known;  // the bytes of the paths that there are
    uint32_t *numbers; // by node: the path
    mc_text text;
} teller;

static uint32_t intern_text(teller *self) {
    return self->text.failed
               ? MC_NONE
               : mc_strings_intern(&self->paths->names, self->text.data, self->text.size);
}

// Classes of one name, and their fields, are one path if they are in one place.
static bool tell_path(teller *self, uint32_t index) {
    const mc_heap *heap = self->heap;
    const mc_path_node *node = &self->found->nodes[index];
    uint32_t place = self->found->places[index];
    bool is_at_root = node->parent == 0;
    mc_retaining_path path = {.parent = is_at_root ? MC_NONE : self->numbers[node->parent],
                              .field = MC_NONE,
                              .place = place == MC_NONE ? MC_NONE : self->tree_nodes[place]};
    mc_text_clear(&self->text);
    if (!is_at_root)
        heap->words->append_link(heap->reader, self->found->nodes[node->parent].kind, node->slot,
                                 MC_HEAP_WORDS_SHORT, &self->text);
    else if (heap->words->append_root)
        heap->words->append_root(heap->reader, node->slot, &self->text);
    if (!is_at_root || self->text.size > 0) {
        path.field = intern_text(self);
        if (path.field == MC_NONE) return false;
    }
    mc_text_clear(&self->text);
    heap->words->append_kind(heap->reader, node->kind, MC_HEAP_WORDS_FULL, &self->text);
    path.class = intern_text(self);
    if (path.class == MC_NONE) return false;
    uint32_t number = mc_strings_intern(&self->known, (const char *)&path, sizeof path);
    self->numbers[index] = number;
    if (number == MC_NONE) return false;
    return number < self->paths->path_count || mc_step_paths_add(self->paths, path);
}

static bool tell(teller *self) {
    const mc_group_paths *found = self->found;
    self->numbers = mc_alloc_scattered((size_t)found->node_count + 1, sizeof *self->numbers);
    if (!self->numbers) return false;
    for (uint32_t i = 1; i < found->node_count; i++)
        if (!tell_path(self, i)) return false;
    for (size_t i = 0; i < found->item_count; i++) {
        const mc_group_path *item = &found->items[i];
        mc_path_sum sum = {.node = self->tree_nodes[item->group],
                           .path = item->node == 0 ? MC_NONE : self->numbers[item->node],
                           .is_folded = found->nodes[item->node].is_folded,
                           .objects = item->ends.count,
                           .bytes = item->ends.size,
                           .rest_objects = item->rest.count,
                           .rest_bytes = item->rest.size};
        if (sum.node != MC_NONE && !mc_step_paths_add_sum(self->paths, sum)) return false;
    }
    // Those of one path become one.
    mc_side_rows rows = {self->paths->sums, (uint32_t)self->paths->sum_count};
    mc_side_rows_add_up(MC_SIDE_SUMS, &rows);
    self->paths->sum_count = rows.count;
    return true;
}

mc_result mc_heap_add_paths(mc_heap *heap, const uint32_t *tree_nodes, mc_step_paths *paths,
                            mc_error *error) {
    mc_vertex_groups groups = mc_heap_get_groups(heap);
    mc_group_paths found;
    mc_group_paths_desc desc = {.graph = &heap->graph,
                                .tree = &heap->tree,
                                .sizes = &heap->sizes,
                                .thread_count = heap->thread_count,
                                .groups = &groups,
                                .root_edges = heap->lasting_root_count,
                                .roots = mc_heap_get_path_roots(heap),
                                .most = MOST,
                                .progress = heap->progress};
    mc_result result = mc_group_paths_find(&found, &desc, error);
    teller self = {.heap = heap, .tree_nodes = tree_nodes, .found = &found, .paths = paths};
    if (result == MC_OK && !tell(&self)) result = mc_error_out_of_memory(error);
    mc_group_paths_deinit(&found);
    mc_strings_deinit(&self.known);
    mc_free(self.numbers);
    mc_text_deinit(&self.text);
    return result;
}
