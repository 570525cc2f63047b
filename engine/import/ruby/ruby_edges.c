#include "engine/import/ruby/ruby_edges.h"

#include "engine/base/memory.h"
#include "engine/base/parallel.h"
#include <string.h>

#define CHUNK 4096u     // objects
#define CHUNKS_MOST 32u // that are looked through at once
#define AHEAD 16u       // references that are fetched into the cache before they are looked up

typedef struct chunk {
    size_t begin, count; // of cells
} chunk;

typedef struct finder {
    mc_ruby_edges *edges;
    const mc_object_heap *heap;
    const mc_object_ids *ids;
    uint32_t first; // object of these chunks
    chunk chunks[CHUNKS_MOST];
} finder;

void mc_ruby_edges_deinit(mc_ruby_edges *edges) {
    mc_free(edges->cells);
    mc_free(edges->counts);
    mc_free(edges->labels);
    *edges = (mc_ruby_edges){0};
}

bool mc_ruby_edges_add(mc_ruby_edges *edges, uint32_t object, const uint64_t *addresses,
                       size_t count, uint32_t label) {
    const size_t objects = (size_t)object + 1;
    if (count >= MC_NONE ||
        !mc_reserve(&edges->cells, &edges->capacity, edges->count + count + 1,
                    sizeof *edges->cells) ||
        !mc_reserve(&edges->counts, &edges->count_capacity, objects, sizeof *edges->counts) ||
        !mc_reserve(&edges->labels, &edges->label_capacity, objects, sizeof *edges->labels))
        return false;
    for (size_t i = 0; i < count; i++)
        edges->cells[edges->count++].address = addresses[i];
    edges->counts[object] = (uint32_t)count;
    edges->labels[object] = label;
    return true;
}

static uint32_t get_chunk_end(const finder *self, uint32_t part) {
    const uint32_t begin = self->first + part * CHUNK, rest = self->heap->object_count - begin;
    return begin + (rest < CHUNK ? rest : CHUNK);
}

// Edges come to the beginning of the chunk's cells.
static void find_chunk(void *user, uint32_t part, uint32_t thread) {
    finder *self = user;
    mc_ruby_edges *edges = self->edges;
    chunk *into = &self->chunks[part];
    mc_ruby_cell *cells = edges->cells + into->begin;
    const uint32_t begin = self->first + part * CHUNK, end = get_chunk_end(self, part);
    size_t next = 0, to = 0;
    (void)thread;
    for (size_t i = 0; i < into->count && i < AHEAD; i++)
        mc_object_ids_prefetch(self->ids, cells[i].address);
    for (uint32_t i = begin; i < end; i++) {
        const size_t before = to;
        for (uint32_t k = edges->counts[i]; k > 0; k--, next++) {
            if (next + AHEAD < into->count)
                mc_object_ids_prefetch(self->ids, cells[next + AHEAD].address);
            const uint32_t target = mc_object_ids_find(self->ids, self->heap, cells[next].address);
            if (target == MC_NONE) continue;
            cells[to++].edge = (mc_object_edge){target, edges->labels[i]};
        }
        edges->counts[i] = (uint32_t)(to - before);
    }
    into->count = to;
}

// Some chunks; their edges go behind those before, `count` of them.
static uint32_t find_some(finder *self, size_t *at, size_t *count) {
    mc_ruby_edges *edges = self->edges;
    const uint32_t rest = (self->heap->object_count - self->first - 1) / CHUNK + 1;
    const uint32_t parts = rest < CHUNKS_MOST ? rest : CHUNKS_MOST;
    for (uint32_t part = 0; part < parts; part++) {
        self->chunks[part] = (chunk){*at, 0};
        for (uint32_t i = self->first + part * CHUNK; i < get_chunk_end(self, part); i++)
            *at += edges->counts[i];
        self->chunks[part].count = *at - self->chunks[part].begin;
    }
    mc_parallel_run(parts, self->heap->heap.thread_count, find_chunk, self);
    for (uint32_t part = 0; part < parts; part++) {
        const chunk *from = &self->chunks[part];
        if (*count < from->begin && from->count > 0)
            memmove(edges->cells + *count, edges->cells + from->begin,
                    from->count * sizeof *edges->cells);
        *count += from->count;
    }
    return parts * CHUNK;
}

static void sum_up(const mc_ruby_edges *edges, mc_object_heap *heap) {
    uint64_t before = 0;
    for (uint32_t i = 0; i < heap->object_count; i++) {
        heap->edge_begins[i] = before;
        before += edges->counts[i];
    }
    heap->edge_begins[heap->object_count] = before;
}

mc_result mc_ruby_edges_find(mc_ruby_edges *edges, mc_object_heap *heap, const mc_object_ids *ids,
                             mc_error *error) {
    finder self = {.edges = edges, .heap = heap, .ids = ids};
    size_t at = 0, count = 0;
    mc_result result = MC_OK;
    while (self.first < heap->object_count && result == MC_OK) {
        const uint32_t rest = heap->object_count - self.first, done = find_some(&self, &at, &count);
        self.first += done < rest ? done : rest;
        result = mc_object_heap_report(heap, 1, self.first, heap->object_count, error);
    }
    if (result == MC_OK && count > MC_NONE / 2)
        result = mc_fail(error, MC_ERROR_UNSUPPORTED, "too many references: 2^31 or more");
    if (result != MC_OK) return result;
    heap->edge_begins = mc_alloc((size_t)heap->object_count + 2, sizeof *heap->edge_begins);
    if (!heap->edge_begins) return mc_error_out_of_memory(error);
    sum_up(edges, heap);
    static_assert(sizeof(mc_ruby_cell) == sizeof(mc_object_edge), "cells become edges in place");
    heap->edges = (mc_object_edge *)edges->cells;
    edges->cells = NULL;
    mc_ruby_edges_deinit(edges);
    return MC_OK;
}
