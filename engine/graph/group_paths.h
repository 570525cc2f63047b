// group_paths.h - how the root holds the vertices of every group: what paths.h tells of one, for
// all of them at once, and bounded.
//
// The shortest paths do not depend on whose vertices are looked for, so that one search and one
// table of nodes serve all groups. Of each group those nodes are kept that hold the most; what ends
// below one that is not kept is told as a sum at the next one above that is. A folded node is one
// behind which vertices of any group are folded back to it. Groups may be nested; one that holds
// others has their vertices.
// Cost: two searches, a pass over the tree, and for each group what it has at nodes and keeps,
// times the logarithm of all nodes, however long the ways are. Memory while it runs: 12 bytes a
// vertex, and some hundred for each node and group; the result has as many entries as nodes are
// kept. Threads: any; one call, one thread.
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
    const mc_graph *graph;
    const mc_dominator_tree *tree;
    const mc_vertex_sizes *sizes;
    const mc_vertex_groups *groups;
    uint32_t root_edges; // as in mc_paths_desc
    uint32_t most;       // nodes that are kept of a group, beside the root
    const mc_progress *progress;
} mc_group_paths_desc;

// To be deinitialised in any case.
mc_result mc_group_paths_find(mc_group_paths *paths, const mc_group_paths_desc *desc,
                              mc_error *error);
void mc_group_paths_deinit(mc_group_paths *paths);
