// tree.h - a trace as a flat tree: the order of its nodes, and which of them are merged into
// "Other".
//
// This is what a sunburst and an icicle share, and what is the same at every step: siblings are
// ordered once for a time window, so that they keep their rank (relative position animation), and
// pruned once. What changes from step to step are the values (mc_tree_gather), and with them the
// intervals (engine/layout/partition.h). Source: Weninger, Makor, Mössenböck, "Memory Leak Analysis
// using Time-Travel-based and Timeline-based Tree Evolution Visualizations", 2020, section 5.
// Ownership: create/destroy; keeps no pointer to the trace. Threads: reading from any thread.
#pragma once
#include "engine/analyze/max_tree.h"
#include "engine/layout/partition.h"

typedef enum mc_tree_sort {
    MC_TREE_SORT_GROWTH, // absolute, over the window
    MC_TREE_SORT_START,  // size at its first step
    MC_TREE_SORT_END,
    MC_TREE_SORT_COUNT
} mc_tree_sort;

extern const char *const mc_tree_sort_names[]; // ends with NULL

// Which children are kept of every node: the first-ranked ones, until they make up `share` of it
// (at the window's last step, or at its first where that is what ranks), but at most `most`.
typedef struct mc_tree_pruning {
    uint32_t most;         // 0: nothing is pruned
    double share;          // 0 to 1
    const uint8_t *kept;   // per node: not 0: it is never hidden, nor what it is in; NULL: none
    const uint8_t *opened; // per node: not 0: its children are not pruned; NULL: none
} mc_tree_pruning;

typedef struct mc_tree_desc {
    mc_metric metric;
    mc_step_range window;
    mc_tree_sort sort;
    mc_tree_pruning pruning;
} mc_tree_desc;

// Entries are what is drawn: nodes, and the others of nodes whose children were pruned. They are in
// breadth-first order, siblings by rank, an Other last; entry 0 is the root.
typedef struct mc_tree {
    mc_tree_desc desc; // without what its pruning pointed to
    uint32_t count;
    uint32_t level_count;
    uint32_t *level_first; // level_count + 1 entries
    uint32_t *node;        // of the trace; of an Other its parent's
    uint32_t *parent;      // entry; MC_NONE for the root
    uint32_t *first_child, *child_count;
    uint32_t *other; // index in `others`, MC_NONE: a node

    // What every Other stands for: groups at [first .. +count) in `hidden`, each with all below it.
    uint32_t other_count;
    uint32_t *other_first, *other_group_count;
    uint32_t *hidden; // nodes
    uint32_t hidden_count;

    uint32_t *node_entry;   // per node: what shows it, maybe an Other
    uint64_t *first, *last; // per node: its value at the window's ends
    uint32_t node_count;
    uint32_t *branch; // per node: its first-level ancestor's rank by size over all steps
} mc_tree;

// O(nodes log nodes), and the values of the first level at every step. On failure *tree is NULL.
mc_result mc_tree_create(const mc_trace *trace, const mc_tree_desc *desc, mc_tree **tree,
                         mc_error *error);
// The same, pruned, of a tree of which nothing is: reads nothing of a trace. O(nodes).
mc_result mc_tree_create_pruned(const mc_tree *whole, const mc_node_columns *nodes,
                                const mc_tree_pruning *pruning, mc_tree **tree, mc_error *error);
void mc_tree_destroy(mc_tree *tree); // NULL is fine

static inline mc_partition_tree mc_tree_get_partition(const mc_tree *tree) {
    return (mc_partition_tree){tree->count, tree->first_child, tree->child_count};
}

static inline bool mc_tree_is_other(const mc_tree *tree, uint32_t entry) {
    return tree->other[entry] != MC_NONE;
}

// From values over nodes to values over entries; an Other has the sum of its groups. O(nodes).
void mc_tree_gather(const mc_tree *tree, const uint64_t *node_values, uint64_t *values);

uint32_t mc_tree_get_level(const mc_tree *tree, uint32_t entry);
// How many levels there are from `root` down, it included. O(levels).
uint32_t mc_tree_get_depth(const mc_tree *tree, uint32_t root);
// The deepest entry that both are in, or are.
uint32_t mc_tree_get_common(const mc_tree *tree, uint32_t a, uint32_t b);
