#include "engine/heap/owner_edges.h"

typedef struct scanner {
    const mc_owner_facts *facts;
    uint32_t end;
    mc_owner_take take;
    void *user;
} scanner;

// `target` is a position until it is the turn of all of them.
typedef struct edge_window {
    mc_owner_edge edges[MC_OWNER_EDGES_MAX];
    mc_heap_region regions[MC_OWNER_EDGES_MAX]; // of the source
    uint32_t count;
} edge_window;

static void empty(const scanner *self, uint32_t thread, edge_window *into) {
    const mc_heap *heap = self->facts->heap;
    uint32_t count = 0;
    for (uint32_t i = 0; i < into->count; i++) {
        mc_owner_edge edge = into->edges[i];
        edge.target = mc_graph_get_number(&heap->graph, edge.target);
        if (into->regions[i] != MC_HEAP_STRONG &&
            mc_heap_get_region(heap, edge.target) != into->regions[i])
            continue;
        mc_owner_facts_fetch_link(self->facts, edge.target);
        __builtin_prefetch(&heap->tree.sizes[edge.target]);
        into->edges[count++] = edge;
    }
    self->take(self->user, thread, into->edges, count);
    into->count = 0;
}

static void add_edges(const scanner *self, uint32_t thread, uint32_t position, edge_window *into) {
    const mc_graph *graph = &self->facts->heap->graph;
    const uint32_t number = mc_graph_get_number(graph, position);
    if (number == 0 || number >= self->facts->heap->tree.reachable) return;
    const uint32_t link = self->facts->heap->kinds[mc_graph_get_kind(graph, position)].first_link;
    const mc_heap_region region = mc_heap_get_region(self->facts->heap, number);
    mc_graph_edges edges = mc_graph_begin_edges(graph, position);
    while (mc_graph_next_edge(&edges)) {
        __builtin_prefetch(&graph->words[edges.target]);
        into->regions[into->count] = region;
        into->edges[into->count++] = (mc_owner_edge){number, edges.target, link + edges.slot};
        if (into->count == MC_OWNER_EDGES_MAX) empty(self, thread, into);
    }
}

static void scan_range(void *user, uint32_t thread, uint32_t begin, uint32_t end) {
    const scanner *self = user;
    edge_window window;
    window.count = 0;
    if (end > self->end) end = self->end;
    for (uint32_t at = begin; at < end; at = mc_graph_skip(&self->facts->heap->graph, at))
        add_edges(self, thread, at, &window);
    empty(self, thread, &window);
}

void mc_owner_edges_scan(const mc_owner_facts *facts, uint32_t end, mc_owner_take take,
                         void *user) {
    scanner self = {facts, end, take, user};
    mc_graph_scan(&facts->heap->graph, facts->heap->thread_count, scan_range, &self);
}
