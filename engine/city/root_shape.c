// Only the districts on the way down to the root matter: they and their children are laid out as a
// small tree, in which all others are leaves.
#include "engine/city/root_shape.h"

#include "engine/base/memory.h"
#include <math.h>
#include <string.h>

#define LEAST_RATIO 0.5 // a strip would fill no window, and its arrangement survives this

typedef struct small_tree {
    uint32_t count;
    // One allocation each: parent, first_child, child_count, level, visible_child_count,
    // child_order; weight, value, x0, y0, x1, y1.
    uint32_t *numbers;
    double *reals;
    uint8_t *visible;
    uint32_t root; // what stands for the district
} small_tree;

enum { PARENT, FIRST_CHILD, CHILD_COUNT, LEVEL, SHOWN_COUNT, ORDER, NUMBER_COLUMNS };
enum { WEIGHT, VALUE, X0, Y0, X1, Y1, REAL_COLUMNS };

static uint32_t *get_numbers(const small_tree *small, int column) {
    return small->numbers + (size_t)column * small->count;
}

static double *get_reals(const small_tree *small, int column) {
    return small->reals + (size_t)column * small->count;
}

static void small_tree_deinit(small_tree *small) {
    mc_free(small->numbers);
    mc_free(small->reals);
    mc_free(small->visible);
}

static bool small_tree_init(small_tree *small, const mc_node_columns *nodes, uint32_t root) {
    small->count = 1;
    for (uint32_t node = root; node != 0; node = nodes->parent[node])
        small->count += nodes->child_count[nodes->parent[node]];
    small->numbers = mc_alloc_zero(small->count, NUMBER_COLUMNS * sizeof *small->numbers);
    small->reals = mc_alloc_zero(small->count, REAL_COLUMNS * sizeof *small->reals);
    small->visible = mc_alloc_zero(small->count, 1);
    return small->numbers && small->reals && small->visible;
}

// From the bottom up: the children of the last district of the way are the last in the small tree.
static void fill(small_tree *small, const mc_node_columns *nodes, uint32_t root,
                 const double *weight) {
    uint32_t *parent = get_numbers(small, PARENT), *level = get_numbers(small, LEVEL);
    uint32_t *first_child = get_numbers(small, FIRST_CHILD), begin = small->count;
    uint32_t *child_count = get_numbers(small, CHILD_COUNT), below = MC_NONE;
    for (uint32_t node = root; node != 0; node = nodes->parent[node]) {
        uint32_t above = nodes->parent[node], first = nodes->first_child[above];
        uint32_t count = nodes->child_count[above], at;
        begin -= count;
        at = begin + (node - first);
        for (uint32_t i = 0; i < count; i++) {
            level[begin + i] = nodes->level[node];
            get_reals(small, WEIGHT)[begin + i] = weight[first + i];
            small->visible[begin + i] = weight[first + i] > 0;
        }
        if (node == root) {
            small->root = at;
        } else {
            first_child[at] = below;
            child_count[at] = nodes->child_count[node];
            for (uint32_t i = 0; i < child_count[at]; i++)
                parent[below + i] = at;
        }
        below = begin;
    }
    small->visible[0] = 1;
    first_child[0] = below;
    child_count[0] = nodes->child_count[0];
}

// What the whole city's layout goes by, of districts as well.
static mc_result weigh(const mc_city_desc *desc, const mc_node_columns *nodes,
                       const mc_max_tree *tree, double *weight, mc_error *error) {
    mc_pruning pruning = {0};
    mc_result result = mc_pruning_compute(&pruning, tree, nodes, desc->child_limit, error);
    for (uint32_t node = nodes->count; result == MC_OK && node-- > 0;) {
        bool is_leaf = nodes->child_count[node] == 0;
        if (is_leaf) weight[node] = mc_scaling_apply(desc->scaling, (double)tree->max[node]);
        if (!pruning.visible[node]) weight[node] = 0;
        if (node > 0) weight[nodes->parent[node]] += weight[node];
    }
    mc_pruning_deinit(&pruning);
    return result;
}

static mc_result lay_out(const small_tree *small, const mc_city_desc *desc, mc_error *error) {
    mc_tree_view view = {.count = small->count,
                         .parent = get_numbers(small, PARENT),
                         .first_child = get_numbers(small, FIRST_CHILD),
                         .child_count = get_numbers(small, CHILD_COUNT),
                         .level = get_numbers(small, LEVEL),
                         .weight = get_reals(small, WEIGHT),
                         .visible = small->visible};
    mc_treemap_columns plots = {.x0 = get_reals(small, X0),
                                .y0 = get_reals(small, Y0),
                                .x1 = get_reals(small, X1),
                                .y1 = get_reals(small, Y1),
                                .value = get_reals(small, VALUE),
                                .visible_child_count = get_numbers(small, SHOWN_COUNT),
                                .child_order = get_numbers(small, ORDER)};
    mc_result result = mc_scaling_layout(desc->scaling, &desc->treemap, &view, NULL, &plots);
    return result == MC_OK ? MC_OK : mc_error_out_of_memory(error);
}

static void take_shape(const small_tree *small, mc_treemap_desc *treemap) {
    double width = get_reals(small, X1)[small->root] - get_reals(small, X0)[small->root];
    double height = get_reals(small, Y1)[small->root] - get_reals(small, Y0)[small->root];
    if (!(width > 0) || !(height > 0)) return; // streets left nothing of it
    double ratio = fmin(fmax(width / height, LEAST_RATIO), 1 / LEAST_RATIO);
    double area = treemap->width * treemap->height;
    treemap->width = sqrt(area * ratio);
    treemap->height = sqrt(area / ratio);
}

mc_result mc_root_shape_find(const mc_city_desc *desc, const mc_node_columns *nodes,
                             const mc_max_tree *tree, mc_treemap_desc *treemap, mc_error *error) {
    small_tree small = {0};
    double *weight = mc_alloc_zero(nodes->count, sizeof *weight);
    bool has_room = weight && small_tree_init(&small, nodes, desc->root_node);
    mc_result result =
        has_room ? weigh(desc, nodes, tree, weight, error) : mc_error_out_of_memory(error);
    if (result == MC_OK) {
        fill(&small, nodes, desc->root_node, weight);
        result = lay_out(&small, desc, error);
    }
    if (result == MC_OK) take_shape(&small, treemap);
    small_tree_deinit(&small);
    mc_free(weight);
    return result;
}
