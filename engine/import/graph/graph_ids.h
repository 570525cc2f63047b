// graph_ids.h - finds the objects of a graph of rows by their ids.
//
// Ids that are numbers in a row need no table; others are hashed (object_ids.h). Zero-initialise;
// mc_graph_ids_deinit() frees. Threads: one that builds, then many that find.
#pragma once
#include "engine/import/objects/object_ids.h"

typedef struct mc_graph_ids {
    const mc_object_heap *heap;
    bool is_row; // the id of object i is that of object 0, and i
    mc_object_ids table;
} mc_graph_ids;

// Of all objects of `heap`, which must outlive it. *twice: the first object that has the id of one
// before; MC_NONE: none. False: memory is out.
bool mc_graph_ids_build(mc_graph_ids *ids, const mc_object_heap *heap, uint32_t *twice);
void mc_graph_ids_deinit(mc_graph_ids *ids);
// The objects of `count` ids; MC_NONE where there is none. Many at once wait for memory together.
void mc_graph_ids_find(const mc_graph_ids *ids, const uint64_t *wanted, uint32_t *objects,
                       uint32_t count);
