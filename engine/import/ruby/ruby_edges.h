// ruby_edges.h - the references of a Ruby dump as edges between its objects, in several threads.
//
// Memory: 8 bytes a reference, as addresses first, in place. Untrusted input.
#pragma once
#include "engine/import/objects/object_ids.h"

// First an address, then an edge.
typedef union mc_ruby_cell {
    uint64_t address;
    mc_object_edge edge;
} mc_ruby_cell;

// Zero-initialise; mc_ruby_edges_deinit() frees.
typedef struct mc_ruby_edges {
    mc_ruby_cell *cells; // by object, one behind the other
    size_t count, capacity;
    uint32_t *counts; // by object: of its cells
    uint32_t *labels; // by object: of all its edges
    size_t count_capacity, label_capacity;
} mc_ruby_edges;

void mc_ruby_edges_deinit(mc_ruby_edges *edges);

// Adds those of the object `object`, which is the next one. False: memory is out.
bool mc_ruby_edges_add(mc_ruby_edges *edges, uint32_t object, const uint64_t *addresses,
                       size_t count, uint32_t label);

// Fills edges and edge_begins of `heap`, whose objects are all there, with those that lead to
// objects; `edges` then has none. MC_ERROR_UNSUPPORTED: there are too many.
mc_result mc_ruby_edges_find(mc_ruby_edges *edges, mc_object_heap *heap, const mc_object_ids *ids,
                             mc_error *error);
