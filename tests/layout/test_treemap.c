// The treemap against d3-hierarchy's rectangles, and what must hold on any input.
#include <float.h>
#include <sched.h>
#include <zlib.h>

#include "engine/base/memory.h"
#include "engine/layout/plot_grid.h"
#include "tests/weighted_tree.h"

static const char *const TILING_NAMES[MC_TILING_COUNT] = {"squarify", "binary", "slice", "dice",
                                                          "slice-dice"};

// ---- what every layout must fulfil ----

typedef struct property_check {
    const mc_treemap_desc *desc;
    const weighted_tree *tree;
    const plot_columns *plots;
    double slack;
} property_check;

typedef struct bounds {
    double low[2], high[2];
} bounds;

static bounds get_bounds(const plot_columns *plots, uint32_t node) {
    return (bounds){{plots->x0[node], plots->y0[node]}, {plots->x1[node], plots->y1[node]}};
}

static bounds unite(bounds a, bounds b) {
    for (uint32_t axis = 0; axis < 2; axis++) {
        a.low[axis] = fmin(a.low[axis], b.low[axis]);
        a.high[axis] = fmax(a.high[axis], b.high[axis]);
    }
    return a;
}

// Does the cut, rounded as plots are in a city, have one part on each side?
static bool parts(const property_check *check, const mc_cut *cut, bounds first, bounds rest) {
    return (float)first.high[cut->axis] <= cut->position + check->slack &&
           (float)rest.low[cut->axis] >= cut->position - check->slack;
}

static bounds check_row(const property_check *check, const uint32_t *order, const mc_cut *cuts,
                        uint32_t count, uint32_t *failures) {
    bounds all = get_bounds(check->plots, order[0]);
    for (uint32_t i = 0; i + 1 < count; i++) {
        bounds next = get_bounds(check->plots, order[i + 1]);
        *failures += cuts[i].is_row != 1 || cuts[i].axis != cuts->axis || cuts[i].left_count != 1;
        *failures += i > 0 && !(cuts[i].position >= cuts[i - 1].position);
        *failures += !parts(check, &cuts[i], get_bounds(check->plots, order[i]), next);
        all = unite(all, next);
    }
    return all;
}

// Follows the preorder of the cuts over `count` children; returns the bounds of their plots. Goes
// down the first parts by recursion, along the rests by a list, which may be as long as there are
// children.
static bounds check_cuts(const property_check *check, const uint32_t *order, const mc_cut *cuts,
                         uint32_t count, uint32_t *failures) {
    bounds *firsts = count > 1 ? allocate(count, sizeof *firsts) : NULL;
    const mc_cut **passed = count > 1 ? allocate(count, sizeof *passed) : NULL;
    uint32_t passed_count = 0;
    while (count > 1 && !cuts->is_row) {
        uint32_t left = cuts->left_count;
        REQUIRE(left > 0 && left < count);
        firsts[passed_count] = check_cuts(check, order, cuts + 1, left, failures);
        passed[passed_count++] = cuts;
        order += left;
        cuts += left;
        count -= left;
    }
    bounds rest = count == 1 ? get_bounds(check->plots, order[0])
                             : check_row(check, order, cuts, count, failures);
    while (passed_count-- > 0) {
        *failures += !parts(check, passed[passed_count], firsts[passed_count], rest);
        rest = unite(firsts[passed_count], rest);
    }
    free(firsts);
    free(passed);
    return rest;
}

static uint32_t check_children(const property_check *check, uint32_t node) {
    const weighted_tree *tree = check->tree;
    const plot_columns *plots = check->plots;
    uint32_t first = tree->first_child[node], count = plots->visible_child_count[node];
    uint32_t failures = 0;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t child = plots->child_order[first + i];
        failures += child < first || child >= first + tree->child_count[node];
        failures += !(plots->x0[child] >= plots->x0[node] - check->slack);
        failures += !(plots->y0[child] >= plots->y0[node] - check->slack);
        failures += !(plots->x1[child] <= plots->x1[node] + check->slack);
        failures += !(plots->y1[child] <= plots->y1[node] + check->slack);
        failures += !(plots->x0[child] <= plots->x1[child] && plots->y0[child] <= plots->y1[child]);
        if (i == 0) continue;
        uint32_t before = plots->child_order[first + i - 1];
        failures += plots->value[before] < plots->value[child];
        failures += plots->value[before] == plots->value[child] && before > child;
    }
    if (count > 1) {
        check_cuts(check, plots->child_order + first, plots->cuts + first, count, &failures);
    }
    return failures;
}

// Order, nesting, and that every cut parts the plots. d3's arithmetic may carry a position beyond
// its bounds by a rounding error.
static void check_properties(const mc_treemap_desc *desc, const weighted_tree *tree,
                             const plot_columns *plots, const char *what) {
    double side = fmax(desc->width, desc->height);
    bool exact = desc->padding_kind == MC_PADDING_RELATIVE && desc->padding > 0;
    property_check check = {desc, tree, plots, exact ? 0 : side * 1e-7};
    uint32_t failures = 0;
    for (uint32_t i = 0; i < tree->count; i++) {
        failures += !isfinite(plots->x0[i]) || !isfinite(plots->y0[i]);
        failures += !isfinite(plots->x1[i]) || !isfinite(plots->y1[i]);
        if (plots->visible_child_count[i] > 0) failures += check_children(&check, i);
    }
    CHECK_MSG(failures == 0, "%u properties broken: %s, %s, padding %g", failures, what,
              TILING_NAMES[desc->tiling], desc->padding);
}

static void check_areas(const mc_treemap_desc *desc, const weighted_tree *tree,
                        const plot_columns *plots, const char *what) {
    uint32_t lost = 0;
    for (uint32_t i = 0; i < tree->count; i++) {
        bool has_area = plots->x1[i] > plots->x0[i] && plots->y1[i] > plots->y0[i];
        lost += plots->value[i] > 0 && !has_area;
    }
    CHECK_MSG(lost == 0, "%u plots lost: %s, %s, padding %g", lost, what,
              TILING_NAMES[desc->tiling], desc->padding);
}

// ---- d3-hierarchy ----

static double coefficient(uint32_t index) {
    uint32_t hash = (index + 1) * 0x9e3779b1u;
    hash = (hash ^ hash >> 15) * 0x85ebca77u;
    return (hash ^ hash >> 13) / 2147483648.0 - 1;
}

static const char *read_line(gzFile file) {
    static char line[256];
    REQUIRE(gzgets(file, line, sizeof line));
    return line;
}

static double scale_weight(const char *scaling, double weight) {
    if (strcmp(scaling, "sqrt") == 0) return sqrt(weight);
    return strcmp(scaling, "quadratic") == 0 ? weight * weight : weight;
}

// The largest difference from the values in `file`, in shares of the side.
static double compare_layout(gzFile file, const weighted_tree *tree, const plot_columns *plots,
                             uint32_t block_size, double side) {
    const double *columns[4] = {plots->x0, plots->y0, plots->x1, plots->y1};
    double largest = 0, sum = 0;
    for (uint32_t i = 0; i < tree->count; i++) {
        if (block_size == 0) {
            char *at = (char *)(uintptr_t)read_line(file);
            for (uint32_t axis = 0; axis < 4; axis++)
                largest = fmax(largest, fabs(strtod(at, &at) - columns[axis][i]));
            continue;
        }
        for (uint32_t axis = 0; axis < 4; axis++)
            sum += coefficient(4 * i + axis) * columns[axis][i];
        if ((i + 1) % block_size != 0 && i + 1 != tree->count) continue;
        largest = fmax(largest, fabs(strtod(read_line(file), NULL) - sum));
        sum = 0;
    }
    return largest / side;
}

static void test_against_d3(mc_treemap *map, const char *name) {
    char path[512];
    snprintf(path, sizeof path, "%s/layout/%s.tsv.gz", MC_TEST_DATA, name);
    gzFile file = gzopen(path, "rb");
    REQUIRE(file);
    uint32_t count;
    mc_treemap_desc desc = {0};
    REQUIRE(sscanf(read_line(file), "tree %u %lf %lf", &count, &desc.width, &desc.height) == 3);
    weighted_tree tree = tree_create(count);
    tree.count = count;
    double *weights = allocate(count, sizeof *weights);
    for (uint32_t i = 0; i < count; i++)
        REQUIRE(sscanf(read_line(file), "%u %lf", &tree.child_count[i], &weights[i]) == 2);
    tree_link(&tree);
    plot_columns plots = plots_create(count);

    for (uint32_t layout = 0; layout < 30; layout++) {
        uint32_t tiling, block_size;
        char scaling[16];
        REQUIRE(sscanf(read_line(file), "layout %u %15s %lf %u", &tiling, scaling, &desc.padding,
                       &block_size) == 4);
        REQUIRE(tiling < MC_TILING_COUNT);
        desc.tiling = (mc_tiling)tiling;
        desc.padding_kind = MC_PADDING_ABSOLUTE;
        for (uint32_t i = 0; i < count; i++)
            tree.weight[i] = scale_weight(scaling, weights[i]);
        lay_out(map, &desc, &tree, &plots);
        double difference =
            compare_layout(file, &tree, &plots, block_size, fmax(desc.width, desc.height));
        CHECK_MSG(difference <= 1e-9, "%g of the side: %s, %s, %s, padding %g", difference, name,
                  TILING_NAMES[tiling], scaling, desc.padding);
        check_properties(&desc, &tree, &plots, name);

        desc.padding_kind = MC_PADDING_RELATIVE;
        desc.padding = 0.02;
        lay_out(map, &desc, &tree, &plots);
        check_properties(&desc, &tree, &plots, name);
        if (tiling == MC_TILING_SQUARIFY && strcmp(scaling, "quadratic") != 0)
            check_areas(&desc, &tree, &plots, name);
    }
    gzclose(file);
    plots_destroy(&plots);
    tree_destroy(&tree);
    free(weights);
}

static void test_d3(mc_treemap *map) {
    static const char *const NAMES[] = {"root-only",
                                        "single-leaf",
                                        "equal",
                                        "zeros",
                                        "all-zero",
                                        "chain",
                                        "halves",
                                        "thin",
                                        "random-small",
                                        "random",
                                        "heavy-tail",
                                        "wide-ties",
                                        "deep",
                                        "perfetto-objects",
                                        "httpclient-3.0.1-bytes",
                                        "perfetto-bytes",
                                        "javac-daemon-bytes"};
    for (size_t i = 0; i < sizeof NAMES / sizeof NAMES[0]; i++)
        test_against_d3(map, NAMES[i]);
}

// ---- any input ----

static void test_random_trees(mc_treemap *map) {
    for (uint32_t round = 0; round < 60; round++) {
        weighted_tree tree = make_random_tree(50 + random_u32() % 3000, 2 + random_u32() % 120);
        plot_columns plots = plots_create(tree.count);
        for (uint32_t tiling = 0; tiling < MC_TILING_COUNT; tiling++) {
            mc_treemap_desc desc = {(mc_tiling)tiling, MC_PADDING_RELATIVE, 0.5, 1000, 300};
            for (uint32_t kind = 0; kind < 4; kind++) {
                desc.padding_kind = kind < 2 ? MC_PADDING_RELATIVE : MC_PADDING_ABSOLUTE;
                desc.padding = kind % 2 == 0 ? 0.03 : 7;
                lay_out(map, &desc, &tree, &plots);
                check_properties(&desc, &tree, &plots, "random");
                if (kind < 2) check_areas(&desc, &tree, &plots, "random");
            }
        }
        plots_destroy(&plots);
        tree_destroy(&tree);
    }
}

// A layout in which some nodes are invisible is the layout of the tree without them.
static void test_visible(mc_treemap *map) {
    weighted_tree full = make_random_tree(2000, 12), rest = tree_create(full.count);
    uint32_t *place = allocate(full.count, sizeof *place); // in `rest`
    full.visible = allocate(full.count, 1);
    full.visible[0] = 1;
    place[0] = 0;
    rest.count = 1;
    for (uint32_t i = 0; i < full.count; i++) {
        if (i > 0) full.visible[i] = random_u32() % 5 != 0;
        if (i > 0 && place[full.parent[i]] == MC_NONE) place[i] = MC_NONE;
        if (i > 0 && place[full.parent[i]] != MC_NONE)
            place[i] = full.visible[i] ? rest.count++ : MC_NONE;
        if (i > 0 && place[i] != MC_NONE) rest.child_count[place[full.parent[i]]]++;
        if (place[i] != MC_NONE) rest.weight[place[i]] = full.weight[i];
    }
    tree_link(&rest);
    plot_columns some = plots_create(full.count), all = plots_create(rest.count);
    for (uint32_t i = 0; i < full.count; i++)
        some.x1[i] = some.value[i] = NAN; // must be overwritten
    mc_treemap_desc desc = {MC_TILING_SQUARIFY, MC_PADDING_RELATIVE, 0.02, 1000, 1000};
    for (uint32_t i = 0; i < full.count; i++) {
        // An inner node whose children are all hidden weighs nothing.
        if (place[i] != MC_NONE && full.child_count[i] > 0 && rest.child_count[place[i]] == 0)
            rest.weight[place[i]] = 0;
    }
    lay_out(map, &desc, &full, &some);
    lay_out(map, &desc, &rest, &all);
    uint32_t differences = 0;
    for (uint32_t i = 0; i < full.count; i++) {
        uint32_t j = place[i];
        if (j == MC_NONE) {
            differences += some.x1[i] != 0 || some.y1[i] != 0 || some.value[i] != 0;
            continue;
        }
        // The kind of inset tells districts from buildings, also where a district has lost all.
        bool is_same_kind = (full.child_count[i] > 0) == (rest.child_count[j] > 0);
        differences += some.value[i] != all.value[j];
        differences += some.visible_child_count[i] != rest.child_count[j];
        if (is_same_kind) differences += some.x0[i] != all.x0[j] || some.y1[i] != all.y1[j];
    }
    CHECK_MSG(differences == 0, "%u", differences);
    full.visible[0] = 0;
    lay_out(map, &desc, &full, &some);
    CHECK(some.x1[0] == 0 && some.value[0] == 0 && some.visible_child_count[0] == 0);
    plots_destroy(&some);
    plots_destroy(&all);
    tree_destroy(&full);
    tree_destroy(&rest);
    free(place);
}

// Leaves that have a column of their own have the same plots in it, and so has the rest in the
// usual ones.
static void test_leaves(mc_treemap *map) {
    for (int i = 0; i < 20; i++) {
        weighted_tree tree = make_random_tree(i == 0 ? 1 : 2000, 12);
        if (i % 2 == 1) tree.visible = allocate(tree.count, 1);
        for (uint32_t node = 0; node < tree.count && tree.visible; node++)
            tree.visible[node] = random_u32() % 8 != 0;
        plot_columns usual = plots_create(tree.count), apart = plots_create(tree.count);
        mc_tree_view view = tree_view(&tree);
        mc_treemap_columns columns = plots_columns(&apart);
        columns.leaves = allocate(tree.count, sizeof *columns.leaves);
        const mc_treemap_desc desc = {.tiling = MC_TILING_SQUARIFY,
                                      .width = 1000,
                                      .height = 700,
                                      .padding_kind = MC_PADDING_RELATIVE,
                                      .padding = 0.05};
        lay_out(map, &desc, &tree, &usual);
        REQUIRE(columns.leaves && mc_treemap_layout(map, &desc, &view, NULL, &columns) == MC_OK);
        for (uint32_t node = 0; node < tree.count; node++) {
            const bool is_leaf = tree.child_count[node] == 0;
            const mc_leaf_plot leaf = columns.leaves[node];
            CHECK((is_leaf ? (double)leaf.x0 : apart.x0[node]) ==
                  (is_leaf ? (double)(float)usual.x0[node] : usual.x0[node]));
            CHECK((is_leaf ? (double)leaf.y0 : apart.y0[node]) ==
                  (is_leaf ? (double)(float)usual.y0[node] : usual.y0[node]));
            CHECK((is_leaf ? (double)leaf.x1 : apart.x1[node]) ==
                  (is_leaf ? (double)(float)usual.x1[node] : usual.x1[node]));
            CHECK((is_leaf ? (double)leaf.y1 : apart.y1[node]) ==
                  (is_leaf ? (double)(float)usual.y1[node] : usual.y1[node]));
        }
        free(columns.leaves);
        plots_destroy(&usual);
        plots_destroy(&apart);
        tree_destroy(&tree);
    }
}

// Where sums are rounded, they depend on the order in which values are added up.
static void test_sum_order(mc_treemap *map) {
    weighted_tree tree = tree_create(5);
    tree.count = 5;
    tree.child_count[0] = 4;
    tree.weight[1] = 1e16;
    tree.weight[2] = tree.weight[3] = tree.weight[4] = 1;
    tree_link(&tree);
    plot_columns plots = plots_create(tree.count);
    mc_treemap_desc desc = {MC_TILING_SQUARIFY, MC_PADDING_ABSOLUTE, 0, 1000, 1000};
    mc_tree_view view = tree_view(&tree);
    mc_treemap_columns columns = plots_columns(&plots);
    CHECK(mc_treemap_layout(map, &desc, &view, NULL, &columns) == MC_OK);
    CHECK(plots.value[0] == 1e16 + 4); // ((1 + 1) + 1) + 1e16
    uint32_t order[5] = {0, 2, 3, 4, 1};
    view.sum_order = order;
    CHECK(mc_treemap_layout(map, &desc, &view, NULL, &columns) == MC_OK);
    CHECK(plots.value[0] == 1e16); // ((1e16 + 1) + 1) + 1
    plots_destroy(&plots);
    tree_destroy(&tree);
}

static void test_deep_chain(mc_treemap *map) {
    weighted_tree tree = tree_create(20001);
    tree.count = 20001; // a chain of 10,000 districts, each with a building beside the next
    for (uint32_t i = 0; i < tree.count; i++) {
        bool is_district = i % 2 == 0 && i + 2 < tree.count;
        tree.child_count[i] = is_district ? 2 : 0;
        tree.weight[i] = i % 2 == 0 ? 1000 : 0;
    }
    tree_link(&tree);
    plot_columns plots = plots_create(tree.count);
    for (uint32_t tiling = 0; tiling < MC_TILING_COUNT; tiling++) {
        mc_treemap_desc desc = {(mc_tiling)tiling, MC_PADDING_RELATIVE, 1, 1000, 1000};
        lay_out(map, &desc, &tree, &plots);
        check_properties(&desc, &tree, &plots, "deep chain");
        check_areas(&desc, &tree, &plots, "deep chain");
        desc = (mc_treemap_desc){(mc_tiling)tiling, MC_PADDING_ABSOLUTE, 1, 1000, 1000};
        lay_out(map, &desc, &tree, &plots);
        check_properties(&desc, &tree, &plots, "deep chain");
    }
    plots_destroy(&plots);
    tree_destroy(&tree);
}

typedef double weight_function(uint32_t index);
static double weigh_equal(uint32_t index) {
    return index < UINT32_MAX ? 24 : 0;
}
static double weigh_nothing(uint32_t index) {
    return index < UINT32_MAX ? 0 : 1;
}
static double weigh_largest(uint32_t index) {
    return index % 3 == 0 ? DBL_MAX : DBL_MAX / 1e9;
}
static double weigh_smallest(uint32_t index) {
    return index % 5 * DBL_TRUE_MIN;
}
static double weigh_wildly(uint32_t index) {
    return index % 7 == 0 ? 1e20 : 1.0 / (index + 1);
}
static double weigh_close(uint32_t index) {
    return 1 + (index * 7919 % 1000) * DBL_EPSILON; // equal but in the last bits
}

// One district with very many children, and sums that doubles can't hold.
static void test_flat(mc_treemap *map) {
    static weight_function *const FUNCTIONS[] = {weigh_equal,    weigh_nothing, weigh_largest,
                                                 weigh_smallest, weigh_wildly,  weigh_close};
    static const uint32_t COUNTS[] = {2, 65, 1000, 200001};
    for (size_t function = 0; function < sizeof FUNCTIONS / sizeof FUNCTIONS[0]; function++) {
        for (size_t size = 0; size < sizeof COUNTS / sizeof COUNTS[0]; size++) {
            weighted_tree tree = tree_create(COUNTS[size]);
            tree.count = COUNTS[size];
            tree.child_count[0] = tree.count - 1;
            for (uint32_t i = 1; i < tree.count; i++)
                tree.weight[i] = FUNCTIONS[function](i);
            tree_link(&tree);
            plot_columns plots = plots_create(tree.count);
            for (uint32_t tiling = 0; tiling < MC_TILING_COUNT; tiling++) {
                mc_treemap_desc desc = {(mc_tiling)tiling, MC_PADDING_ABSOLUTE, 0, 1000, 1000};
                lay_out(map, &desc, &tree, &plots);
                check_properties(&desc, &tree, &plots, "flat");
                desc = (mc_treemap_desc){(mc_tiling)tiling, MC_PADDING_RELATIVE, 0.02, 1000, 1000};
                lay_out(map, &desc, &tree, &plots);
                check_properties(&desc, &tree, &plots, "flat");
            }
            plots_destroy(&plots);
            tree_destroy(&tree);
        }
    }
}

// ---- the grid of equal plots

static bool is_within(const plot_columns *plots, uint32_t node, uint32_t parent) {
    const double slack = 1e-9;
    return plots->x0[node] >= plots->x0[parent] - slack &&
           plots->y0[node] >= plots->y0[parent] - slack &&
           plots->x1[node] <= plots->x1[parent] + slack &&
           plots->y1[node] <= plots->y1[parent] + slack;
}

// All leaves that count are squares of one size in their districts, and cuts part what stands.
// Returns the side.
static double check_grid(const mc_treemap_desc *desc, const weighted_tree *tree,
                         const plot_columns *plots) {
    property_check check = {desc, tree, plots, 1e-4};
    uint32_t failures = 0, leaf_count = 0;
    double side = 0;
    for (uint32_t i = 0; i < tree->count; i++) {
        double width = plots->x1[i] - plots->x0[i], depth = plots->y1[i] - plots->y0[i];
        uint32_t count = plots->visible_child_count[i], parent = tree->parent[i];
        const uint32_t *order = plots->child_order + tree->first_child[i];
        bool is_shown = !tree->visible || tree->visible[i];
        bool parent_has_place = i == 0 || plots->value[parent] > 0;
        if (tree->child_count[i] == 0 && is_shown && parent_has_place && tree->weight[i] > 0) {
            leaf_count++;
            if (i == 0) continue; // a root alone is the whole ground
            if (side == 0) side = width;
            failures += !(side > 0) || fabs(width - side) > 1e-9 || fabs(depth - side) > 1e-9;
        }
        if (i > 0 && plots->value[i] > 0) failures += !is_within(plots, i, parent);
        if (i > 0 && plots->value[i] == 0) failures += width != 0 || depth != 0 || count != 0;
        if (count > 1)
            check_cuts(&check, order, plots->cuts + tree->first_child[i], count, &failures);
    }
    failures += plots->value[0] != leaf_count;
    CHECK_MSG(failures == 0, "%u properties broken, padding %g", failures, desc->padding);
    return side;
}

static mc_grid_order grid_order;

static void lay_out_grid(const mc_treemap_desc *desc, const weighted_tree *tree,
                         const plot_columns *plots) {
    mc_tree_view view = tree_view(tree);
    mc_treemap_columns columns = plots_columns(plots);
    REQUIRE(mc_plot_grid_layout(desc, grid_order, &view, NULL, &columns) == MC_OK);
}

static void test_grid(void) {
    for (uint32_t round = 0; round < 120; round++) {
        weighted_tree tree = make_random_tree(50 + random_u32() % 3000, 2 + random_u32() % 120);
        plot_columns plots = plots_create(tree.count);
        mc_treemap_desc desc = {MC_TILING_SQUARIFY, MC_PADDING_RELATIVE, round % 3 == 0 ? 0 : 0.02,
                                round % 2 ? 1000 : 400, 1000};
        if (round % 4 == 0) tree.visible = allocate(tree.count, 1);
        for (uint32_t i = 0; tree.visible && i < tree.count; i++) {
            // What is hidden hides what is in it; leaves of no weight have no place either.
            tree.visible[i] = i == 0 || (random_u32() % 5 != 0 && tree.visible[tree.parent[i]]);
            if (i % 7 == 0) tree.weight[i] = 0;
        }
        for (uint32_t i = 0; i < tree.count; i++)
            plots.x1[i] = plots.value[i] = NAN; // must be overwritten
        lay_out_grid(&desc, &tree, &plots);
        check_grid(&desc, &tree, &plots);
        plots_destroy(&plots);
        tree_destroy(&tree);
    }
}

// Many siblings fill the ground, and a deep chain keeps its squares.
static void test_grid_shapes(void) {
    mc_treemap_desc desc = {MC_TILING_SQUARIFY, MC_PADDING_RELATIVE, 0, 1000, 1000};
    weighted_tree flat = tree_create(10001), chain = tree_create(20001);
    flat.count = 10001;
    flat.child_count[0] = 10000;
    chain.count = 20001;
    for (uint32_t i = 0; i < 20001; i++) {
        if (i < flat.count) flat.weight[i] = 1 + i;
        chain.weight[i] = 1;
        chain.child_count[i] = i % 2 == 0 && i + 2 < chain.count ? 2 : 0;
    }
    tree_link(&flat);
    tree_link(&chain);
    plot_columns plots = plots_create(20001);
    lay_out_grid(&desc, &flat, &plots);
    CHECK(fabs(check_grid(&desc, &flat, &plots) - 10) < 1e-6);
    desc.width = 4000;
    lay_out_grid(&desc, &flat, &plots);
    CHECK(fabs(check_grid(&desc, &flat, &plots) - 20) < 1e-6);
    desc.padding = 0.02;
    lay_out_grid(&desc, &chain, &plots);
    CHECK(check_grid(&desc, &chain, &plots) > 1000.0 / 20001);
    plots_destroy(&plots);
    tree_destroy(&flat);
    tree_destroy(&chain);
}

// By count: what has the most leaves stands at the near left, equal ones go on to the right.
static void test_grid_order(void) {
    mc_treemap_desc desc = {MC_TILING_SQUARIFY, MC_PADDING_RELATIVE, 0.02, 1000, 1000};
    weighted_tree tree = tree_create(1 + 3 + 2 + 30 + 5);
    static const uint32_t leaves[] = {2, 30, 5};
    tree.count = 41;
    tree.child_count[0] = 3;
    for (uint32_t i = 0; i < 3; i++)
        tree.child_count[1 + i] = leaves[i];
    for (uint32_t i = 4; i < tree.count; i++)
        tree.weight[i] = 100 - i; // which does not matter
    tree_link(&tree);
    plot_columns plots = plots_create(tree.count);
    lay_out_grid(&desc, &tree, &plots);
    check_grid(&desc, &tree, &plots);
    for (uint32_t i = 1; i < 4; i++)
        CHECK(plots.x0[i] >= plots.x0[2] && plots.y1[i] <= plots.y1[2]);
    for (uint32_t i = 7; i < 6 + 30; i++) // one behind the other: to the right, or in the next row
        CHECK(plots.y1[i] < plots.y1[i - 1] - 1e-6 || plots.x0[i] > plots.x0[i - 1]);
    plots_destroy(&plots);
    tree_destroy(&tree);
}

static bool refuse(void *user, uint64_t done, uint64_t total) {
    uint32_t *reports_left = user;
    CHECK(done <= total);
    return (*reports_left)-- > 0;
}

// What a process on one core lays out is what several threads do.
static void test_threads(void) {
    static const mc_tiling tilings[] = {MC_TILING_SQUARIFY, MC_TILING_BINARY};
    weighted_tree tree = make_random_tree(200000, 300);
    plot_columns plots[2] = {plots_create(tree.count), plots_create(tree.count)};
    mc_tree_view view = tree_view(&tree);
    cpu_set_t all, one;
    REQUIRE(sched_getaffinity(0, sizeof all, &all) == 0);
    CPU_ZERO(&one);
    for (size_t core = 0; core < CPU_SETSIZE && CPU_COUNT(&one) == 0; core++)
        if (CPU_ISSET(core, &all)) CPU_SET(core, &one);
    for (size_t i = 0; i < sizeof tilings / sizeof *tilings; i++) {
        mc_treemap_desc desc = {tilings[i], MC_PADDING_RELATIVE, 0.02, 1000, 1000};
        for (int k = 0; k < 2; k++) {
            mc_treemap *map = create_map();
            mc_treemap_columns columns = plots_columns(&plots[k]);
            REQUIRE(sched_setaffinity(0, sizeof one, k == 0 ? &one : &all) == 0);
            CHECK(mc_treemap_layout(map, &desc, &view, NULL, &columns) == MC_OK);
            mc_treemap_destroy(map);
        }
        for (uint32_t node = 0; node < tree.count; node++)
            REQUIRE(
                plots[0].x0[node] == plots[1].x0[node] && plots[0].y1[node] == plots[1].y1[node] &&
                plots[0].x1[node] == plots[1].x1[node] && plots[0].y0[node] == plots[1].y0[node]);
    }
    plots_destroy(&plots[0]);
    plots_destroy(&plots[1]);
    tree_destroy(&tree);
}

// Memory runs out, the caller stops it, no cuts are wanted.
static void test_failures(void) {
    weighted_tree tree = make_random_tree(300000, 1000);
    tree.visible = allocate(tree.count, 1);
    memset(tree.visible, 1, tree.count);
    plot_columns plots = plots_create(tree.count);
    mc_treemap_desc desc = {MC_TILING_BINARY, MC_PADDING_RELATIVE, 0.02, 1000, 1000};
    mc_tree_view view = tree_view(&tree);
    mc_treemap_columns columns = plots_columns(&plots);
    mc_result result = MC_ERROR_OUT_OF_MEMORY;
    for (uint64_t allowed = 0; result != MC_OK; allowed++) {
        REQUIRE(allowed < 100);
        mc_treemap *map = NULL;
        mc_error error = {0};
        mc_memory_fail_after(allowed);
        result = mc_treemap_create(&map, &error);
        CHECK(result == error.code);
        if (result == MC_OK) result = mc_treemap_layout(map, &desc, &view, NULL, &columns);
        CHECK(result == MC_OK || result == MC_ERROR_OUT_OF_MEMORY);
        mc_memory_fail_after(UINT64_MAX);
        // The object is still good.
        if (map) CHECK(mc_treemap_layout(map, &desc, &view, NULL, &columns) == MC_OK);
        mc_treemap_destroy(map);
    }
    mc_treemap *map = create_map();
    for (uint32_t allowed = 0; allowed < 2; allowed++) {
        uint32_t reports_left = allowed;
        mc_progress progress = {refuse, &reports_left};
        CHECK(mc_treemap_layout(map, &desc, &view, &progress, &columns) == MC_ERROR_CANCELLED);
    }
    result = MC_ERROR_OUT_OF_MEMORY;
    for (uint64_t allowed = 0; result != MC_OK; allowed++) {
        REQUIRE(allowed < 100);
        mc_memory_fail_after(allowed);
        result = mc_plot_grid_layout(&desc, MC_GRID_BY_SIZE, &view, NULL, &columns);
        mc_memory_fail_after(UINT64_MAX);
        CHECK(result == MC_OK || result == MC_ERROR_OUT_OF_MEMORY);
    }
    uint32_t none_left = 0;
    mc_progress refused = {refuse, &none_left};
    CHECK(mc_plot_grid_layout(&desc, MC_GRID_BY_SIZE, &view, &refused, &columns) ==
          MC_ERROR_CANCELLED);
    CHECK(mc_treemap_layout(map, &desc, &view, NULL, &columns) == MC_OK);
    // Cuts are optional.
    double x1 = plots.x1[tree.count / 2];
    columns.cuts = NULL;
    CHECK(mc_treemap_layout(map, &desc, &view, NULL, &columns) == MC_OK);
    CHECK(plots.x1[tree.count / 2] == x1);
    mc_treemap_destroy(map);
    mc_treemap_destroy(NULL);
    plots_destroy(&plots);
    tree_destroy(&tree);
}

int main(void) {
    mc_treemap *map = create_map();
    test_d3(map);
    test_random_trees(map);
    test_visible(map);
    test_sum_order(map);
    test_deep_chain(map);
    test_flat(map);
    for (grid_order = MC_GRID_BY_SIZE; grid_order <= MC_GRID_BY_COUNT; grid_order++)
        test_grid();
    grid_order = MC_GRID_BY_COUNT;
    test_grid_shapes();
    test_grid_order();
    grid_order = MC_GRID_BY_SIZE;
    test_grid_shapes();
    test_threads();
    test_failures();
    test_leaves(map);
    mc_treemap_destroy(map);
    return test_finish();
}
