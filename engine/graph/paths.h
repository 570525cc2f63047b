// paths.h - finds a shortest path from the root to each vertex of a group, and merges the paths by
// kinds and slots.
//
// Vertices of one kind that are referenced by the same slot from the same node are one node. A path
// that returns to the same kind by the same slot within a few nodes is folded back to the earlier
// node, so a list of any length is one node; nodes without targets below them are left out. A
// node's weight is what the targets at and below it retain. A target within another's subtree adds
// to the count only, so all weights together are what the group retains. Method: breadth first,
// edges in the graph's order; from the root twice, if some of its edges may only lead to what the
// others do not reach. Memory: 8 bytes per vertex, 8 per target. Threads: any number of searches of
// one graph.
#pragma once
#include "engine/graph/path_table.h"

#define MC_PATH_NODES_MAX (1u << 16)

// Nodes come after their parents, siblings in the order of what they retain, most first.
typedef struct mc_paths {
    mc_path_node *nodes; // [0] is the root
    uint32_t count;
} mc_paths;

typedef struct mc_paths_desc {
    const mc_graph *graph;
    const mc_dominator_tree *tree;
    const mc_vertex_sizes *sizes;
    const mc_vertex_groups *groups;
    const bool *is_target; // by group; see mc_vertex_groups_mark
    uint32_t root_edges;   // of the root, the first so many are followed to all their ends before
                           // the others
    mc_path_roots roots;
    const mc_progress *progress;
} mc_paths_desc;

// To be deinitialised in any case.
mc_result mc_paths_find(mc_paths *paths, const mc_paths_desc *desc, mc_error *error);
void mc_paths_deinit(mc_paths *paths);
