// path_table.h - the nodes of merged paths, identified by the kinds and slots along the path.
//
// A path that returns to the same kind by the same slot within a few nodes is folded back to the
// earlier node, so a list of any length is one node; but not beyond a landmark: what a class's
// static field holds is not a part of the list that holds the class. Threads: one table, one
// thread.
#pragma once
#include "engine/base/slots.h"
#include "engine/graph/retained.h"

typedef struct mc_path_node {
    uint32_t parent;    // MC_NONE: the root
    uint32_t kind;      // of its vertices
    uint32_t slot;      // by which they are referenced from the node before; of mc_path_roots
    bool is_folded;     // some of its vertices are behind others of it
    bool is_cut;        // what would be below has no room
    mc_group_sum ends;  // targets here, and what they retain
    mc_group_sum whole; // with those below
} mc_path_node;

// What tells vertices that the root references apart: a number that takes the place of their slot.
typedef struct mc_path_roots {
    uint32_t (*number)(const void *user, uint32_t position); // NULL: nothing does
    const void *user;
} mc_path_roots;

typedef struct mc_path_table {
    const mc_graph_kind *kinds; // the caller's
    mc_path_node *nodes;        // each behind its parent; their sums are the caller's
    uint32_t count, most;
    size_t capacity;
    mc_slots slots; // by parent, kind and slot
} mc_path_table;

void mc_path_table_deinit(mc_path_table *table);

// The node of (kind, slot) below `parent`; a new one, if there is none and there are fewer than
// `most`; else `parent`, which then is_cut. MC_NONE if memory is out.
uint32_t mc_path_table_put(mc_path_table *table, uint32_t parent, uint32_t kind, uint32_t slot);
