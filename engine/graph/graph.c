#include "engine/graph/graph.h"

#include "engine/base/memory.h"
#include "engine/base/parallel.h"
#include <stdlib.h>
#include <string.h>

#define KINDS_MAX (1u << 24)

// ---- kinds

static uint32_t count_bits(uint32_t value) {
    return value == 0 ? 0 : 32 - (uint32_t)__builtin_clz(value);
}

static void pack_kinds(mc_graph *graph) {
    // The second word: the kind, the payload, whether there are edges.
    uint32_t kind_bits = count_bits(graph->kind_count - 1);
    if (kind_bits == 0) kind_bits = 1; // no shift is as wide as the word
    graph->kind_shift = 32 - kind_bits;
    graph->payload_bits = 31 - kind_bits;
    for (uint32_t i = 0; i < graph->kind_count; i++) {
        mc_graph_kind *kind = &graph->kinds[i];
        // What every vertex would have to keep apart, it keeps itself.
        if (kind->size % MC_GRAPH_UNIT != 0 || kind->size / MC_GRAPH_UNIT >= UINT32_MAX)
            kind->size = MC_GRAPH_VARIES;
        bool is_masked = kind->size != MC_GRAPH_VARIES && kind->slot_count <= graph->payload_bits;
        kind->packing = kind->layout == MC_GRAPH_LIST    ? MC_GRAPH_PACKED_LIST
                        : kind->layout == MC_GRAPH_MIXED ? MC_GRAPH_PACKED_MIXED
                        : is_masked                      ? MC_GRAPH_PACKED_MASKED
                                                         : MC_GRAPH_PACKED_INDEXED;
    }
}

// Two more than vertices: so many the depth-first walk needs.
static size_t get_place_count(const mc_graph *graph) {
    return (size_t)graph->vertex_count + 2;
}

mc_result mc_graph_init(mc_graph *graph, uint32_t vertex_count, const mc_graph_kind *kinds,
                        uint32_t kind_count, mc_error *error) {
    *graph = (mc_graph){.vertex_count = vertex_count, .kind_count = kind_count};
    atomic_flag_clear(&graph->large_lock);
    if (kind_count > KINDS_MAX)
        return mc_fail(error, MC_ERROR_UNSUPPORTED, "too many classes: more than 2^24");
    graph->kinds = mc_alloc_scattered((size_t)kind_count + 1, sizeof *graph->kinds);
    graph->places = mc_alloc_zero_scattered(get_place_count(graph), sizeof *graph->places);
    if (!graph->kinds || !graph->places) return mc_error_out_of_memory(error);
    if (kind_count > 0) memcpy(graph->kinds, kinds, kind_count * sizeof *kinds);
    pack_kinds(graph);
    return MC_OK;
}

void mc_graph_deinit(mc_graph *graph) {
    mc_graph_drop_spares(graph);
    mc_free(graph->words);
    mc_free(graph->kinds);
    mc_free(graph->chunks);
    mc_free((void *)graph->places);
    mc_free(graph->large);
    for (uint32_t i = 0; i < MC_GRAPH_LATE_MAX; i++)
        mc_free(graph->late_roots[i].edges);
    *graph = (mc_graph){.words = NULL};
}

// ---- spare columns

void mc_graph_spare_column(mc_graph *graph, void *memory, size_t size) {
    for (uint32_t i = 0; memory && i < MC_GRAPH_SPARES; i++) {
        if (graph->spares[i].memory) continue;
        graph->spares[i] = (mc_graph_column){memory, size};
        return;
    }
    mc_free(memory);
}

void *mc_graph_take_column(mc_graph *graph, size_t count, size_t element_size) {
    mc_graph_column *best = NULL;
    if (count > SIZE_MAX / element_size) return NULL;
    const size_t size = count * element_size;
    for (uint32_t i = 0; i < MC_GRAPH_SPARES; i++) {
        mc_graph_column *spare = &graph->spares[i];
        if (spare->memory && spare->size >= size && (!best || spare->size < best->size))
            best = spare;
    }
    if (!best || size == 0) return mc_alloc_scattered(count, element_size);
    void *column = best->memory, *shorter = NULL;
    if (best->size - size > size / 16) shorter = mc_realloc(column, count, element_size);
    *best = (mc_graph_column){.memory = NULL};
    return shorter ? shorter : column;
}

void mc_graph_drop_spares(mc_graph *graph) {
    for (uint32_t i = 0; i < MC_GRAPH_SPARES; i++)
        mc_free(graph->spares[i].memory);
    memset(graph->spares, 0, sizeof graph->spares);
}

// ---- putting

static uint32_t get_length(const mc_graph *graph, uint32_t vertex) {
    uint32_t length = mc_graph_get_place(graph, vertex);
    return length < MC_GRAPH_HEAD ? MC_GRAPH_HEAD : length;
}

static uint32_t get_chunk_end(const mc_graph *graph, uint32_t chunk) {
    uint64_t end = ((uint64_t)chunk + 1) << MC_GRAPH_CHUNK_SHIFT;
    return end < graph->vertex_count ? (uint32_t)end : graph->vertex_count;
}

typedef struct placing {
    mc_graph *graph;
    uint64_t *lengths; // of each chunk
} placing;

static void measure_chunk(void *user, uint32_t chunk, uint32_t thread) {
    const placing *self = user;
    uint64_t sum = 0;
    (void)thread;
    for (uint32_t i = chunk << MC_GRAPH_CHUNK_SHIFT; i < get_chunk_end(self->graph, chunk); i++)
        sum += get_length(self->graph, i);
    self->lengths[chunk] = sum;
}

// So that who reads on behind a vertex finds the next one, whether it is put or not.
static void place_chunk(void *user, uint32_t chunk, uint32_t thread) {
    mc_graph *graph = ((const placing *)user)->graph;
    uint32_t position = graph->chunks[chunk];
    (void)thread;
    for (uint32_t i = chunk << MC_GRAPH_CHUNK_SHIFT; i < get_chunk_end(graph, chunk); i++) {
        uint32_t length = get_length(graph, i);
        atomic_store_explicit(&graph->places[i], position, memory_order_relaxed);
        if (length > MC_GRAPH_HEAD) {
            graph->words[position + 1] = MC_GRAPH_HAS_EDGES;
            graph->words[position + length - 1] = MC_GRAPH_LAST;
        }
        position += length;
    }
}

static mc_result place_chunks(mc_graph *graph, const uint64_t *lengths, mc_error *error) {
    uint64_t position = MC_GRAPH_HEAD; // so that no vertex is at 0
    for (uint32_t i = 0; i < graph->chunk_count; i++) {
        graph->chunks[i] = (uint32_t)position;
        position += lengths[i];
        if (position > MC_GRAPH_POSITION)
            return mc_fail(error, MC_ERROR_UNSUPPORTED,
                           "too many objects and references: their graph has more than 2^31 "
                           "words");
    }
    graph->word_count = (uint32_t)position;
    graph->chunks[graph->chunk_count] = (uint32_t)position;
    atomic_store_explicit(&graph->places[graph->vertex_count], (uint32_t)position,
                          memory_order_relaxed);
    graph->words =
        mc_alloc_zero_scattered((size_t)position + MC_GRAPH_PADDING, sizeof *graph->words);
    return graph->words ? MC_OK : mc_error_out_of_memory(error);
}

mc_result mc_graph_place(mc_graph *graph, uint32_t thread_count, mc_error *error) {
    graph->chunk_count =
        (uint32_t)(((uint64_t)graph->vertex_count + (1u << MC_GRAPH_CHUNK_SHIFT) - 1) >>
                   MC_GRAPH_CHUNK_SHIFT);
    graph->chunks = mc_alloc_scattered((size_t)graph->chunk_count + 1, sizeof *graph->chunks);
    placing self = {graph,
                    mc_alloc_scattered((size_t)graph->chunk_count + 1, sizeof *self.lengths)};
    mc_result result = graph->chunks && self.lengths ? MC_OK : mc_error_out_of_memory(error);
    if (result == MC_OK) {
        mc_parallel_run(graph->chunk_count, thread_count, measure_chunk, &self);
        result = place_chunks(graph, self.lengths, error);
    }
    if (result == MC_OK) mc_parallel_run(graph->chunk_count, thread_count, place_chunk, &self);
    mc_free(self.lengths);
    return result;
}

static void put_large(mc_graph *graph, uint32_t position, uint64_t size) {
    while (atomic_flag_test_and_set_explicit(&graph->large_lock, memory_order_acquire))
        continue;
    if (mc_reserve(&graph->large, &graph->large_capacity, graph->large_count + 1,
                   sizeof *graph->large))
        graph->large[graph->large_count++] = (mc_graph_large){position, size};
    else
        atomic_store(&graph->is_out_of_memory, true);
    atomic_flag_clear_explicit(&graph->large_lock, memory_order_release);
}

uint32_t *mc_graph_put(mc_graph *graph, uint32_t vertex, const mc_graph_entry *entry) {
    const mc_graph_kind *kind = &graph->kinds[entry->kind];
    uint32_t position = mc_graph_get_place(graph, vertex);
    uint32_t room = mc_graph_get_place(graph, vertex + 1) - position;
    uint32_t length = mc_graph_measure(kind, entry->edge_count);
    if (length != room) return NULL;
    uint32_t payload = entry->mask, payload_max = (1u << graph->payload_bits) - 1;
    bool is_large = false;
    if (kind->size == MC_GRAPH_VARIES) {
        uint64_t units = entry->size / MC_GRAPH_UNIT;
        is_large = units >= payload_max || entry->size % MC_GRAPH_UNIT != 0;
        payload = is_large ? payload_max : (uint32_t)units;
    }
    uint32_t has_edges = length > MC_GRAPH_HEAD;
    if (graph->words[position + 1] != has_edges) return NULL; // it has a kind already
    graph->words[position + 1] =
        entry->kind << graph->kind_shift | (payload & payload_max) << 1 | has_edges;
    if (is_large) put_large(graph, position, entry->size);
    return graph->words + position + MC_GRAPH_HEAD;
}

static int compare_late(const void *a, const void *b) {
    const mc_graph_late_edge *x = a, *y = b;
    if (x->condition != y->condition) return x->condition < y->condition ? -1 : 1;
    return x->target < y->target ? -1 : x->target > y->target;
}

mc_result mc_graph_add_late_root(mc_graph *graph, uint32_t vertex, const mc_graph_late_edge *edges,
                                 size_t count, mc_error *error) {
    mc_graph_late_root *late = &graph->late_roots[graph->late_root_count];
    assert(graph->late_root_count < MC_GRAPH_LATE_MAX);
    late->position = mc_graph_get_place(graph, vertex);
    assert(mc_graph_get_place(graph, vertex + 1) - late->position >= MC_GRAPH_HEAD + count);
    late->edges = mc_alloc_scattered(count + 1, sizeof *late->edges);
    if (!late->edges) return mc_error_out_of_memory(error);
    if (count > 0) memcpy(late->edges, edges, count * sizeof *edges);
    if (count > 1) qsort(late->edges, count, sizeof *late->edges, compare_late);
    late->edge_count = count;
    if (graph->late_root_count++ == 0) graph->first_root = late->position;
    return MC_OK;
}

mc_result mc_graph_set_root(mc_graph *graph, uint32_t root, mc_error *error) {
    graph->root = mc_graph_get_place(graph, root);
    if (graph->late_root_count == 0) graph->first_root = graph->root;
    if (atomic_load(&graph->is_out_of_memory)) return mc_error_out_of_memory(error);
    mc_graph_spare_column(graph, (void *)graph->places,
                          get_place_count(graph) * sizeof *graph->places);
    graph->places = NULL;
    mc_graph_large_sort(graph->large, graph->large_count);
    return MC_OK;
}

// ---- reading

static int compare_large(const void *a, const void *b) {
    const mc_graph_large *x = a, *y = b;
    return x->vertex < y->vertex ? -1 : x->vertex > y->vertex;
}

void mc_graph_large_sort(mc_graph_large *items, size_t count) {
    if (count > 1) qsort(items, count, sizeof *items, compare_large);
}

uint64_t mc_graph_large_find(const mc_graph_large *items, size_t count, uint32_t vertex) {
    size_t low = 0, high = count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (items[middle].vertex < vertex)
            low = middle + 1;
        else
            high = middle;
    }
    return low < count && items[low].vertex == vertex ? items[low].size : 0;
}

typedef struct scan {
    const mc_graph *graph;
    void (*run)(void *user, uint32_t thread, uint32_t begin, uint32_t end);
    void *user;
} scan;

static void run_part(void *user, uint32_t part, uint32_t thread) {
    const scan *self = user;
    self->run(self->user, thread, self->graph->chunks[part], self->graph->chunks[part + 1]);
}

void mc_graph_scan(const mc_graph *graph, uint32_t thread_count,
                   void (*run)(void *user, uint32_t thread, uint32_t begin, uint32_t end),
                   void *user) {
    scan self = {graph, run, user};
    mc_parallel_run(graph->chunk_count, thread_count, run_part, &self);
}

uint32_t mc_graph_get_first_vertex(const mc_graph *graph, uint32_t begin) {
    uint32_t low = 0, high = graph->chunk_count;
    while (high - low > 1) {
        uint32_t middle = low + (high - low) / 2;
        if (graph->chunks[middle] <= begin)
            low = middle;
        else
            high = middle;
    }
    return low << MC_GRAPH_CHUNK_SHIFT;
}

uint32_t *mc_graph_list_positions(const mc_graph *graph, uint32_t count) {
    uint32_t *positions = mc_alloc_scattered((size_t)count + 1, sizeof *positions);
    for (uint32_t i = 0, at = MC_GRAPH_HEAD; positions && i < count; i++) {
        positions[i] = at;
        at = mc_graph_skip(graph, at);
    }
    return positions;
}

uint32_t mc_graph_find_position(const uint32_t *positions, uint32_t count, uint32_t position) {
    uint32_t low = 0, high = count;
    while (high - low > 1) {
        uint32_t middle = low + (high - low) / 2;
        if (positions[middle] <= position)
            low = middle;
        else
            high = middle;
    }
    return low;
}
