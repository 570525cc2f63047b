// reach.h - what-if analysis: which vertices the root no longer reaches when some are removed.
// What late roots reach (graph.h) goes on being reached from there.
//
// The result is exact, whereas what groups retain (retained.h) is a lower bound: two vertices of a
// group may together keep alive what neither dominates. Memory: a bit per vertex, and a stack of 4
// bytes for each pending vertex, all of them at worst. Threads: any number of measurements of one
// graph.
#pragma once
#include "engine/graph/retained.h"

// References from vertices of one group to those of another.
typedef struct mc_group_link {
    uint32_t from, to;
} mc_group_link;

typedef struct mc_reach_desc {
    const mc_graph *graph;
    const mc_dominator_tree *tree; // of this graph
    const mc_vertex_groups *groups;
    const bool *is_gone; // by group: its own vertices go (see mc_vertex_groups_mark); NULL: none
    const mc_group_link *cuts; // references that go; from and to are vertices' own groups
    uint32_t cut_count;
    const uint32_t *unrooted; // positions, ascending: the root's references to these go, too
    size_t unrooted_count;
    uint32_t thread_count;
    const mc_progress *progress; // in vertices
} mc_reach_desc;

// Fills `freed`, an entry per group including its nested groups: what the root reaches now and
// would no longer reach, including the removed vertices themselves.
mc_result mc_reach_measure(const mc_reach_desc *desc, mc_group_sum *freed, mc_error *error);
