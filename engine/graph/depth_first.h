// depth_first.h - numbers the vertices that a graph's root reaches, in depth-first order, and then
// those that its late roots do.
//
// The numbers are written into the graph; the root's is 1, late roots are its children. Edges into
// earlier regions (graph.h) are left out, those of late roots that are there are put into the
// stream. A vertex without edges, a leaf, gets
// none, because it dominates nothing and there are many; its word names the vertex that was first
// seen to reference it. No recursion; the stack takes 8 bytes for each vertex on the path that has
// edges left. O(v + e), and the logarithm of their number for each edge of a late root. Threads:
// one.
#pragma once
#include "engine/graph/graph.h"

// An edge that is not the one by which its target was found.
typedef struct mc_cross_edge {
    uint32_t target; // its number; of a leaf, its position
    uint32_t source; // a number
} mc_cross_edge;

typedef struct mc_cross_edges {
    mc_cross_edge *items;
    size_t count, capacity;
} mc_cross_edges;

typedef struct mc_depth_first {
    uint32_t count;    // of numbered vertices
    uint32_t *parents; // by number; [0] and [1] are 0
    // To numbered vertices, none to itself or the root. There is room for as many as there are
    // vertices and two more, so that what comes behind can have it.
    mc_cross_edges crosses;
    mc_cross_edges to_leaves;
    uint64_t *crossed; // a bit by number: the targets of crosses
} mc_depth_first;

// The graph's vertices have no numbers. To be deinitialised in any case. `progress` is in vertices.
mc_result mc_depth_first_walk(mc_graph *graph, const mc_progress *progress, mc_depth_first *walk,
                              mc_error *error);
void mc_depth_first_deinit(mc_depth_first *walk);
