// group_paths.h - finds the merged paths from the root to the vertices of every group: paths.h for
// all groups at once, with bounded output.
//
// Shortest paths do not depend on the group, so one search and one table of nodes serve all groups.
// Each group keeps the nodes that hold the most; what ends below a node that is not kept is summed
// at the nearest kept node above. A folded node is one to which vertices further along, of any
// group, are folded back. Groups may be nested; a group includes the vertices of those within it.
// Cost: a search, a pass over the tree, and for each group its nodes and those it keeps, times
// the logarithm of all nodes, however long the paths are. Memory while it runs: 4 bytes per
// vertex, what node_search.h says, and in each thread some hundred for each node and group; the
// result has as many entries as nodes are kept. Threads: any number of calls.
#pragma once
#include "engine/graph/paths.h"

typedef struct mc_group_path {
    uint32_t group, node;
    mc_group_sum ends; // vertices of the group here, and what they retain
    mc_group_sum rest; // of nodes below that are not kept
} mc_group_path;

typedef struct mc_group_paths {
    mc_path_node *nodes; // behind their parents, [0] is the root; without sums. Those above a kept
                         // one are kept
    uint32_t *places;    // by node: the smallest group that all of its vertices are in; MC_NONE
    uint32_t node_count;
    mc_group_path *items; // by group, then by node
    size_t item_count;
} mc_group_paths;

typedef struct mc_group_paths_desc {
    mc_graph *graph; // whose spare columns are taken
    const mc_dominator_tree *tree;
    const mc_vertex_sizes *sizes;
    uint32_t thread_count; // for the pass over the tree
    const mc_vertex_groups *groups;
    uint32_t root_edges; // as in mc_paths_desc
    mc_path_roots roots;
    uint32_t most; // nodes that are kept of a group, beside the root
    const mc_progress *progress;
} mc_group_paths_desc;

// To be deinitialised in any case.
mc_result mc_group_paths_find(mc_group_paths *paths, const mc_group_paths_desc *desc,
                              mc_error *error);
void mc_group_paths_deinit(mc_group_paths *paths);
