// dominators.h - computes the immediate dominators of the vertices that a depth-first walk has
// numbered.
//
// Vertex a dominates vertex b if every path from the root to b leads through a. The immediate
// dominator is the nearest one to b; immediate dominators form a tree. Method: Georgiadis,
// "Linear-time algorithms for dominators and related problems", 2005 (semi-NCA); path halving as in
// Tarjan and van Leeuwen, 1984; jump pointers of Myers, "An applicative random-access stack", 1983,
// without which long chains with shared ends take quadratic time. O((v + e) log v) at worst, mostly
// close to linear. Memory: 12 bytes per numbered vertex; while edges that are not in the walk's
// tree are sorted, 8 for each, and then 4 for each that matters, which mostly are few. Threads: as
// many as requested for sorting edges and folding in leaves; the part in between runs in the order
// of numbers, in one thread.
#pragma once
#include "engine/graph/depth_first.h"

// Turns walk->parents into immediate dominators, and the word of each leaf that is reached into the
// number of its own. Uses up the walk's cross edges. Spares a column of two words for each numbered
// vertex and two more (mc_graph_spare_column()). `progress` is in vertices.
mc_result mc_dominators_find(mc_graph *graph, mc_depth_first *walk, uint32_t thread_count,
                             const mc_progress *progress, mc_error *error);
