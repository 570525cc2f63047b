// retained.h - the minimum retained size of groups of vertices: how much is freed at least if all
// vertices of a group are removed.
//
// This is the union of the subtrees that they dominate. What is freed exactly may be more, because
// two vertices of a group can together keep alive what neither dominates: see reach.h. Groups may
// be nested; a group then includes all vertices of the groups in it. Unreachable vertices are
// retained by nothing. Threads: any number of calls.
#pragma once
#include "engine/graph/dominator_tree.h"

typedef struct mc_vertex_groups {
    const uint32_t *of;      // group by number; MC_NONE: in none, and no object that counts
    uint32_t count;          // of groups
    const uint32_t *parents; // the group around each, of a lower number; MC_NONE: none. NULL: none
} mc_vertex_groups;

typedef struct mc_group_sum {
    uint64_t count, size; // vertices that are in a group, and bytes
} mc_group_sum;

// Sets flags[], an entry a group, of `group` and of all groups in it, and leaves the others.
// Parents come before what is in them. O(groups).
void mc_vertex_groups_mark(const mc_vertex_groups *groups, uint32_t group, bool *flags);

// Fills `retained`, an entry a group. One pass over the tree, a range of it in each thread; memory
// for each group and thread.
mc_result mc_retained_sum(const mc_dominator_tree *tree, const mc_vertex_sizes *sizes,
                          const mc_vertex_groups *groups, uint32_t thread_count,
                          const mc_progress *progress, mc_group_sum *retained, mc_error *error);
