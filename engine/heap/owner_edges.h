// owner_edges.h - all references of what is reached, many at a time, so that what whoever
// takes them asks of their targets is fetched together.
//
// Threads: the heap's. Memory: some KB of each one's stack.
#pragma once
#include "engine/heap/owner_facts.h"

#define MC_OWNER_EDGES_MAX 128 // at a time

typedef struct mc_owner_edge {
    uint32_t source, target; // numbers
    uint32_t link;
} mc_owner_edge;

// References of one object come one after another, in one thread. Those into another region are
// left out: what is there is kept anyway. `edges` are valid during the call.
typedef void (*mc_owner_take)(void *user, uint32_t thread, const mc_owner_edge *edges,
                              uint32_t count);

// Of all vertices before the position `end` but the root.
void mc_owner_edges_scan(const mc_owner_facts *facts, uint32_t end, mc_owner_take take, void *user);
