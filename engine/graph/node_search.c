#include "engine/graph/node_search.h"

#include "engine/base/memory.h"

#define RING 32    // a power of two
#define NUMBERS 10 // steps after which a vertex's number is read
#define NEWS 21    // and after which it is known whether it is a new one
#define AHEAD 16
#define REPORT_MASK ((1u << 20) - 1)
#define CHUNK ((1u << 16) - 2) // vertices
#define AT_HAND (1u << 12)     // nodes; a power of two

typedef struct queued {
    uint32_t position, node;
} queued;

// Those that are found come in at the end, those that are followed go at the front, and with them
// their memory.
typedef struct chunk {
    struct chunk *next;
    queued items[CHUNK];
} chunk;

typedef struct pending {
    uint32_t position, slot; // position: 0 if it was found before
    uint32_t node;           // of who references it; MC_NONE: nobody does
    uint32_t number;         // of the vertex
} pending;

// What the table said of a way. It always says the same.
typedef struct known_way {
    uint32_t parent, kind, slot;
    uint32_t node; // MC_NONE: it was not asked
} known_way;

typedef struct searcher {
    const mc_node_search_desc *desc;
    const mc_graph *graph;
    uint64_t *is_seen; // a bit by number
    chunk *first, *last, *spare;
    uint32_t begin, end; // in the first and in the last chunk
    uint32_t count;      // that are found
    pending ring[RING];
    uint32_t ring_at;
    known_way at_hand[AT_HAND];
    bool is_out_of_memory;
} searcher;

static bool push(searcher *self, queued found) {
    if (!self->last || self->end == CHUNK) {
        chunk *added = self->spare ? self->spare : mc_alloc(1, sizeof *added);
        if (!added) return false;
        self->spare = NULL;
        added->next = NULL;
        if (self->last)
            self->last->next = added;
        else
            self->first = added;
        self->last = added;
        self->end = 0;
    }
    self->last->items[self->end++] = found;
    return true;
}

static bool pop(searcher *self, queued *found) {
    if (self->first && self->begin == CHUNK) {
        chunk *done = self->first;
        self->first = done->next;
        if (!self->first) self->last = NULL;
        mc_free(self->spare);
        self->spare = done;
        self->begin = 0;
    }
    if (!self->first || (self->first == self->last && self->begin == self->end)) return false;
    uint32_t in_chunk = self->first == self->last ? self->end : CHUNK;
    if (self->begin + AHEAD < in_chunk)
        __builtin_prefetch(&self->graph->words[self->first->items[self->begin + AHEAD].position]);
    *found = self->first->items[self->begin++];
    return true;
}

static uint32_t put(searcher *self, uint32_t parent, uint32_t kind, uint32_t slot) {
    uint32_t hash = parent * 0x9e3779b1u ^ kind * 0x85ebca6bu ^ slot * 0xc2b2ae35u;
    known_way *known = &self->at_hand[(hash >> 16 ^ hash) & (AT_HAND - 1)];
    if (known->node == MC_NONE || known->parent != parent || known->kind != kind ||
        known->slot != slot)
        *known = (known_way){parent, kind, slot,
                             mc_path_table_put(self->desc->table, parent, kind, slot)};
    return known->node;
}

// A new vertex.
static void settle(searcher *self, pending found) {
    if (self->is_out_of_memory) return;
    self->count++;
    const mc_path_roots *roots = &self->desc->roots;
    if (found.node == 0 && roots->number) found.slot = roots->number(roots->user, found.position);
    uint32_t node =
        put(self, found.node, mc_graph_get_kind(self->graph, found.position), found.slot);
    if (node == MC_NONE || (mc_graph_has_edges(self->graph, found.position) &&
                            !push(self, (queued){found.position, node}))) {
        self->is_out_of_memory = true;
        return;
    }
    self->desc->visit(self->desc->user, found.number, node);
}

// The vertex has come.
static inline void read_number(const searcher *self, pending *found) {
    found->number = mc_graph_get_number(self->graph, found->position);
    __builtin_prefetch(&self->is_seen[found->number >> 6], 1);
}

// What goes by the number is fetched if the vertex is new, which every other edge's is.
static inline void mark(const searcher *self, pending *found) {
    if (found->position == 0) return;
    const uint32_t number = found->number;
    uint64_t *word = &self->is_seen[number >> 6], bit = UINT64_C(1) << (number & 63);
    if (*word & bit) {
        found->position = 0;
        return;
    }
    *word |= bit;
    for (int i = 0; i < 2; i++)
        if (self->desc->visited[i]) __builtin_prefetch(&self->desc->visited[i][number], 1);
}

// Each step of a vertex needs memory that the one before names. The ring keeps the order, so that
// this is a breadth-first search.
static inline void follow(searcher *self, pending found) {
    const uint32_t at = self->ring_at++;
    pending *slot = &self->ring[at & (RING - 1)], before = *slot;
    __builtin_prefetch(&self->graph->words[found.position]);
    read_number(self, &self->ring[(at - NUMBERS) & (RING - 1)]);
    mark(self, &self->ring[(at - NEWS) & (RING - 1)]);
    *slot = found;
    if (before.position != 0) settle(self, before);
}

// At once, of a root.
static void begin(searcher *self, pending found) {
    read_number(self, &found);
    mark(self, &found);
    if (found.position != 0) settle(self, found);
}

// Follows the edges first .. end of a vertex that has some.
static void follow_edges(searcher *self, queued from, uint32_t first, uint32_t end) {
    const mc_graph *graph = self->graph;
    const mc_graph_kind *kind = &graph->kinds[mc_graph_get_kind(graph, from.position)];
    const mc_graph_packing packing = kind->packing;
    const uint32_t *at = graph->words + from.position + MC_GRAPH_HEAD;
    uint32_t mask = mc_graph_get_payload(graph, from.position), slot = 0;
    for (uint32_t i = 0; i < end; i++, at++) {
        if (packing == MC_GRAPH_PACKED_INDEXED) slot = i;
        if (packing == MC_GRAPH_PACKED_MIXED)
            slot = i < kind->slot_count ? i : kind->slot_count - 1;
        if (packing == MC_GRAPH_PACKED_MASKED) slot = mask ? (uint32_t)__builtin_ctz(mask) : 0;
        mask &= mask - 1;
        uint32_t target = *at & MC_GRAPH_POSITION;
        if (i >= first && target != 0) follow(self, (pending){target, slot, from.node, 0});
        if (*at & MC_GRAPH_LAST) break;
    }
}

static mc_result follow_all(searcher *self, mc_error *error) {
    uint32_t next_report = 0;
    for (;;) {
        queued from;
        bool is_there = pop(self, &from);
        for (uint32_t i = 0; !is_there && i < RING; i++)
            follow(self, (pending){.position = 0});
        if (!is_there) is_there = pop(self, &from);
        if (self->is_out_of_memory) return mc_error_out_of_memory(error);
        if (!is_there) return MC_OK;
        follow_edges(self, from, 0, UINT32_MAX);
        if (self->count < next_report) continue;
        next_report = self->count + REPORT_MASK;
        if (!mc_progress_report(self->desc->progress, self->count, self->desc->tree->reachable))
            return mc_fail(error, MC_ERROR_CANCELLED, "cancelled");
    }
}

static mc_result search(searcher *self, mc_error *error) {
    const mc_graph *graph = self->graph;
    queued root;
    begin(self, (pending){graph->root, 0, MC_NONE, 0});
    bool has_edges = pop(self, &root);
    if (has_edges) follow_edges(self, root, 0, self->desc->root_edges);
    mc_result result = follow_all(self, error);
    if (has_edges) follow_edges(self, root, self->desc->root_edges, UINT32_MAX);
    if (result == MC_OK) result = follow_all(self, error);
    for (uint32_t i = 0; i < graph->late_root_count && result == MC_OK; i++) {
        begin(self, (pending){graph->late_roots[i].position, 0, 0, 0});
        result = follow_all(self, error);
    }
    return result;
}

static void destroy(searcher *self) {
    if (!self) return;
    while (self->first) {
        chunk *next = self->first->next;
        mc_free(self->first);
        self->first = next;
    }
    mc_free(self->spare);
    mc_free(self->is_seen);
    mc_free(self);
}

mc_result mc_node_search_run(const mc_node_search_desc *desc, mc_error *error) {
    searcher *self = mc_alloc_zero(1, sizeof *self);
    if (self) {
        self->desc = desc;
        self->graph = desc->graph;
        self->is_seen =
            mc_alloc_zero_scattered(((size_t)desc->tree->count >> 6) + 1, sizeof *self->is_seen);
        for (uint32_t i = 0; i < AT_HAND; i++)
            self->at_hand[i].node = MC_NONE;
    }
    mc_result result = self && self->is_seen ? search(self, error) : mc_error_out_of_memory(error);
    destroy(self);
    return result;
}
