// node_search.h - a breadth-first search that finds the path node (path_table.h) of each vertex as
// it goes, so that neither places nor parents of vertices need to be kept.
//
// Edges are followed in the order of breadth_first.h. Memory: a bit per vertex, and 8 bytes for
// each vertex with edges that is found and not yet followed. Threads: one table, one thread.
#pragma once
#include "engine/graph/dominator_tree.h"
#include "engine/graph/path_table.h"

typedef struct mc_node_search_desc {
    const mc_graph *graph;
    const mc_dominator_tree *tree;
    uint32_t root_edges; // as in breadth_first.h
    mc_path_roots roots;
    mc_path_table *table; // empty
    // Called for each vertex that is reached, nearest first; a new node is the last in the table.
    void (*visit)(void *user, uint32_t number, uint32_t node);
    void *user;
    const uint32_t
        *visited[2]; // arrays by number that visit() uses, so that they are fetched; NULL
    const mc_progress *progress; // in vertices
} mc_node_search_desc;

mc_result mc_node_search_run(const mc_node_search_desc *desc, mc_error *error);
