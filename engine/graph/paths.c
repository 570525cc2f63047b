#include "engine/graph/paths.h"

#include "engine/base/bits.h"
#include "engine/base/memory.h"
#include "engine/graph/breadth_first.h"
#include <stdlib.h>

typedef struct pathfinder {
    const mc_paths_desc *desc;
    mc_path_table table;
    mc_breadth_first search; // once they are merged, its parents are nodes
    uint64_t *is_on_way;     // a bit by place: on the way to a target
    // Targets that are in no other one's subtree, by number, and what each retains.
    uint64_t *is_top;
    uint32_t *top_ranks; // how many there are in the words before
    uint64_t *retained;
    mc_error *error;
} pathfinder;

static bool get_bit(const uint64_t *bits, uint32_t i) {
    return bits[i >> 6] >> (i & 63) & 1;
}

static void set_bit(uint64_t *bits, uint32_t i) {
    bits[i >> 6] |= UINT64_C(1) << (i & 63);
}

static bool is_target(const pathfinder *self, uint32_t number) {
    uint32_t group = self->desc->groups->of[number];
    return group != MC_NONE && self->desc->is_target[group];
}

// ---- what targets retain

static bool mark_tops(pathfinder *self) {
    const mc_dominator_tree *tree = self->desc->tree;
    size_t word_count = ((size_t)tree->count >> 6) + 1;
    uint32_t end = 0, count = 0;
    self->is_top = mc_alloc_zero_scattered(word_count, sizeof *self->is_top);
    self->top_ranks = mc_alloc_scattered(word_count, sizeof *self->top_ranks);
    if (!self->is_top || !self->top_ranks) return false;
    for (uint32_t i = 0; i < tree->reachable; i++) {
        if (i < end || !is_target(self, i)) continue;
        set_bit(self->is_top, i);
        end = mc_dominator_tree_get_end(tree, i);
    }
    for (size_t i = 0; i < word_count; i++) {
        self->top_ranks[i] = count;
        count += mc_count_bits(self->is_top[i]);
    }
    self->retained = mc_alloc_zero_scattered((size_t)count + 1, sizeof *self->retained);
    return self->retained != NULL;
}

static void weigh_tops(const pathfinder *self) {
    const mc_dominator_tree *tree = self->desc->tree;
    uint32_t end = 0, top = MC_NONE;
    for (uint32_t i = 0; i < tree->reachable; i++) {
        if (get_bit(self->is_top, i)) {
            end = mc_dominator_tree_get_end(tree, i);
            top++; // from MC_NONE to 0
        }
        if (i < end && self->desc->groups->of[i] != MC_NONE)
            self->retained[top] += mc_vertex_sizes_get(self->desc->sizes, i);
    }
}

static uint64_t get_retained(const pathfinder *self, uint32_t number) {
    if (!get_bit(self->is_top, number)) return 0;
    uint64_t below = self->is_top[number >> 6] & ((UINT64_C(1) << (number & 63)) - 1);
    return self->retained[self->top_ranks[number >> 6] + mc_count_bits(below)];
}

// ---- nodes

static void mark_ways(pathfinder *self) {
    const mc_breadth_first *search = &self->search;
    for (uint32_t i = search->count; i-- > 0;) {
        uint32_t number = mc_graph_get_number(self->desc->graph, search->positions[i]);
        if (is_target(self, number)) set_bit(self->is_on_way, i);
        if (i > 0 && get_bit(self->is_on_way, i)) set_bit(self->is_on_way, search->parents[i]);
    }
}

static mc_result merge(pathfinder *self) {
    const mc_graph *graph = self->desc->graph;
    const mc_path_roots *roots = &self->desc->roots;
    mc_breadth_first *search = &self->search;
    mc_result result = MC_OK;
    // Who references was found before, so that its node is known.
    for (uint32_t i = 0; i < search->count && result == MC_OK; i++) {
        result = mc_breadth_first_report(search, i, self->desc->progress, self->error);
        if (i > 0 && !get_bit(self->is_on_way, i)) continue;
        uint32_t position = search->positions[i], parent = search->parents[i], slot = 0;
        if (i > 0 && parent == 0 && roots->number)
            slot = roots->number(roots->user, position);
        else if (i > 0)
            slot = mc_breadth_first_find_slot(search, graph, parent, position);
        uint32_t node = mc_path_table_put(&self->table, i > 0 ? search->parents[parent] : MC_NONE,
                                          mc_graph_get_kind(graph, position), slot);
        if (node == MC_NONE) return mc_error_out_of_memory(self->error);
        search->parents[i] = node;
        uint32_t number = mc_graph_get_number(graph, position);
        if (!is_target(self, number)) continue;
        self->table.nodes[node].ends.count++;
        self->table.nodes[node].ends.size += get_retained(self, number);
    }
    return result;
}

// ---- order

typedef struct ranked {
    uint64_t size, count;
    uint32_t node, parent;
} ranked;

static int compare(const void *a, const void *b) {
    const ranked *x = a, *y = b;
    if (x->parent != y->parent) return x->parent < y->parent ? -1 : 1;
    if (x->size != y->size) return x->size > y->size ? -1 : 1;
    if (x->count != y->count) return x->count > y->count ? -1 : 1;
    return x->node < y->node ? -1 : x->node > y->node;
}

// Siblings next to each other, breadth first.
static mc_result sort_nodes(pathfinder *self, mc_paths *paths) {
    uint32_t count = self->table.count,
             *firsts = mc_alloc_scattered((size_t)count + 1, sizeof *firsts);
    ranked *order = mc_alloc_scattered((size_t)count + 1, sizeof *order);
    mc_path_node *old = self->table.nodes,
                 *nodes = mc_alloc_scattered((size_t)count + 1, sizeof *nodes);
    uint32_t *queue = mc_alloc_scattered((size_t)count + 1, sizeof *queue), end = 1;
    bool is_done = firsts && order && nodes && queue;
    if (is_done) {
        for (uint32_t i = count; i-- > 0;) {
            old[i].whole.count += old[i].ends.count;
            old[i].whole.size += old[i].ends.size;
            if (i == 0) continue;
            old[old[i].parent].whole.count += old[i].whole.count;
            old[old[i].parent].whole.size += old[i].whole.size;
        }
        for (uint32_t i = 0; i < count; i++) {
            order[i] = (ranked){old[i].whole.size, old[i].whole.count, i, old[i].parent};
            firsts[i] = MC_NONE;
        }
        order[0].parent = MC_NONE;
        qsort(order, count, sizeof *order, compare);
        for (uint32_t i = count - 1; i-- > 0;) // the root comes last
            firsts[order[i].parent] = i;
        queue[0] = 0;
        nodes[0] = old[0];
        for (uint32_t i = 0; i < end; i++)
            for (uint32_t k = firsts[queue[i]]; k < count - 1 && order[k].parent == queue[i]; k++) {
                if (order[k].count == 0) break; // all that was below is folded back
                nodes[end] = old[order[k].node];
                nodes[end].parent = i;
                queue[end++] = order[k].node;
            }
        *paths = (mc_paths){nodes, end};
        nodes = NULL;
    }
    mc_free(firsts);
    mc_free(order);
    mc_free(nodes);
    mc_free(queue);
    return is_done ? MC_OK : mc_error_out_of_memory(self->error);
}

void mc_paths_deinit(mc_paths *paths) {
    mc_free(paths->nodes);
    *paths = (mc_paths){.count = 0};
}

static bool init(pathfinder *self) {
    size_t words = ((size_t)self->search.count >> 6) + 1;
    self->is_on_way = mc_alloc_zero_scattered(words, sizeof *self->is_on_way);
    return self->is_on_way && mark_tops(self);
}

mc_result mc_paths_find(mc_paths *paths, const mc_paths_desc *desc, mc_error *error) {
    pathfinder self = {.desc = desc,
                       .table = {.kinds = desc->graph->kinds, .most = MC_PATH_NODES_MAX},
                       .error = error};
    *paths = (mc_paths){.count = 0};
    mc_result result = mc_breadth_first_init(&self.search, desc->graph, desc->tree,
                                             desc->root_edges, desc->progress, error);
    if (result == MC_OK && !init(&self)) result = mc_error_out_of_memory(error);
    if (result == MC_OK) {
        weigh_tops(&self);
        mark_ways(&self);
        result = merge(&self);
    }
    if (result == MC_OK) result = sort_nodes(&self, paths);
    mc_path_table_deinit(&self.table);
    mc_breadth_first_deinit(&self.search);
    mc_free(self.is_on_way);
    mc_free(self.is_top);
    mc_free(self.top_ranks);
    mc_free(self.retained);
    return result;
}
