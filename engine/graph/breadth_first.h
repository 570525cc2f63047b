// breadth_first.h - a breadth-first search from a graph's root: the reachable vertices, nearest
// first, and the parent of each in a tree of shortest paths. What only late roots reach (graph.h)
// comes last; these have the root for a parent.
//
// The graph must be numbered. Edges are followed in the graph's order; from the root in two rounds,
// if some of its edges may only lead to what the others do not reach. Memory: 8 bytes per reachable
// vertex, and a bit for each vertex. Threads: any number of searches of one graph.
#pragma once
#include "engine/graph/dominator_tree.h"

typedef struct mc_breadth_first {
    uint32_t *positions; // [0] is the root
    uint32_t *parents;   // by place in `positions`: the place of who references it; MC_NONE: none
    uint32_t count;
    uint32_t total; // vertices that the root reaches
    // Of whom a slot was asked last, and its edges behind that slot.
    uint32_t asked_parent;
    mc_graph_edges asked_edges;
} mc_breadth_first;

// Of the root, the first `root_edges` edges are followed to all their ends before the others.
// Progress in vertices. To be deinitialised in any case.
mc_result mc_breadth_first_init(mc_breadth_first *search, const mc_graph *graph,
                                const mc_dominator_tree *tree, uint32_t root_edges,
                                const mc_progress *progress, mc_error *error);
void mc_breadth_first_deinit(mc_breadth_first *search);

// Asks every million vertices whether to go on. MC_ERROR_CANCELLED.
mc_result mc_breadth_first_report(const mc_breadth_first *search, uint32_t done,
                                  const mc_progress *progress, mc_error *error);

// The slot by which the vertex at the place `parent` was the first to reference the one at
// `position`. Call it in the order in which they were found; O(edges) for all of one parent
// together.
uint32_t mc_breadth_first_find_slot(mc_breadth_first *search, const mc_graph *graph,
                                    uint32_t parent, uint32_t position);
