#include "engine/graph/paths.h"

#include "engine/base/bits.h"
#include "engine/base/hash.h"
#include "engine/base/memory.h"
#include "engine/base/slots.h"
#include <stdlib.h>

#define RING 32 // a power of two
#define AHEAD 16
#define FOLD_DISTANCE 4 // nodes
#define REPORT_MASK ((1u << 20) - 1)

typedef struct pending {
    uint32_t position, parent;
} pending;

typedef struct pathfinder {
    const mc_paths_desc *desc;
    mc_paths *paths;
    size_t capacity;
    uint64_t *slots; // nodes by parent, kind and slot
    uint32_t slot_count;
    // Vertices in the order of the search: where they are, who was first to reference them (later:
    // their node), whether they are on the way to a target.
    uint32_t *queue, *parents, count;
    uint64_t *is_on_way;
    uint64_t *is_seen; // by number
    pending ring[RING];
    uint32_t ring_at;
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

static mc_result report(const pathfinder *self, uint32_t done) {
    if ((done & REPORT_MASK) != 0 ||
        mc_progress_report(self->desc->progress, done, self->desc->tree->reachable))
        return MC_OK;
    return mc_error_set(self->error, MC_ERROR_CANCELLED, MC_ERROR_NO_OFFSET, "cancelled");
}

// ---- what targets retain

static bool mark_tops(pathfinder *self) {
    const mc_dominator_tree *tree = self->desc->tree;
    size_t word_count = ((size_t)tree->count >> 6) + 1;
    uint32_t end = 0, count = 0;
    self->is_top = mc_alloc_zero(word_count, sizeof *self->is_top);
    self->top_ranks = mc_alloc(word_count, sizeof *self->top_ranks);
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
    self->retained = mc_alloc_zero((size_t)count + 1, sizeof *self->retained);
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

// ---- breadth first

static void settle(pathfinder *self, pending found) {
    if (found.position == 0) return;
    uint32_t number = mc_graph_get_number(self->desc->graph, found.position);
    if (get_bit(self->is_seen, number)) return;
    set_bit(self->is_seen, number);
    self->queue[self->count] = found.position;
    self->parents[self->count++] = found.parent;
}

// The ring keeps the order, so that this is a breadth-first search.
static void follow(pathfinder *self, pending found) {
    pending *slot = &self->ring[self->ring_at++ & (RING - 1)], before = *slot;
    __builtin_prefetch(&self->desc->graph->words[found.position]);
    *slot = found;
    settle(self, before);
}

// Follows the edges first .. end of the vertex at `from` in the queue.
static void follow_edges(pathfinder *self, uint32_t from, uint32_t first, uint32_t end) {
    const uint32_t *words = self->desc->graph->words;
    uint32_t at = self->queue[from] + MC_GRAPH_HEAD;
    if (!mc_graph_has_edges(self->desc->graph, self->queue[from])) return;
    for (uint32_t i = 0; i < end; i++, at++) {
        uint32_t target = words[at] & MC_GRAPH_POSITION;
        if (i >= first && target != 0) follow(self, (pending){target, from});
        if (words[at] & MC_GRAPH_LAST) break;
    }
}

// Goes on behind the first `done` vertices of the queue, to all ends.
static mc_result follow_all(pathfinder *self, uint32_t done) {
    const uint32_t *words = self->desc->graph->words;
    mc_result result = MC_OK;
    for (uint32_t i = done; result == MC_OK; i++) {
        for (uint32_t k = 0; i == self->count && k < RING; k++)
            follow(self, (pending){0, 0});
        if (i == self->count) break;
        result = report(self, i);
        if (i + AHEAD < self->count) __builtin_prefetch(&words[self->queue[i + AHEAD]]);
        follow_edges(self, i, 0, UINT32_MAX);
    }
    return result;
}

static mc_result search(pathfinder *self) {
    settle(self, (pending){self->desc->graph->root, MC_NONE});
    follow_edges(self, 0, 0, self->desc->root_edges);
    mc_result result = follow_all(self, 1);
    uint32_t done = self->count;
    follow_edges(self, 0, self->desc->root_edges, UINT32_MAX);
    return result == MC_OK ? follow_all(self, done) : result;
}

static void mark_ways(pathfinder *self) {
    for (uint32_t i = self->count; i-- > 0;) {
        uint32_t number = mc_graph_get_number(self->desc->graph, self->queue[i]);
        if (is_target(self, number)) set_bit(self->is_on_way, i);
        if (i > 0 && get_bit(self->is_on_way, i)) set_bit(self->is_on_way, self->parents[i]);
    }
}

// ---- nodes

// The node of (kind, slot) below `parent`; `parent` itself if there is no room. MC_NONE if memory
// is out.
static uint32_t put_node(pathfinder *self, uint32_t parent, uint32_t kind, uint32_t slot) {
    mc_path_node *nodes = self->paths->nodes;
    for (uint32_t at = parent, i = 0; at != MC_NONE && at != 0 && i < FOLD_DISTANCE; i++) {
        bool is_same_slot =
            nodes[at].slot == slot && nodes[nodes[at].parent].kind == nodes[parent].kind;
        if (nodes[at].kind == kind && is_same_slot) {
            nodes[at].is_folded = true;
            return at;
        }
        at = nodes[at].parent;
    }
    uint64_t key[2] = {(uint64_t)parent << 32 | kind, slot};
    uint32_t hash = (uint32_t)mc_hash_bytes(key, sizeof key, 0);
    if (self->slot_count < 2 * (self->paths->count + 1) &&
        !mc_slots_grow(&self->slots, &self->slot_count, self->paths->count + 1))
        return MC_NONE;
    uint32_t mask = self->slot_count - 1, at = hash & mask;
    for (; self->slots[at] != 0; at = (at + 1) & mask) {
        const mc_path_node *node = &nodes[(uint32_t)self->slots[at] - 1];
        if (node->parent == parent && node->kind == kind && node->slot == slot)
            return (uint32_t)self->slots[at] - 1;
    }
    if (self->paths->count == MC_PATH_NODES_MAX) {
        nodes[parent].is_cut = true;
        return parent;
    }
    if (!mc_reserve(&self->paths->nodes, &self->capacity, (size_t)self->paths->count + 1,
                    sizeof *self->paths->nodes))
        return MC_NONE;
    self->paths->nodes[self->paths->count] =
        (mc_path_node){.parent = parent, .kind = kind, .slot = slot};
    self->slots[at] = (uint64_t)hash << 32 | ++self->paths->count;
    return self->paths->count - 1;
}

// By which slot the vertex at `parent` references the one at `position`.
static uint32_t find_slot(const mc_graph *graph, uint32_t parent, uint32_t position) {
    if (graph->kinds[mc_graph_get_kind(graph, parent)].packing == MC_GRAPH_PACKED_LIST) return 0;
    mc_graph_edges edges = mc_graph_begin_edges(graph, parent);
    while (mc_graph_next_edge(&edges))
        if (edges.target == position) return edges.slot;
    return 0; // not of a graph that stays as it is
}

static mc_result merge(pathfinder *self) {
    const mc_graph *graph = self->desc->graph;
    mc_result result = MC_OK;
    // Who references was found before, so that its node is known.
    for (uint32_t i = 0; i < self->count && result == MC_OK; i++) {
        result = report(self, i);
        if (i > 0 && !get_bit(self->is_on_way, i)) continue;
        uint32_t position = self->queue[i], parent = self->parents[i], node, slot = 0;
        if (i > 0) slot = find_slot(graph, self->queue[parent], position);
        node = put_node(self, i > 0 ? self->parents[parent] : MC_NONE,
                        mc_graph_get_kind(graph, position), slot);
        if (node == MC_NONE) return mc_error_out_of_memory(self->error);
        self->parents[i] = node;
        uint32_t number = mc_graph_get_number(graph, position);
        if (!is_target(self, number)) continue;
        self->paths->nodes[node].ends.count++;
        self->paths->nodes[node].ends.size += get_retained(self, number);
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
static mc_result sort_nodes(pathfinder *self) {
    uint32_t count = self->paths->count, *firsts = mc_alloc((size_t)count + 1, sizeof *firsts);
    ranked *order = mc_alloc((size_t)count + 1, sizeof *order);
    mc_path_node *old = self->paths->nodes, *nodes = mc_alloc((size_t)count + 1, sizeof *nodes);
    uint32_t *queue = mc_alloc((size_t)count + 1, sizeof *queue), end = 1;
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
        self->paths->nodes = nodes;
        self->paths->count = end;
        nodes = old;
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
    size_t count = self->desc->tree->reachable, words = ((size_t)self->desc->tree->count >> 6) + 1;
    self->queue = mc_alloc(count + 1, sizeof *self->queue);
    self->parents = mc_alloc(count + 1, sizeof *self->parents);
    self->is_on_way = mc_alloc_zero(words, sizeof *self->is_on_way);
    self->is_seen = mc_alloc_zero(words, sizeof *self->is_seen);
    return self->queue && self->parents && self->is_on_way && self->is_seen && mark_tops(self);
}

mc_result mc_paths_find(mc_paths *paths, const mc_paths_desc *desc, mc_error *error) {
    pathfinder self = {.desc = desc, .paths = paths, .error = error};
    *paths = (mc_paths){.count = 0};
    mc_result result = init(&self) ? MC_OK : mc_error_out_of_memory(error);
    if (result == MC_OK) {
        weigh_tops(&self);
        result = search(&self);
    }
    if (result == MC_OK) {
        mark_ways(&self);
        result = merge(&self);
    }
    if (result == MC_OK) result = sort_nodes(&self);
    mc_free(self.slots);
    mc_free(self.queue);
    mc_free(self.parents);
    mc_free(self.is_on_way);
    mc_free(self.is_seen);
    mc_free(self.is_top);
    mc_free(self.top_ranks);
    mc_free(self.retained);
    return result;
}
