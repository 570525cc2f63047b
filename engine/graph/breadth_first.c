#include "engine/graph/breadth_first.h"

#include "engine/base/memory.h"

#define RING 32 // a power of two
#define AHEAD 16
#define REPORT_MASK ((1u << 20) - 1)

typedef struct pending {
    uint32_t position, parent;
} pending;

typedef struct searcher {
    const mc_graph *graph;
    mc_breadth_first *found;
    uint64_t *is_seen; // a bit by number
    pending ring[RING];
    uint32_t ring_at;
    const mc_progress *progress;
    mc_error *error;
} searcher;

static void settle(searcher *self, pending found) {
    if (found.position == 0) return;
    uint32_t number = mc_graph_get_number(self->graph, found.position);
    if (self->is_seen[number >> 6] >> (number & 63) & 1) return;
    self->is_seen[number >> 6] |= UINT64_C(1) << (number & 63);
    self->found->positions[self->found->count] = found.position;
    self->found->parents[self->found->count++] = found.parent;
}

// The ring keeps the order, so that this is a breadth-first search.
static void follow(searcher *self, pending found) {
    pending *slot = &self->ring[self->ring_at++ & (RING - 1)], before = *slot;
    __builtin_prefetch(&self->graph->words[found.position]);
    *slot = found;
    settle(self, before);
}

// Follows the edges first .. end of the vertex at the place `from`.
static void follow_edges(searcher *self, uint32_t from, uint32_t first, uint32_t end) {
    const uint32_t *words = self->graph->words;
    uint32_t position = self->found->positions[from], at = position + MC_GRAPH_HEAD;
    if (!mc_graph_has_edges(self->graph, position)) return;
    for (uint32_t i = 0; i < end; i++, at++) {
        uint32_t target = words[at] & MC_GRAPH_POSITION;
        if (i >= first && target != 0) follow(self, (pending){target, from});
        if (words[at] & MC_GRAPH_LAST) break;
    }
}

mc_result mc_breadth_first_report(const mc_breadth_first *search, uint32_t done,
                                  const mc_progress *progress, mc_error *error) {
    if ((done & REPORT_MASK) != 0 || mc_progress_report(progress, done, search->total))
        return MC_OK;
    return mc_fail(error, MC_ERROR_CANCELLED, "cancelled");
}

// Goes on behind the first `done` vertices, to all ends.
static mc_result follow_all(searcher *self, uint32_t done) {
    const uint32_t *words = self->graph->words, *positions = self->found->positions;
    mc_result result = MC_OK;
    for (uint32_t i = done; result == MC_OK; i++) {
        for (uint32_t k = 0; i == self->found->count && k < RING; k++)
            follow(self, (pending){0, 0});
        if (i == self->found->count) break;
        result = mc_breadth_first_report(self->found, i, self->progress, self->error);
        if (i + AHEAD < self->found->count) __builtin_prefetch(&words[positions[i + AHEAD]]);
        follow_edges(self, i, 0, UINT32_MAX);
    }
    return result;
}

mc_result mc_breadth_first_init(mc_breadth_first *search, const mc_graph *graph,
                                const mc_dominator_tree *tree, uint32_t root_edges,
                                const mc_progress *progress, mc_error *error) {
    searcher self = {.graph = graph, .found = search, .progress = progress, .error = error};
    size_t count = (size_t)tree->reachable + 1;
    *search = (mc_breadth_first){.positions = mc_alloc_scattered(count, sizeof *search->positions),
                                 .parents = mc_alloc_scattered(count, sizeof *search->parents),
                                 .total = tree->reachable,
                                 .asked_parent = MC_NONE};
    self.is_seen = mc_alloc_zero_scattered(((size_t)tree->count >> 6) + 1, sizeof *self.is_seen);
    mc_result result = MC_OK;
    if (search->positions && search->parents && self.is_seen) {
        settle(&self, (pending){graph->root, MC_NONE});
        follow_edges(&self, 0, 0, root_edges);
        result = follow_all(&self, 1);
        uint32_t done = search->count;
        follow_edges(&self, 0, root_edges, UINT32_MAX);
        if (result == MC_OK) result = follow_all(&self, done);
        for (uint32_t i = 0; i < graph->late_root_count && result == MC_OK; i++) {
            done = search->count;
            settle(&self, (pending){graph->late_roots[i].position, 0});
            result = follow_all(&self, done);
        }
    } else {
        result = mc_error_out_of_memory(error);
    }
    mc_free(self.is_seen);
    return result;
}

void mc_breadth_first_deinit(mc_breadth_first *search) {
    mc_free(search->positions);
    mc_free(search->parents);
    *search = (mc_breadth_first){.count = 0};
}

uint32_t mc_breadth_first_find_slot(mc_breadth_first *search, const mc_graph *graph,
                                    uint32_t parent, uint32_t position) {
    uint32_t from = search->positions[parent];
    if (graph->kinds[mc_graph_get_kind(graph, from)].packing == MC_GRAPH_PACKED_LIST) return 0;
    bool goes_on = search->asked_parent == parent;
    search->asked_parent = parent;
    for (int turn = goes_on ? 0 : 1; turn < 2; turn++) {
        if (turn == 1) search->asked_edges = mc_graph_begin_edges(graph, from);
        while (mc_graph_next_edge(&search->asked_edges))
            if (search->asked_edges.target == position) return search->asked_edges.slot;
    }
    return 0; // not of a graph that stays as it is
}
