#include "engine/heap/heap.h"

#include "engine/base/memory.h"
#include <stdlib.h>
#include <string.h>

void mc_heap_unlink(mc_heap *heap) {
    mc_free(heap->group_of);
    mc_free(heap->group_parents);
    mc_free(heap->is_new);
    heap->group_of = heap->group_parents = NULL;
    heap->is_new = NULL;
    mc_vertex_sizes_deinit(&heap->sizes);
    mc_dominator_tree_deinit(&heap->tree);
    mc_graph_deinit(&heap->graph);
    mc_free(heap->weak.items);
    heap->weak = (mc_heap_weak_edges){NULL, 0, 0};
}

void mc_heap_deinit(mc_heap *heap) {
    mc_heap_unlink(heap);
    mc_free(heap->kinds);
    mc_free(heap->graph_kinds);
    mc_free(heap->leaves.own_objects);
    mc_free(heap->leaves.own_bytes);
    mc_free(heap->leaves.of);
    mc_heap_groups_destroy(heap->groups);
    memset(heap, 0, sizeof *heap);
}

// ---- kinds and weak edges

uint32_t mc_heap_add_kind(mc_heap *heap, mc_graph_kind kind, uint32_t leaf, uint32_t class_slot) {
    size_t count = (size_t)heap->kind_count + 1;
    if (count >= MC_NONE ||
        !mc_reserve(&heap->kinds, &heap->kind_capacity, count, sizeof *heap->kinds) ||
        !mc_reserve(&heap->graph_kinds, &heap->graph_kind_capacity, count,
                    sizeof *heap->graph_kinds))
        return MC_NONE;
    heap->kinds[count - 1] =
        (mc_heap_kind){.leaf = leaf,
                       .first_link = (uint32_t)heap->link_count,
                       .slot_count = kind.layout == MC_GRAPH_LIST ? 1 : kind.slot_count,
                       .class_slot = class_slot};
    heap->graph_kinds[count - 1] = kind;
    heap->link_count += heap->kinds[count - 1].slot_count;
    return heap->kind_count++;
}

void mc_heap_add_weak_links(mc_heap *heap, uint32_t count) {
    heap->kinds[heap->kind_count - 1].slot_count += count;
    heap->link_count += count;
}

uint32_t mc_heap_find_link(const mc_heap *heap, uint32_t link, uint32_t *slot) {
    uint32_t low = 0, high = heap->kind_count;
    while (high - low > 1) {
        uint32_t middle = low + (high - low) / 2;
        if (heap->kinds[middle].first_link <= link)
            low = middle;
        else
            high = middle;
    }
    *slot = link - heap->kinds[low].first_link;
    return low;
}

bool mc_heap_weak_edges_add(mc_heap_weak_edges *edges, mc_heap_weak_edge edge) {
    if (!mc_reserve(&edges->items, &edges->capacity, edges->count + 1, sizeof *edges->items))
        return false;
    edges->items[edges->count++] = edge;
    return true;
}

bool mc_heap_weak_edges_merge(mc_heap_weak_edges *edges, const mc_heap_weak_edges *other) {
    size_t count = edges->count + other->count;
    if (!mc_reserve(&edges->items, &edges->capacity, count, sizeof *edges->items)) return false;
    if (other->count > 0)
        memcpy(edges->items + edges->count, other->items, other->count * sizeof *other->items);
    edges->count = count;
    return true;
}

static int compare_weak(const void *a, const void *b) {
    const mc_heap_weak_edge *x = a, *y = b;
    if (x->source != y->source) return x->source < y->source ? -1 : 1;
    return x->slot < y->slot ? -1 : x->slot > y->slot;
}

// ---- linking

bool mc_heap_list_parents(mc_heap *heap) {
    uint32_t count = mc_heap_groups_get_group_count(heap->groups);
    mc_free(heap->group_parents);
    heap->group_parents = mc_alloc_scattered(count, sizeof *heap->group_parents);
    for (uint32_t i = 0; heap->group_parents && i < count; i++)
        heap->group_parents[i] = mc_heap_groups_get_parent(heap->groups, i);
    return heap->group_parents != NULL;
}

typedef struct grouper {
    const mc_heap *heap;
    uint32_t *groups; // by kind
} grouper;

static void group_range(void *user, uint32_t thread, uint32_t begin, uint32_t end) {
    const grouper *self = user;
    const mc_graph *graph = &self->heap->graph;
    uint32_t *group_of = self->heap->group_of;
    (void)thread;
    for (uint32_t at = begin; at < end; at = mc_graph_skip(graph, at))
        group_of[mc_graph_get_number(graph, at)] = self->groups[mc_graph_get_kind(graph, at)];
}

mc_result mc_heap_list_groups(mc_heap *heap, mc_error *error) {
    heap->group_of = mc_graph_take_column(&heap->graph, heap->tree.count, sizeof *heap->group_of);
    if (!heap->keeps_spares) mc_graph_drop_spares(&heap->graph);
    grouper self = {heap, mc_alloc_scattered((size_t)heap->kind_count + 1, sizeof *self.groups)};
    if (!heap->group_of || !self.groups || !mc_heap_list_parents(heap)) {
        mc_free(self.groups);
        return mc_error_out_of_memory(error);
    }
    for (uint32_t i = 0; i < heap->kind_count; i++) {
        const uint32_t leaf = heap->kinds[i].leaf;
        self.groups[i] = leaf == MC_NONE ? MC_NONE : mc_heap_groups_get_group(heap->groups, leaf);
    }
    mc_graph_scan(&heap->graph, heap->thread_count, group_range, &self);
    mc_free(self.groups);
    return MC_OK;
}

mc_result mc_heap_link(mc_heap *heap, const mc_progress *progress, mc_error *error) {
    if (heap->weak.count > 1)
        qsort(heap->weak.items, heap->weak.count, sizeof *heap->weak.items, compare_weak);
    mc_result result =
        mc_dominator_tree_init(&heap->tree, &heap->graph, heap->thread_count, progress, error);
    if (result != MC_OK) return result;
    return mc_vertex_sizes_init(&heap->sizes, &heap->graph, heap->thread_count, error);
}

// ---- asking

uint64_t mc_heap_count_unreached(const mc_heap *heap) {
    return heap->tree.count - heap->tree.reachable;
}

uint32_t mc_heap_get_region_root(const mc_heap *heap, mc_heap_region region) {
    if (region == MC_HEAP_STRONG) return 0;
    uint32_t index = (uint32_t)region - 1;
    return index < heap->tree.late_root_count ? heap->tree.late_roots[index] : MC_NONE;
}

static void add_subtree(const mc_heap *heap, uint32_t number, mc_group_sum *sum) {
    sum->count += heap->tree.sizes[number] - 1;
    for (uint32_t i = number + 1; i < mc_dominator_tree_get_end(&heap->tree, number); i++)
        sum->size += mc_vertex_sizes_get(&heap->sizes, i);
}

mc_group_sum mc_heap_sum_region(const mc_heap *heap, mc_heap_region region) {
    mc_group_sum sum = {0, 0};
    uint32_t root = mc_heap_get_region_root(heap, region);
    if (root != MC_NONE) add_subtree(heap, root, &sum);
    for (uint32_t i = 0; region == MC_HEAP_STRONG && i < heap->tree.late_root_count; i++) {
        mc_group_sum late = mc_heap_sum_region(heap, (mc_heap_region)(i + 1));
        sum.count -= late.count + 1;
        sum.size -= late.size;
    }
    return sum;
}

uint32_t mc_heap_get_leaf(const mc_heap *heap, uint32_t position) {
    if (!heap->leaves.own_objects)
        return heap->kinds[mc_graph_get_kind(&heap->graph, position)].leaf;
    uint32_t group = heap->group_of[mc_graph_get_number(&heap->graph, position)];
    return group == MC_NONE ? MC_NONE : mc_heap_groups_get_leaf(heap->groups, group);
}

mc_vertex_groups mc_heap_get_groups(const mc_heap *heap) {
    return (mc_vertex_groups){heap->group_of, mc_heap_groups_get_group_count(heap->groups),
                              heap->group_parents};
}

mc_result mc_heap_retain(const mc_heap *heap, mc_group_sum *retained, mc_error *error) {
    mc_vertex_groups groups = mc_heap_get_groups(heap);
    return mc_retained_sum(&heap->tree, &heap->sizes, &groups, heap->thread_count, heap->progress,
                           retained, error);
}

static int compare_holders(const void *a, const void *b) {
    const mc_heap_root_holder *x = a, *y = b;
    if (x->target != y->target) return x->target < y->target ? -1 : 1;
    return x->holder < y->holder ? -1 : x->holder > y->holder;
}

static bool is_holder_gone(const mc_heap *heap, const bool *is_gone, uint32_t holder) {
    if (holder == 0) return false;
    uint32_t group = heap->group_of[mc_graph_get_number(&heap->graph, holder)];
    return group != MC_NONE && is_gone[group];
}

static bool add_holder(mc_heap_root_holders *holders, mc_heap_root_holder holder) {
    if (!mc_reserve(&holders->items, &holders->capacity, holders->count + 1,
                    sizeof *holders->items))
        return false;
    holders->items[holders->count++] = holder;
    return true;
}

// What lasts stays, whatever thread names it, too.
static bool list_holders(const mc_heap *heap, mc_heap_root_holders *holders) {
    if (!heap->words->list_root_holders(heap->reader, holders)) return false;
    mc_graph_edges edges = mc_graph_begin_edges(&heap->graph, heap->graph.root);
    for (uint32_t i = 0; i < heap->lasting_root_count && mc_graph_next_edge(&edges); i++)
        if (!add_holder(holders, (mc_heap_root_holder){edges.target, 0})) return false;
    return true;
}

// The vertices of which all that roots them goes, by position; NULL if memory is out.
static uint32_t *list_unrooted(const mc_heap *heap, const bool *is_gone, size_t *count) {
    mc_heap_root_holders holders = {.items = NULL};
    bool is_done = !is_gone || !heap->words->list_root_holders || list_holders(heap, &holders);
    uint32_t *unrooted = is_done ? mc_alloc_scattered(holders.count + 1, sizeof *unrooted) : NULL;
    if (holders.count > 1)
        qsort(holders.items, holders.count, sizeof *holders.items, compare_holders);
    for (size_t i = 0, next; unrooted && i < holders.count; i = next) {
        bool goes = true;
        for (next = i;
             next < holders.count && holders.items[next].target == holders.items[i].target; next++)
            goes = goes && is_holder_gone(heap, is_gone, holders.items[next].holder);
        if (goes) unrooted[(*count)++] = holders.items[i].target;
    }
    mc_free(holders.items);
    return unrooted;
}

mc_result mc_heap_demolish(const mc_heap *heap, const bool *is_gone, const mc_group_link *cuts,
                           uint32_t cut_count, mc_group_sum *freed, mc_error *error) {
    mc_vertex_groups groups = mc_heap_get_groups(heap);
    size_t unrooted_count = 0;
    uint32_t *unrooted = list_unrooted(heap, is_gone, &unrooted_count);
    if (!unrooted) return mc_error_out_of_memory(error);
    mc_reach_desc desc = {.graph = &heap->graph,
                          .tree = &heap->tree,
                          .groups = &groups,
                          .is_gone = is_gone,
                          .cuts = cuts,
                          .cut_count = cut_count,
                          .unrooted = unrooted,
                          .unrooted_count = unrooted_count,
                          .thread_count = heap->thread_count,
                          .progress = heap->progress};
    mc_result result = mc_reach_measure(&desc, freed, error);
    mc_free(unrooted);
    return result;
}

mc_path_roots mc_heap_get_path_roots(const mc_heap *heap) {
    return (mc_path_roots){heap->words->number_root, heap->reader};
}

mc_result mc_heap_find_paths(const mc_heap *heap, const bool *is_target, mc_paths *paths,
                             mc_error *error) {
    mc_vertex_groups groups = mc_heap_get_groups(heap);
    mc_paths_desc desc = {.graph = &heap->graph,
                          .tree = &heap->tree,
                          .sizes = &heap->sizes,
                          .groups = &groups,
                          .is_target = is_target,
                          .root_edges = heap->lasting_root_count,
                          .roots = mc_heap_get_path_roots(heap),
                          .progress = heap->progress};
    return mc_paths_find(paths, &desc, error);
}

void mc_heap_append_path_field(const mc_heap *heap, const mc_paths *paths, uint32_t node,
                               mc_text *text) {
    const mc_path_node *entry = &paths->nodes[node];
    if (entry->parent == MC_NONE) return;
    if (entry->parent == 0) {
        if (heap->words->append_root) heap->words->append_root(heap->reader, entry->slot, text);
        return;
    }
    heap->words->append_link(heap->reader, paths->nodes[entry->parent].kind, entry->slot,
                             MC_HEAP_WORDS_SHORT, text);
}

void mc_heap_append_path_class(const mc_heap *heap, const mc_paths *paths, uint32_t node,
                               mc_text *text) {
    heap->words->append_kind(heap->reader, paths->nodes[node].kind, MC_HEAP_WORDS_FULL, text);
}
