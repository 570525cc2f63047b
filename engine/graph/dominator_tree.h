// dominator_tree.h - the tree of a graph's immediate dominators, in preorder.
//
// Building it numbers the graph's vertices: the root is 0, the subtree of a vertex follows it
// directly, and unreachable vertices come last, in the order of the stream. So a subtree is a range
// of numbers, and data on vertices can lie in columns by number. The tree itself is only the size
// of each subtree. Children come in the order of the walk, except that one with more than half of
// its parent's vertices comes last: ranges that end together count as one, so no more than 32 are
// ever open at a time (mc_dominator_walk). What a late root reaches is its subtree. Memory: 4 bytes
// per vertex; while building, 12 per vertex with edges, or what dominators.h says. Threads:
// reading, any number.
#pragma once
#include "engine/graph/graph.h"

typedef struct mc_dominator_tree {
    uint32_t count;                         // of all vertices
    uint32_t reachable;                     // those with lower numbers are reached from the root
    uint32_t *sizes;                        // vertices in each subtree, with its root
    uint32_t late_roots[MC_GRAPH_LATE_MAX]; // their numbers
    uint32_t late_root_count;
} mc_dominator_tree;

// The graph's vertices have no numbers yet. To be deinitialised in any case; after a failure the
// graph is of no more use. `progress` is in some unit.
mc_result mc_dominator_tree_init(mc_dominator_tree *tree, mc_graph *graph, uint32_t thread_count,
                                 const mc_progress *progress, mc_error *error);
void mc_dominator_tree_deinit(mc_dominator_tree *tree);

static inline uint32_t mc_dominator_tree_get_end(const mc_dominator_tree *tree, uint32_t number) {
    return number + tree->sizes[number];
}

// Whether `a` dominates `b`, and is another. The root dominates all that it reaches.
static inline bool mc_dominator_tree_dominates(const mc_dominator_tree *tree, uint32_t a,
                                               uint32_t b) {
    return a < b && b < mc_dominator_tree_get_end(tree, a);
}

// The vertices that dominate another one, from the root on: the first of them from `number` on, or
// `below` if there is none.
static inline uint32_t mc_dominator_tree_find_above(const mc_dominator_tree *tree, uint32_t below,
                                                    uint32_t number) {
    while (number < below && mc_dominator_tree_get_end(tree, number) <= below)
        number = mc_dominator_tree_get_end(tree, number);
    return number;
}

// The region (graph.h) of a vertex that is reached: 0 is the root's, 1 that of the first late root.
static inline uint32_t mc_dominator_tree_get_region(const mc_dominator_tree *tree,
                                                    uint32_t number) {
    for (uint32_t i = 0; i < tree->late_root_count; i++)
        if (number >= tree->late_roots[i] &&
            number < mc_dominator_tree_get_end(tree, tree->late_roots[i]))
            return i + 1;
    return 0;
}

// Hands values down the tree: for numbers in ascending order, put() gives a vertex's subtree a
// value and get() tells that of the nearest dominator that was put. Zero-initialise.
typedef struct mc_dominator_walk {
    uint32_t depth;
    uint32_t ends[34], values[34];
} mc_dominator_walk;

static inline uint32_t mc_dominator_walk_get(mc_dominator_walk *walk, uint32_t number) {
    while (walk->depth > 0 && walk->ends[walk->depth - 1] <= number)
        walk->depth--;
    return walk->depth > 0 ? walk->values[walk->depth - 1] : MC_NONE;
}

// After get() of the same number.
static inline void mc_dominator_walk_put(mc_dominator_walk *walk, uint32_t end, uint32_t value) {
    bool is_last = walk->depth > 0 && walk->ends[walk->depth - 1] == end;
    uint32_t at = is_last ? walk->depth - 1 : walk->depth++;
    walk->ends[at] = end;
    walk->values[at] = value;
}

// The immediate dominator of each vertex by number; MC_NONE of the root and of what it does not
// reach. 4 bytes a vertex, which the caller frees with mc_free(). NULL if memory is out.
uint32_t *mc_dominator_tree_list_parents(const mc_dominator_tree *tree);

// The size of each vertex by number, in MC_GRAPH_UNITs, and which are too large for that or no
// multiple of it.
typedef struct mc_vertex_sizes {
    uint16_t *units;       // UINT16_MAX: it is in `large`
    mc_graph_large *large; // by number, ascending
    size_t large_count;
} mc_vertex_sizes;

mc_result mc_vertex_sizes_init(mc_vertex_sizes *sizes, const mc_graph *graph, uint32_t thread_count,
                               mc_error *error);
void mc_vertex_sizes_deinit(mc_vertex_sizes *sizes);

static inline uint64_t mc_vertex_sizes_get(const mc_vertex_sizes *sizes, uint32_t number) {
    uint32_t units = sizes->units[number];
    return units != UINT16_MAX ? (uint64_t)units * MC_GRAPH_UNIT
                               : mc_graph_large_find(sizes->large, sizes->large_count, number);
}
