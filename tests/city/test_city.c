// The city's columns and the CPU reference of the update pass, against the formulas written out in
// double.
#include "engine/base/memory.h"
#include "engine/city/city_layout.h"
#include "engine/city/evaluate.h"
#include "tests/trace_maker.h"
#include "tests/trace_values.h"

static const test_leaf leaves[] = {
    {"a", "grows", {1, 5, 9, 10}},    {"a", "peaks", {2, 50, 3, 2}}, {"a", "new", {0, 0, 7, 4}},
    {"b", "shrinks", {20, 10, 5, 1}}, {"b", "gone", {6, 6, 0, 0}},   {"b", "late", {40, 1, 41, 44}},
    {"c", "steady", {3, 3, 3, 3}},
};

static mc_trace *trace;

static mc_city *make(mc_scaling scaling, uint32_t child_limit) {
    mc_city_desc desc = mc_city_desc_default(trace);
    desc.metric = MC_METRIC_OBJECTS;
    desc.scaling = scaling;
    desc.child_limit = child_limit;
    mc_city *city = NULL;
    REQUIRE(mc_city_create(trace, &desc, NULL, &city, NULL) == MC_OK);
    return city;
}

static uint32_t building(const mc_city *city, const char *key) {
    return city->node_building[test_find(trace, key)];
}

static bool inside(mc_plot inner, mc_plot outer) {
    float slack = 1e-3f;
    return inner.x0 >= outer.x0 - slack && inner.z0 >= outer.z0 - slack &&
           inner.x1 <= outer.x1 + slack && inner.z1 <= outer.z1 + slack;
}

static void test_columns(void) {
    mc_city *city = make(MC_SCALING_LINEAR, 0);
    CHECK(city->building_count == 7 && city->district_count == 4);
    CHECK(city->deepest_level == 1 && city->hidden_leaf_count == 0);
    CHECK(city->largest_growth == 9);
    CHECK(city->building_growth_rank[building(city, "Heap#a#grows")] == 0);
    CHECK(city->district_level[0] == 0 && city->district_base[0] == 0.0f);
    CHECK(city->district_building_count[0] == 7);
    uint32_t in_districts = 0;
    for (uint32_t d = 1; d < city->district_count; d++) {
        uint32_t first = city->district_building_first[d], count = city->district_building_count[d];
        in_districts += count;
        CHECK(city->district_parent[d] == 0 &&
              inside(city->district_plot[d], city->district_plot[0]));
        for (uint32_t b = first; b < first + count; b++) {
            CHECK(city->building_district[b] == d);
            CHECK(inside(city->building_plot[b], city->district_plot[d]));
            CHECK(city->building_base[b] == city->district_base[d] + city->district_height);
        }
    }
    CHECK(in_districts == 7);
    for (uint32_t b = 0; b < city->building_count; b++) {
        uint32_t node = city->building_node[b];
        CHECK(mc_city_find_node(city, node).building == b);
        CHECK(mc_city_get_node(city, mc_city_find_node(city, node)) == node);
    }
    CHECK(mc_city_get_node(city, MC_STRUCTURE_NONE) == MC_NONE);
    mc_city_destroy(city);

    city = make(MC_SCALING_LINEAR, 1);
    CHECK(city->building_count == 1 && city->hidden_leaf_count == 6);
    mc_city_destroy(city);
}

static double expected_scaling(mc_scaling scaling, double share) {
    return scaling == MC_SCALING_SQRT      ? sqrt(share)
           : scaling == MC_SCALING_LINEAR  ? share
           : scaling == MC_SCALING_UNIFORM ? share > 0
                                           : share * share;
}

static void check_building(const mc_city *city, const mc_update_params *params, uint32_t step,
                           uint32_t b) {
    uint32_t node = city->building_node[b];
    uint64_t value = test_value(trace, step, MC_METRIC_OBJECTS, node);
    uint64_t first = test_value(trace, 0, MC_METRIC_OBJECTS, node);
    mc_color color;
    mc_box box = mc_city_evaluate_building(city, params, b, value, value, &color);
    if (value == 0) {
        CHECK(box.height == 0.0f);
        return;
    }
    mc_plot plot = city->building_plot[b];
    double r = expected_scaling(city->desc.scaling, (double)value / (double)city->building_max[b]);
    double width = plot.x1 - plot.x0, depth = plot.z1 - plot.z0;
    double area = (double)(box.footprint.x1 - box.footprint.x0) *
                  (double)(box.footprint.z1 - box.footprint.z0);
    CHECK(fabs(area - width * depth * r) < 1e-4 * width * depth);
    CHECK(fabs(box.height - 2 * sqrt(width * depth * r)) < 1e-4 * sqrt(width * depth));
    CHECK(fabs((box.footprint.x0 + box.footprint.x1) - (plot.x0 + plot.x1)) < 1e-3);
    CHECK(inside(box.footprint, plot));
    double growth = value > first ? (double)(value - first) / (double)city->largest_growth : 0;
    growth = growth > 1 ? 1 : growth;
    double red =
        growth < 0.5
            ? params->gradient[0].r * (1 - 2 * growth) + params->gradient[1].r * 2 * growth
            : params->gradient[1].r * (2 - 2 * growth) + params->gradient[2].r * (2 * growth - 1);
    CHECK(fabs(color.r - red) < 1e-5);
    bool opaque = city->building_growth_rank[b] < params->opaque_count;
    CHECK(box.opacity == (opaque ? 1.0f : params->opacity) && color.opacity == box.opacity);
}

static void test_formulas(void) {
    for (int scaling = 0; scaling < MC_SCALING_ELEVATION; scaling++) {
        mc_city *city = make((mc_scaling)scaling, 0);
        mc_update_params params = mc_update_params_default(city);
        params.opaque_count = 3;
        for (uint32_t step = 0; step < 4; step++)
            for (uint32_t b = 0; b < city->building_count; b++)
                check_building(city, &params, step, b);
        mc_city_destroy(city);
    }
}

// Every leaf has the same square, heights are linear, what has nothing lies as a slab.
static void test_elevation(void) {
    mc_city *city = make(MC_SCALING_ELEVATION, 0);
    mc_update_params params = mc_update_params_default(city);
    CHECK(city->building_count == mc_trace_get_nodes(trace)->leaf_count);
    for (uint32_t step = 0; step < 4; step++)
        for (uint32_t b = 0; b < city->building_count; b++) {
            uint32_t node = city->building_node[b];
            uint64_t value = test_value(trace, step, MC_METRIC_OBJECTS, node);
            mc_plot plot = city->building_plot[b], first = city->building_plot[0];
            mc_box box = mc_city_evaluate_building(city, &params, b, value, value, NULL);
            float side = plot.x1 - plot.x0;
            float height = city->full_height * (float)value / (float)city->building_max[b];
            CHECK(fabsf(side - (first.x1 - first.x0)) < 1e-3f);
            CHECK(fabsf(side - (plot.z1 - plot.z0)) < 1e-3f);
            CHECK(fabsf(box.footprint.x0 - plot.x0) < 1e-3f &&
                  fabsf(box.footprint.z1 - plot.z1) < 1e-3f);
            CHECK(fabsf(box.height - fmaxf(height, MC_SLAB_SLENDERNESS * side)) < 1e-2f);
            CHECK(box.height <= mc_city_get_building_height(city, b));
            CHECK(city->building_max[b] == city->building_max[0]);
        }
    CHECK((uint64_t)city->largest_growth == city->building_max[0]);
    mc_city_destroy(city);
}

// Growing: first up, then out; shrinking: first in, then down; whole at both ends.
static void test_tween(void) {
    mc_city *city = make(MC_SCALING_LINEAR, 0);
    mc_update_params params = mc_update_params_default(city);
    uint32_t b = building(city, "Heap#a#peaks");
    mc_box small = mc_city_evaluate_building(city, &params, b, 2, 2, NULL);
    mc_box large = mc_city_evaluate_building(city, &params, b, 50, 50, NULL);
    params.blend = 0.0f;
    mc_box start = mc_city_evaluate_building(city, &params, b, 2, 50, NULL);
    CHECK(memcmp(&start, &small, sizeof start) == 0);
    params.blend = 1.0f;
    mc_box end = mc_city_evaluate_building(city, &params, b, 2, 50, NULL);
    CHECK(memcmp(&end, &large, sizeof end) == 0);
    float width = small.footprint.x1 - small.footprint.x0;
    params.blend = 0.4f;
    mc_box grows = mc_city_evaluate_building(city, &params, b, 2, 50, NULL);
    CHECK(grows.height > small.height * 1.5f);
    CHECK(fabsf(grows.footprint.x1 - grows.footprint.x0 - width) < 1e-3f);
    mc_box shrinks = mc_city_evaluate_building(city, &params, b, 50, 2, NULL);
    CHECK(shrinks.height == large.height);
    CHECK(shrinks.footprint.x1 - shrinks.footprint.x0 < large.footprint.x1 - large.footprint.x0);
    // What appears has a footprint from the start.
    mc_box appears = mc_city_evaluate_building(city, &params, b, 0, 50, NULL);
    CHECK(appears.height > 0 && appears.footprint.x1 > appears.footprint.x0);
    params.blend = 1.0f;
    mc_box gone = mc_city_evaluate_building(city, &params, b, 50, 0, NULL);
    CHECK(gone.height == 0.0f);
    mc_city_destroy(city);
}

static void test_highlights(void) {
    mc_city *city = make(MC_SCALING_LINEAR, 0);
    mc_update_params params = mc_update_params_default(city);
    uint32_t b = building(city, "Heap#a#grows");
    mc_color color, plain;
    params.flags = 0;
    mc_box box = mc_city_evaluate_building(city, &params, b, 10, 10, &plain);
    CHECK(box.opacity == 1.0f && plain.r == params.gradient[0].r);
    params.flags = MC_UPDATE_COLOR_BY_GROWTH | MC_UPDATE_OPACITY_BY_GROWTH;
    params.opaque_count = 0;
    params.opacity = 0.0f;
    box = mc_city_evaluate_building(city, &params, b, 10, 10, &color);
    CHECK(box.opacity == 0.0f && fabsf(color.r - params.gradient[2].r) < 1e-6f);
    params.selected_first = b;
    params.selected_count = 1;
    params.jump = 5.0f;
    box = mc_city_evaluate_building(city, &params, b, 10, 10, &color);
    CHECK(box.opacity == 1.0f && box.selected == 1);
    // What is selected is still seen to have grown.
    CHECK(fabsf(color.r - params.gradient[2].r) < 1e-6f &&
          fabsf(color.b - params.gradient[2].b) < 1e-6f);
    CHECK(box.base == city->building_base[b] + 5.0f);
    // If nothing grew, everything is gray.
    params = mc_update_params_default(city);
    params.growth_scale = 0.0f;
    mc_city_evaluate_building(city, &params, b, 10, 10, &color);
    CHECK(color.r == params.gradient[0].r);
    mc_city_destroy(city);
}

// Growth is the difference of 64-bit counts, not of floats, which could not tell these apart.
static void test_large_counts(void) {
    static const test_leaf large[] = {
        {"d", "x", {4000000000000000000, 4000000000000000050}},
        {"d", "y", {4000000000000000000, 4000000000000000100}},
    };
    mc_trace *wide = test_make_trace(large, 2, 2);
    mc_city_desc desc = mc_city_desc_default(wide);
    desc.metric = MC_METRIC_OBJECTS;
    mc_city *city = NULL;
    REQUIRE(mc_city_create(wide, &desc, NULL, &city, NULL) == MC_OK);
    CHECK(city->largest_growth == 100);
    mc_update_params params = mc_update_params_default(city);
    mc_color color;
    uint32_t b = city->node_building[test_find(wide, "Heap#d#x")];
    mc_city_evaluate_building(city, &params, b, 4000000000000000050, 4000000000000000050, &color);
    CHECK(fabsf(color.g - params.gradient[1].g) < 1e-6f);
    mc_city_destroy(city);
    mc_trace_destroy(wide);
}

static void test_odd_traces(void) {
    static const test_leaf nothing[] = {{"d", "x", {0, 0}}};
    mc_trace *empty = test_make_trace(nothing, 1, 2);
    mc_city_desc desc = mc_city_desc_default(empty);
    mc_city *city = NULL;
    REQUIRE(mc_city_create(empty, &desc, NULL, &city, NULL) == MC_OK);
    CHECK(city->building_count == 0 && city->district_count == 1);
    mc_city_destroy(city);
    mc_trace_destroy(empty);

    // A root alone is a building without a district.
    mc_trace_builder *builder = NULL;
    mc_step_tree tree = {0};
    mc_trace *lone = NULL;
    REQUIRE(mc_trace_builder_create(NULL, &builder, NULL) == MC_OK);
    test_add_node(&tree, MC_NONE, "Heap", 5);
    REQUIRE(mc_trace_builder_add_step(builder, &tree, "test", NULL) == MC_OK);
    REQUIRE(mc_trace_builder_finish(builder, &lone, NULL) == MC_OK);
    mc_trace_builder_destroy(builder);
    mc_step_tree_deinit(&tree);
    desc = mc_city_desc_default(lone);
    REQUIRE(mc_city_create(lone, &desc, NULL, &city, NULL) == MC_OK);
    CHECK(city->building_count == 1 && city->district_count == 0);
    CHECK(city->building_plot[0].x1 == 1000.0f && city->building_district[0] == MC_NONE);
    mc_city_destroy(city);
    mc_trace_destroy(lone);
}

// Three levels of districts of all sizes; the deepest hold a few buildings each.
static mc_trace *make_deep_of(int outer_count, int inner_count, int leaf_count) {
    mc_trace_builder *builder = NULL;
    mc_step_tree tree = {0};
    mc_trace *deep = NULL;
    uint32_t random = 7;
    char key[16];
    REQUIRE(mc_trace_builder_create(NULL, &builder, NULL) == MC_OK);
    uint32_t root = test_add_node(&tree, MC_NONE, "Heap", 0);
    for (int i = 0; i < outer_count; i++) {
        snprintf(key, sizeof key, "a%d", i);
        uint32_t outer = test_add_node(&tree, root, key, 0);
        for (int j = 0; j < inner_count; j++) {
            snprintf(key, sizeof key, "b%d", j);
            uint32_t inner = test_add_node(&tree, outer, key, 0);
            for (int k = 0; k < leaf_count; k++) {
                random = random * 1664525 + 1013904223;
                snprintf(key, sizeof key, "c%d", k);
                test_add_node(&tree, inner, key, 1 + (random >> 16) % 1000);
            }
        }
    }
    REQUIRE(mc_trace_builder_add_step(builder, &tree, "test", NULL) == MC_OK);
    REQUIRE(mc_trace_builder_finish(builder, &deep, NULL) == MC_OK);
    mc_trace_builder_destroy(builder);
    mc_step_tree_deinit(&tree);
    return deep;
}

static mc_trace *make_deep(void) {
    return make_deep_of(7, 5, 4);
}

typedef struct next_numbers {
    uint32_t building, district, item;
} next_numbers;

// Numbers are given depth first, in the order of the items. Returns the top of what is inside.
static float check_numbers(const mc_city *city, uint32_t district, next_numbers *next) {
    uint32_t first = city->district_item_first[district], level = city->district_level[district];
    float top = city->district_base[district] + city->district_height;
    REQUIRE(district == next->district++ && first == next->item);
    REQUIRE(city->district_building_first[district] == next->building);
    REQUIRE(city->node_district[city->district_node[district]] == district);
    next->item += city->district_item_count[district];
    for (uint32_t i = first; i < first + city->district_item_count[district]; i++) {
        uint32_t item = city->items[i] & ~MC_ITEM_DISTRICT;
        float height = 0;
        if (city->items[i] & MC_ITEM_DISTRICT) {
            REQUIRE(city->district_parent[item] == district);
            REQUIRE(city->district_level[item] == level + 1 && level + 1 <= city->deepest_level);
            height = check_numbers(city, item, next);
        } else {
            REQUIRE(item == next->building++ && city->building_district[item] == district);
            REQUIRE(city->node_building[city->building_node[item]] == item);
            height = city->building_base[item] + mc_city_get_building_height(city, item);
        }
        top = height > top ? height : top;
    }
    REQUIRE(next->building - city->district_building_first[district] ==
            city->district_building_count[district]);
    REQUIRE(city->district_top[district] == top);
    return top;
}

// So many that several threads number them, each its districts, and rank them.
static void test_wide(void) {
    mc_trace *wide = make_deep_of(60, 50, 100);
    mc_city_desc desc = mc_city_desc_default(wide);
    mc_city *city = NULL;
    desc.metric = MC_METRIC_OBJECTS;
    REQUIRE(mc_city_create(wide, &desc, NULL, &city, NULL) == MC_OK);
    next_numbers next = {0};
    CHECK(check_numbers(city, 0, &next) == city->highest_top);
    CHECK(next.building == 300000 && next.building == city->building_count);
    CHECK(next.district == 3061 && next.district == city->district_count);
    CHECK(next.item == 303060 && city->deepest_level == 2);
    // All grew from nothing: the larger ranks first, of equal ones the one that comes first.
    uint32_t *by_rank = malloc(city->building_count * sizeof *by_rank);
    REQUIRE(by_rank);
    for (uint32_t i = 0; i < city->building_count; i++)
        by_rank[i] = MC_NONE;
    for (uint32_t i = 0; i < city->building_count; i++) {
        REQUIRE(city->building_growth_rank[i] < city->building_count);
        by_rank[city->building_growth_rank[i]] = i;
    }
    for (uint32_t i = 1; i < city->building_count; i++) {
        REQUIRE(by_rank[i] != MC_NONE);
        uint64_t above = city->building_max[by_rank[i - 1]], max = city->building_max[by_rank[i]];
        REQUIRE(above > max || (above == max && city->building_node[by_rank[i - 1]] <
                                                    city->building_node[by_rank[i]]));
    }
    free(by_rank);
    mc_city_destroy(city);
    mc_trace_destroy(wide);
}

// How far the middle of what is inside, as a share of what is around, is from where it was.
static float get_move(mc_plot inner, mc_plot outer, mc_plot inner_before, mc_plot outer_before) {
    float x = (inner.x0 + inner.x1 - 2 * outer.x0) / (2 * (outer.x1 - outer.x0));
    float z = (inner.z0 + inner.z1 - 2 * outer.z0) / (2 * (outer.z1 - outer.z0));
    mc_plot i = inner_before, o = outer_before;
    x -= (i.x0 + i.x1 - 2 * o.x0) / (2 * (o.x1 - o.x0));
    z -= (i.z0 + i.z1 - 2 * o.z0) / (2 * (o.z1 - o.z0));
    return hypotf(x, z);
}

// What was left in a district is left where it is the city, for every tiling and scaling.
static void test_entered(mc_trace *deep, mc_tiling tiling, mc_scaling scaling) {
    mc_city_desc desc = mc_city_desc_default(deep);
    mc_city *whole = NULL, *part = NULL;
    desc.metric = MC_METRIC_OBJECTS;
    desc.treemap.tiling = tiling;
    desc.scaling = scaling;
    REQUIRE(mc_city_create(deep, &desc, NULL, &whole, NULL) == MC_OK);
    CHECK(whole->width == 1000.0f && whole->depth == 1000.0f);
    bool is_uniform = scaling == MC_SCALING_UNIFORM || scaling == MC_SCALING_ELEVATION;
    uint32_t entered_count = 0;
    for (uint32_t district = 1; district < whole->district_count; district++) {
        mc_plot plot = whole->district_plot[district];
        float ratio = (plot.x1 - plot.x0) / (plot.z1 - plot.z0);
        bool is_strip = ratio < 0.5f || ratio > 2.0f;
        desc.root_node = whole->district_node[district];
        REQUIRE(mc_city_create(deep, &desc, NULL, &part, NULL) == MC_OK);
        CHECK(fabsf(part->width * part->depth / 1e6f - 1) < 1e-4f);
        CHECK(part->width <= 2.001f * part->depth && part->depth <= 2.001f * part->width);
        CHECK(part->district_plot[0].x1 == part->width && part->district_plot[0].z1 == part->depth);
        bool fits = is_uniform || // rows stand in a square as in any other plot
                    fabsf(part->width / part->depth / ratio - 1) < 0.1f;
        CHECK(is_strip || fits);
        entered_count += !is_strip;
        for (uint32_t b = 0; b < part->building_count && !is_strip; b++) {
            uint32_t before = whole->node_building[part->building_node[b]];
            // Where methods stand follows from their number, names and the room that there is.
            if (scaling == MC_SCALING_ELEVATION) break;
            CHECK(get_move(part->building_plot[b], part->district_plot[0],
                           whole->building_plot[before], plot) < (is_uniform ? 0.2f : 0.1f));
        }
        mc_city_destroy(part);
    }
    CHECK(entered_count > 0 || tiling > MC_TILING_BINARY);
    mc_city_destroy(whole);
}

static void test_all_entered(void) {
    mc_trace *deep = make_deep();
    for (int tiling = 0; tiling < MC_TILING_COUNT; tiling++)
        for (int scaling = 0; scaling < MC_SCALING_COUNT; scaling++)
            test_entered(deep, (mc_tiling)tiling, (mc_scaling)scaling);
    mc_city_desc desc = mc_city_desc_default(deep);
    desc.root_node = test_find(deep, "Heap#a1");
    desc.keeps_shape = false;
    mc_city *square = NULL;
    REQUIRE(mc_city_create(deep, &desc, NULL, &square, NULL) == MC_OK);
    CHECK(square->width == 1000.0f && square->depth == 1000.0f);
    mc_city_destroy(square);
    mc_trace_destroy(deep);
}

static void test_out_of_memory(void) {
    mc_city_desc desc = mc_city_desc_default(trace);
    desc.root_node = test_find(trace, "Heap#b");
    for (uint64_t n = 0;; n++) {
        REQUIRE(n < 10000);
        mc_city *city = NULL;
        mc_error error = {0};
        mc_memory_fail_after(n);
        mc_result result = mc_city_create(trace, &desc, NULL, &city, &error);
        mc_memory_fail_after(UINT64_MAX);
        CHECK((result == MC_OK) == (city != NULL));
        mc_city_destroy(city);
        if (result == MC_OK) break;
        CHECK(result == MC_ERROR_OUT_OF_MEMORY && error.code == result);
    }
}

typedef struct test_progress {
    uint32_t count;
    double last;
    bool goes_back;
} test_progress;

static bool note_progress(void *user, uint64_t done, uint64_t total) {
    test_progress *progress = user;
    double at = (double)done / (double)total;
    progress->goes_back |= at < progress->last;
    progress->last = at;
    progress->count++;
    return true;
}

// It goes on, and says that all is done only when it is.
static void test_progress_of_parts(void) {
    for (int has_area = 0; has_area < 2; has_area++) {
        test_progress told = {0};
        const mc_progress progress = {note_progress, &told};
        mc_city_desc desc = mc_city_desc_default(trace);
        mc_city *city = NULL;
        if (has_area) desc.area_metric = MC_METRIC_OBJECTS;
        REQUIRE(mc_city_create(trace, &desc, &progress, &city, NULL) == MC_OK);
        CHECK(told.count > 1 && !told.goes_back && told.last > 0.3 && told.last < 0.95);
        mc_city_destroy(city);
    }
}

int main(void) {
    trace = test_make_trace(leaves, sizeof leaves / sizeof *leaves, 4);
    test_columns();
    test_formulas();
    test_elevation();
    test_tween();
    test_highlights();
    test_large_counts();
    test_odd_traces();
    test_all_entered();
    test_out_of_memory();
    test_progress_of_parts();
    test_wide();
    mc_trace_destroy(trace);
    return test_finish();
}
