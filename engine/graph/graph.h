// graph.h - a directed graph of up to some 600 million vertices with a kind and a size each, in one
// stream of 32-bit words.
//
// It knows nothing of heaps: a vertex is an object, a kind is what objects of one class have in
// common, a slot is one of their fields. A vertex is identified by its position in the stream. It
// consists of two words followed by its edges:
//
//   number | kind, payload, has edges | target | target … the last one with its upper bit set
//
// so a visit to a vertex mostly takes one cache line. An edge is the target's position; 0: none.
// The number is 0 until the graph is numbered (see dominator_tree.h). The payload is the vertex's
// size or, if all vertices of a kind have the same size, a bit for each slot that has an edge.
//
// Beside the root there may be late roots. From them all is reached that the root does not reach:
// from the first what it does not, from the second what both do not. So the vertices fall into
// regions, a root's each, and edges into an earlier region are none to those who follow them: they
// are neither on ways nor do they change dominators. An edge of a late root depends on another
// vertex: it is there if that is reached from the same root or an earlier one.
//
// Use: init with the kinds; tell each vertex's length; place; put each vertex with its edges; add
// late roots, set the root; then read. Memory: 8 bytes per vertex, 4 per edge, 8 per edge of late
// roots, and 4 more per vertex until the root is set. Limits: 2^31 words, 2^24 kinds. Threads:
// telling lengths and putting separate vertices, any number; reading, any number; otherwise one.
#pragma once
#include "engine/base/base.h"
#include <stdatomic.h>

#define MC_GRAPH_LAST 0x80000000u     // of an edge: no more follow
#define MC_GRAPH_POSITION 0x7fffffffu // of an edge: its target
#define MC_GRAPH_HAS_EDGES 1u         // in a vertex's second word
#define MC_GRAPH_HEAD 2u              // words before the edges
#define MC_GRAPH_PADDING 64           // words behind the stream that may be read
#define MC_GRAPH_UNIT 8               // bytes; what sizes mostly are multiples of
#define MC_GRAPH_VARIES UINT64_MAX
#define MC_GRAPH_CHUNK_SHIFT 16 // vertices of a chunk, as a power of two

typedef enum mc_graph_layout {
    MC_GRAPH_LIST,   // any number of edges, all in slot 0
    MC_GRAPH_FIELDS, // slots with one edge or none
    MC_GRAPH_MIXED   // slots with one edge each, and in the last one any number
} mc_graph_layout;

// How vertices are laid out that have slots; the graph decides.
typedef enum mc_graph_packing {
    MC_GRAPH_PACKED_LIST,    // edges as they come
    MC_GRAPH_PACKED_MASKED,  // a bit of payload a slot, an edge for each bit
    MC_GRAPH_PACKED_INDEXED, // an edge for each slot, or none at all
    MC_GRAPH_PACKED_MIXED    // an edge for each slot but the last, then any number
} mc_graph_packing;

typedef struct mc_graph_kind {
    uint64_t size;       // of each vertex, in bytes; MC_GRAPH_VARIES: they have their own
    uint32_t slot_count; // of FIELDS and MIXED
    mc_graph_layout layout;
    mc_graph_packing packing; // set by the graph
    bool is_landmark;         // a way through such a vertex is another one: see path_table.h
} mc_graph_kind;

// Sizes that don't fit where the others are, by vertex: its position, or its number.
typedef struct mc_graph_large {
    uint32_t vertex;
    uint64_t size;
} mc_graph_large;

// Sorts by vertex, and finds one: 0 if it is not there.
void mc_graph_large_sort(mc_graph_large *items, size_t count);
uint64_t mc_graph_large_find(const mc_graph_large *items, size_t count, uint32_t vertex);

// An edge of a late root, by positions.
typedef struct mc_graph_late_edge {
    uint32_t condition; // the vertex that must be reached
    uint32_t target;
} mc_graph_late_edge;

#define MC_GRAPH_LATE_MAX 2

typedef struct mc_graph_late_root {
    uint32_t position;
    mc_graph_late_edge *edges; // by condition; NULL once those that are there are in the stream
    size_t edge_count;
} mc_graph_late_root;

// What a step has used and the next one may have: to touch fresh memory takes longer than what most
// steps do with it.
typedef struct mc_graph_column {
    void *memory; // of mc_alloc_scattered(); NULL: none
    size_t size;  // in bytes
} mc_graph_column;

#define MC_GRAPH_SPARES 2

typedef struct mc_graph {
    uint32_t *words;
    uint32_t word_count; // without padding; positions are below
    uint32_t vertex_count;
    uint32_t root;       // a position, that of the last vertex; 0 until it is set
    uint32_t first_root; // likewise: the first late root, or the root
    mc_graph_late_root late_roots[MC_GRAPH_LATE_MAX];
    uint32_t late_root_count;
    uint32_t payload_bits;
    uint32_t kind_shift;
    mc_graph_kind *kinds;
    uint32_t kind_count;
    uint32_t *chunks; // the positions at which they begin, and where the last one ends
    uint32_t chunk_count;
    // Until the root is set: each vertex's length in words, then where it is.
    _Atomic uint32_t *places;
    mc_graph_column spares[MC_GRAPH_SPARES];
    // Sizes that the payload can't hold, by position.
    mc_graph_large *large;
    size_t large_count, large_capacity;
    atomic_flag large_lock;
    atomic_bool is_out_of_memory; // while vertices were put
} mc_graph;

// `kinds` are copied; 0 is that of vertices that nothing is known of, a LIST. MC_ERROR_UNSUPPORTED
// beyond the limits. To be deinitialised in any case.
mc_result mc_graph_init(mc_graph *graph, uint32_t vertex_count, const mc_graph_kind *kinds,
                        uint32_t kind_count, mc_error *error);
void mc_graph_deinit(mc_graph *graph);

// How many words such a vertex takes.
static inline uint32_t mc_graph_measure(const mc_graph_kind *kind, uint32_t edge_count) {
    if (kind->packing == MC_GRAPH_PACKED_INDEXED && edge_count > 0) edge_count = kind->slot_count;
    return MC_GRAPH_HEAD + edge_count;
}

// Creates the stream, after all lengths are set in places[] (zero at first). Vertices that are
// never put are of kind 0 and have no edges.
mc_result mc_graph_place(mc_graph *graph, uint32_t thread_count, mc_error *error);

static inline uint32_t mc_graph_get_place(const mc_graph *graph, uint32_t vertex) {
    return atomic_load_explicit(&graph->places[vertex], memory_order_relaxed);
}

// What a vertex is. Its kind is not 0.
typedef struct mc_graph_entry {
    uint32_t kind, edge_count; // edge_count: as it was measured
    uint32_t mask;             // which slots have an edge, if its kind is MASKED
    uint64_t size;             // in bytes
} mc_graph_entry;

// Puts a vertex and returns its edge words, which the caller ors the targets into: those of INDEXED
// and MIXED by slot, others in the order of slots. NULL: it has another length than it was told, or
// was put before, and nothing changes.
uint32_t *mc_graph_put(mc_graph *graph, uint32_t vertex, const mc_graph_entry *entry);

// The same for a vertex of a kind that is MASKED, as most are: where its edges begin, which are
// `edge_count`; 0 instead of NULL.
static inline uint32_t mc_graph_put_masked(mc_graph *graph, uint32_t vertex, uint32_t kind,
                                           uint32_t mask, uint32_t edge_count) {
    const uint32_t position = mc_graph_get_place(graph, vertex);
    const uint32_t room = mc_graph_get_place(graph, vertex + 1) - position;
    const uint32_t has_edges = edge_count > 0;
    if (room != MC_GRAPH_HEAD + edge_count || graph->words[position + 1] != has_edges) return 0;
    graph->words[position + 1] = kind << graph->kind_shift | mask << 1 | has_edges;
    return position + MC_GRAPH_HEAD;
}

// Makes a vertex the next late root: one right before the root or the other late root, put as a
// LIST of at least `count` edges, none of which are set. Numbering sets those that are there, in
// the order of the walk. `edges` are copied.
mc_result mc_graph_add_late_root(mc_graph *graph, uint32_t vertex, const mc_graph_late_edge *edges,
                                 size_t count, mc_error *error);

// Sets the root, a vertex, after all vertices are put; reachability is defined from it.
// MC_ERROR_OUT_OF_MEMORY also if memory ran out while vertices were put.
mc_result mc_graph_set_root(mc_graph *graph, uint32_t root, mc_error *error);

// Where each of the first `count` vertices is, which ascends; for mc_free(). NULL: out of memory.
uint32_t *mc_graph_list_positions(const mc_graph *graph, uint32_t count);
// The vertex of a position, by such a list. O(log count).
uint32_t mc_graph_find_position(const uint32_t *positions, uint32_t count, uint32_t position);

// Takes over a column that is of no more use, or frees it.
void mc_graph_spare_column(mc_graph *graph, void *memory, size_t size);
// A column of those that were spared, or a new one, for mc_free(). NULL: out of memory.
void *mc_graph_take_column(mc_graph *graph, size_t count, size_t element_size);
// No more columns are taken.
void mc_graph_drop_spares(mc_graph *graph);

// ---- reading

static inline uint32_t mc_graph_get_number(const mc_graph *graph, uint32_t position) {
    return graph->words[position];
}

static inline uint32_t mc_graph_get_kind(const mc_graph *graph, uint32_t position) {
    return graph->words[position + 1] >> graph->kind_shift;
}

static inline uint32_t mc_graph_get_payload(const mc_graph *graph, uint32_t position) {
    return graph->words[position + 1] >> 1 & ((1u << graph->payload_bits) - 1);
}

static inline bool mc_graph_has_edges(const mc_graph *graph, uint32_t position) {
    return graph->words[position + 1] & MC_GRAPH_HAS_EDGES;
}

// In bytes.
static inline uint64_t mc_graph_get_size(const mc_graph *graph, uint32_t position) {
    uint64_t size = graph->kinds[mc_graph_get_kind(graph, position)].size;
    if (size != MC_GRAPH_VARIES) return size;
    uint32_t payload = mc_graph_get_payload(graph, position);
    return payload < (1u << graph->payload_bits) - 1
               ? (uint64_t)payload * MC_GRAPH_UNIT
               : mc_graph_large_find(graph->large, graph->large_count, position);
}

// The edges of a vertex with their slots: begin, then next until it returns false. Those that are
// none are left out.
typedef struct mc_graph_edges {
    const uint32_t *at; // NULL: no more
    uint32_t mask;
    uint32_t next_slot, last_slot; // last_slot: of MIXED
    mc_graph_packing packing;
    uint32_t slot, target; // of the current one
} mc_graph_edges;

static inline mc_graph_edges mc_graph_begin_edges(const mc_graph *graph, uint32_t position) {
    bool has_edges = mc_graph_has_edges(graph, position);
    const mc_graph_kind *kind = &graph->kinds[mc_graph_get_kind(graph, position)];
    return (mc_graph_edges){.at = has_edges ? graph->words + position + MC_GRAPH_HEAD : NULL,
                            .mask = mc_graph_get_payload(graph, position),
                            .last_slot = kind->slot_count - 1,
                            .packing = kind->packing};
}

static inline bool mc_graph_next_edge(mc_graph_edges *edges) {
    while (edges->at) {
        uint32_t word = *edges->at;
        edges->target = word & MC_GRAPH_POSITION;
        edges->at = word & MC_GRAPH_LAST ? NULL : edges->at + 1;
        if (edges->packing == MC_GRAPH_PACKED_MASKED) {
            edges->slot = edges->mask ? (uint32_t)__builtin_ctz(edges->mask) : 0;
            edges->mask &= edges->mask - 1;
        } else if (edges->packing == MC_GRAPH_PACKED_INDEXED) {
            edges->slot = edges->next_slot++;
        } else if (edges->packing == MC_GRAPH_PACKED_MIXED) {
            edges->slot = edges->next_slot;
            edges->next_slot += edges->slot < edges->last_slot;
        }
        if (edges->target != 0) return true;
    }
    return false;
}

// The next vertex in the stream.
static inline uint32_t mc_graph_skip(const mc_graph *graph, uint32_t position) {
    uint32_t at = position + MC_GRAPH_HEAD;
    if (graph->words[position + 1] & MC_GRAPH_HAS_EDGES)
        while (!(graph->words[at++] & MC_GRAPH_LAST))
            continue;
    return at;
}

// Fetches the targets of edges into the cache, some words before a walk along the stream is there.
typedef struct mc_graph_ahead {
    uint32_t at, end; // the word that comes next, and where the walk ends; first all of it
    bool is_edge;
} mc_graph_ahead;

#define MC_GRAPH_AHEAD 48u // words

static inline void mc_graph_fetch(const mc_graph *graph, mc_graph_ahead *ahead, uint32_t position) {
    uint32_t left = ahead->end - position;
    uint32_t until = left < MC_GRAPH_AHEAD ? ahead->end : position + MC_GRAPH_AHEAD;
    while (ahead->at < until) {
        const uint32_t *word = &graph->words[ahead->at];
        if (ahead->is_edge) {
            __builtin_prefetch(&graph->words[*word & MC_GRAPH_POSITION]);
            ahead->is_edge = !(*word & MC_GRAPH_LAST);
            ahead->at++;
        } else {
            ahead->is_edge = word[1] & MC_GRAPH_HAS_EDGES;
            ahead->at += MC_GRAPH_HEAD;
        }
    }
}

// Calls run(user, thread, begin, end) for ranges of the stream that hold whole vertices and
// together all of them, each once, in up to `thread_count` threads.
void mc_graph_scan(const mc_graph *graph, uint32_t thread_count,
                   void (*run)(void *user, uint32_t thread, uint32_t begin, uint32_t end),
                   void *user);
// The first vertex of such a range: vertices keep their order. O(log ranges).
uint32_t mc_graph_get_first_vertex(const mc_graph *graph, uint32_t begin);
