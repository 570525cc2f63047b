// dominators.h - immediate dominators of what a depth-first walk has numbered.
//
// Vertex a dominates vertex b if each way from the root to b leads through a. Of those that do, the
// immediate dominator is the nearest to b; they form a tree. Method: Georgiadis, "Linear-time
// algorithms for dominators and related problems", 2005 (semi-NCA); path halving as in Tarjan and
// van Leeuwen, 1984; jump pointers of Myers, "An applicative random-access stack", 1983, without
// which long chains with shared ends take quadratic time. O((v + e) log v) at worst, close to
// linear mostly. Memory: 12 bytes a numbered vertex, 4 an edge that is none of the walk's, and 8
// more while these are sorted. Threads: those asked for, where edges are sorted and leaves folded
// in; what is between is done in the order of numbers, by one.
#pragma once
#include "engine/graph/depth_first.h"

// Turns walk->parents into immediate dominators, and the word of each leaf that is reached into the
// number of its own. Uses up the walk's cross edges. `progress` is in vertices.
mc_result mc_dominators_find(mc_graph *graph, mc_depth_first *walk, uint32_t thread_count,
                             const mc_progress *progress, mc_error *error);
