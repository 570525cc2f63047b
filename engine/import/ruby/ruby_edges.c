#include "engine/import/ruby/ruby_edges.h"

#include "engine/base/file.h"
#include "engine/base/memory.h"
#include "engine/base/parallel.h"
#include "engine/import/ruby/ruby_rows.h"
#include <string.h>

#define CHUNK 4096u     // objects
#define CHUNKS_MOST 32u // that are read at once
#define AHEAD 16u       // references that are fetched into the cache before they are looked up

// First an address, then an edge.
typedef union cell {
    uint64_t address;
    mc_object_edge edge;
} cell;

typedef struct chunk {
    cell *cells;
    size_t count, capacity;
    bool failed; // memory is out
} chunk;

typedef struct reader {
    mc_object_heap *heap;
    const mc_object_ids *ids;
    const mc_ruby_references *references;
    const char *mapping, *end;
    uint32_t first; // object of these chunks
    chunk chunks[CHUNKS_MOST];
    uint64_t edge_count;
    size_t edge_capacity;
    mc_error *error;
} reader;

// What was read of the file.
static void give_back(const reader *self, uint32_t begin, uint32_t end) {
    const char *first = NULL, *last = NULL;
    for (uint32_t i = begin; i < end; i++) {
        if (self->references[i].at && !first) first = self->references[i].at;
        if (self->references[i].at) last = self->references[i].at;
    }
    if (self->mapping && first)
        mc_file_map_give_back((const unsigned char *)self->mapping,
                              (uint64_t)(first - self->mapping), (uint64_t)(last - self->mapping));
}

// How many references each object has goes to where its edges are to begin.
static void list_addresses(const reader *self, chunk *into, uint32_t begin, uint32_t end) {
    into->count = 0;
    for (uint32_t i = begin; i < end; i++) {
        const size_t before = into->count;
        const char *at = self->references[i].at;
        mc_ruby_span rest = {at, at ? (size_t)(self->end - at) : 0};
        for (uint64_t to; (to = mc_ruby_row_take_reference(&rest)) != 0;) {
            if (!mc_reserve(&into->cells, &into->capacity, into->count + 1, sizeof *into->cells)) {
                into->failed = true;
                return;
            }
            into->cells[into->count++].address = to;
        }
        self->heap->edge_begins[i] = into->count - before;
    }
}

static void find_edges(const reader *self, chunk *into, uint32_t begin, uint32_t end) {
    const mc_object_heap *heap = self->heap;
    size_t next = 0, to = 0;
    for (size_t i = 0; i < into->count && i < AHEAD; i++)
        mc_object_ids_prefetch(self->ids, into->cells[i].address);
    for (uint32_t i = begin; i < end; i++) {
        const size_t before = to;
        for (uint64_t k = heap->edge_begins[i]; k > 0; k--, next++) {
            if (next + AHEAD < into->count)
                mc_object_ids_prefetch(self->ids, into->cells[next + AHEAD].address);
            const uint32_t target = mc_object_ids_find(self->ids, heap, into->cells[next].address);
            if (target == MC_NONE) continue;
            into->cells[to++].edge = (mc_object_edge){target, self->references[i].label};
        }
        heap->edge_begins[i] = to - before;
    }
    into->count = to;
}

static void read_chunk(void *user, uint32_t part, uint32_t thread) {
    reader *self = user;
    chunk *into = &self->chunks[part];
    const uint32_t begin = self->first + part * CHUNK, rest = self->heap->object_count - begin;
    const uint32_t end = begin + (rest < CHUNK ? rest : CHUNK);
    (void)thread;
    list_addresses(self, into, begin, end);
    if (!into->failed) find_edges(self, into, begin, end);
    give_back(self, begin, end);
}

static mc_result add_chunk(reader *self, const chunk *from) {
    mc_object_heap *heap = self->heap;
    if (from->failed) return mc_error_out_of_memory(self->error);
    if (from->count > MC_NONE / 2 - self->edge_count)
        return mc_fail(self->error, MC_ERROR_UNSUPPORTED, "too many references: 2^31 or more");
    const size_t count = (size_t)self->edge_count + from->count;
    if (!mc_reserve(&heap->edges, &self->edge_capacity, count + 1, sizeof *heap->edges))
        return mc_error_out_of_memory(self->error);
    static_assert(sizeof(cell) == sizeof(mc_object_edge), "chunks are copied as edges");
    if (from->count > 0)
        memcpy(heap->edges + self->edge_count, from->cells, from->count * sizeof *heap->edges);
    self->edge_count = count;
    return MC_OK;
}

static void sum_up(mc_object_heap *heap) {
    uint64_t before = 0;
    for (uint32_t i = 0; i < heap->object_count; i++) {
        const uint64_t count = heap->edge_begins[i];
        heap->edge_begins[i] = before;
        before += count;
    }
    heap->edge_begins[heap->object_count] = before;
}

static mc_result read_all(reader *self) {
    const mc_object_heap *heap = self->heap;
    mc_result result = MC_OK;
    for (uint32_t count; self->first < heap->object_count && result == MC_OK;
         self->first += count * CHUNK) {
        const uint32_t rest = (heap->object_count - self->first - 1) / CHUNK + 1;
        count = rest < CHUNKS_MOST ? rest : CHUNKS_MOST;
        mc_parallel_run(count, heap->heap.thread_count, read_chunk, self);
        for (uint32_t i = 0; i < count && result == MC_OK; i++)
            result = add_chunk(self, &self->chunks[i]);
        if (result == MC_OK)
            result = mc_object_heap_report(heap, 1, self->first, heap->object_count, self->error);
    }
    return result;
}

mc_result mc_ruby_edges_read(mc_object_heap *heap, const mc_object_ids *ids,
                             const mc_ruby_references *references, const char *mapping,
                             const char *end, mc_error *error) {
    reader self = {.mapping = mapping,
                   .heap = heap,
                   .ids = ids,
                   .references = references,
                   .end = end,
                   .error = error};
    heap->edge_begins = mc_alloc((size_t)heap->object_count + 2, sizeof *heap->edge_begins);
    mc_result result = heap->edge_begins ? read_all(&self) : mc_error_out_of_memory(error);
    if (result == MC_OK) sum_up(heap);
    for (uint32_t i = 0; i < CHUNKS_MOST; i++)
        mc_free(self.chunks[i].cells);
    return result;
}
