// weighted_tree.h - trees to lay out and room for their plots, for tests and benchmarks.
#pragma once
#include "engine/layout/treemap.h"
#include "tests/test.h"

typedef struct weighted_tree {
    uint32_t count, capacity;
    uint32_t *parent, *first_child, *child_count, *level;
    double *weight;
    uint8_t *visible; // NULL: all
} weighted_tree;

typedef struct plot_columns {
    double *x0, *y0, *x1, *y1, *value;
    uint32_t *visible_child_count, *child_order;
    mc_cut *cuts;
} plot_columns;

static inline void *allocate(size_t count, size_t size) {
    void *memory = calloc(count + 1, size);
    REQUIRE(memory);
    return memory;
}

static uint64_t random_state = 1;

static inline uint32_t random_u32(void) {
    random_state = random_state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(random_state >> 32);
}

static inline weighted_tree tree_create(uint32_t capacity) {
    weighted_tree tree = {.capacity = capacity};
    tree.parent = allocate(capacity, sizeof *tree.parent);
    tree.first_child = allocate(capacity, sizeof *tree.first_child);
    tree.child_count = allocate(capacity, sizeof *tree.child_count);
    tree.level = allocate(capacity, sizeof *tree.level);
    tree.weight = allocate(capacity, sizeof *tree.weight);
    return tree;
}

// From the columns of child counts and weights.
static inline void tree_link(weighted_tree *tree) {
    uint32_t next = 1;
    tree->parent[0] = MC_NONE;
    for (uint32_t i = 0; i < tree->count; i++) {
        tree->first_child[i] = next;
        for (uint32_t child = 0; child < tree->child_count[i]; child++, next++) {
            REQUIRE(next < tree->count);
            tree->parent[next] = i;
            tree->level[next] = tree->level[i] + 1;
        }
    }
    REQUIRE(next == tree->count);
}

static inline void tree_destroy(weighted_tree *tree) {
    free(tree->parent);
    free(tree->first_child);
    free(tree->child_count);
    free(tree->level);
    free(tree->weight);
    free(tree->visible);
}

static inline plot_columns plots_create(uint32_t count) {
    plot_columns plots;
    plots.x0 = allocate(count, sizeof(double));
    plots.y0 = allocate(count, sizeof(double));
    plots.x1 = allocate(count, sizeof(double));
    plots.y1 = allocate(count, sizeof(double));
    plots.value = allocate(count, sizeof(double));
    plots.visible_child_count = allocate(count, sizeof(uint32_t));
    plots.child_order = allocate(count, sizeof(uint32_t));
    plots.cuts = allocate(count, sizeof(mc_cut));
    return plots;
}

static inline void plots_destroy(plot_columns *plots) {
    free(plots->x0);
    free(plots->y0);
    free(plots->x1);
    free(plots->y1);
    free(plots->value);
    free(plots->visible_child_count);
    free(plots->child_order);
    free(plots->cuts);
}

static inline mc_tree_view tree_view(const weighted_tree *tree) {
    return (mc_tree_view){.count = tree->count,
                          .parent = tree->parent,
                          .first_child = tree->first_child,
                          .child_count = tree->child_count,
                          .level = tree->level,
                          .weight = tree->weight,
                          .visible = tree->visible};
}

static inline mc_treemap_columns plots_columns(const plot_columns *plots) {
    return (mc_treemap_columns){.x0 = plots->x0,
                                .y0 = plots->y0,
                                .x1 = plots->x1,
                                .y1 = plots->y1,
                                .value = plots->value,
                                .visible_child_count = plots->visible_child_count,
                                .child_order = plots->child_order,
                                .cuts = plots->cuts};
}

static inline mc_treemap *create_map(void) {
    mc_treemap *map = NULL;
    REQUIRE(mc_treemap_create(&map, NULL) == MC_OK);
    return map;
}

static inline void lay_out(mc_treemap *map, const mc_treemap_desc *desc, const weighted_tree *tree,
                           const plot_columns *plots) {
    mc_tree_view view = tree_view(tree);
    mc_treemap_columns columns = plots_columns(plots);
    REQUIRE(mc_treemap_layout(map, desc, &view, NULL, &columns) == MC_OK);
}

// A tree with `count` nodes at most; few distinct weights, some of them 0.
static inline weighted_tree make_random_tree(uint32_t count, uint32_t child_limit) {
    weighted_tree tree = tree_create(count);
    tree.count = 1;
    for (uint32_t i = 0; i < tree.count; i++) {
        uint32_t children = i == 0 || random_u32() % 3 == 0 ? 1 + random_u32() % child_limit : 0;
        if (tree.count + children > count) children = 0;
        tree.child_count[i] = children;
        tree.count += children;
        uint32_t size = random_u32() % 20;
        tree.weight[i] = size < 19 ? size * 8 : random_u32() % 100000;
    }
    tree_link(&tree);
    return tree;
}
