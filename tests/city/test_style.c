// Styles of buildings, the city of one district, and transitions from one city to another.
#include "engine/base/memory.h"
#include "engine/city/city_layout.h"
#include "engine/city/order.h"
#include "engine/city/pick.h"
#include "engine/city/style.h"
#include "engine/city/transition.h"
#include "tests/trace_maker.h"
#include "tests/trace_values.h"

static const test_leaf leaves[] = {
    {"a", "grows", {1, 5, 9, 10}},    {"a", "peaks", {2, 50, 3, 2}}, {"a", "new", {0, 0, 7, 4}},
    {"b", "shrinks", {20, 10, 5, 1}}, {"b", "gone", {6, 6, 0, 0}},   {"b", "late", {40, 1, 41, 44}},
    {"c", "steady", {3, 3, 3, 3}},
};

static mc_trace *trace;

static mc_city *make(const char *root, mc_scaling scaling) {
    mc_city_desc desc = mc_city_desc_default(trace);
    desc.metric = MC_METRIC_OBJECTS;
    desc.scaling = scaling;
    if (root) desc.root_node = test_find(trace, root);
    mc_city *city = NULL;
    REQUIRE(mc_city_create(trace, &desc, NULL, &city, NULL) == MC_OK);
    return city;
}

static uint32_t building(const mc_city *city, const char *key) {
    return city->node_building[test_find(trace, key)];
}

static void read_counts(const mc_city *city, uint32_t step, uint64_t *counts) {
    uint64_t values[32];
    REQUIRE(mc_trace_get_nodes(trace)->count <= 32);
    test_column(trace, step, MC_METRIC_OBJECTS, values);
    mc_city_gather(city, values, counts);
}

static void test_marks(void) {
    mc_city *city = make(NULL, MC_SCALING_LINEAR);
    mc_styles styles = {0};
    REQUIRE(mc_styles_init(&styles, city, NULL) == MC_OK);
    uint32_t nodes[] = {test_find(trace, "Heap#a"), test_find(trace, "Heap#a#new"),
                        test_find(trace, "Heap#c#steady")};
    mc_styles_mark(&styles, city, nodes, 3);
    CHECK(styles.is_marking && styles.marked_count == 4);
    CHECK(styles.items[building(city, "Heap#a#peaks")].bits & MC_STYLE_MARKED);
    CHECK(!(styles.items[building(city, "Heap#b#late")].bits & MC_STYLE_MARKED));

    uint64_t counts[8];
    read_counts(city, 3, counts);
    mc_update_params params = mc_update_params_default(city);
    params.flags |= MC_UPDATE_DIM_UNMARKED;
    params.dim_opacity = 0.25f;
    uint32_t late = building(city, "Heap#b#late"), grows = building(city, "Heap#a#grows");
    // Without styles the flag says nothing.
    CHECK(mc_city_evaluate_building(city, &params, late, 44, 44, NULL).opacity == 1.0f);
    city->styles = styles.items;
    CHECK(mc_city_evaluate_building(city, &params, late, 44, 44, NULL).opacity == 0.25f);
    CHECK(mc_city_evaluate_building(city, &params, grows, 10, 10, NULL).opacity == 1.0f);
    params.selected_first = late;
    params.selected_count = 1;
    CHECK(mc_city_evaluate_building(city, &params, late, 44, 44, NULL).opacity == 1.0f);

    mc_styles_mark(&styles, city, nodes, 0);
    CHECK(styles.is_marking && styles.marked_count == 0);
    mc_styles_mark(&styles, city, NULL, 0);
    CHECK(!styles.is_marking);
    mc_styles_deinit(&styles);
    mc_city_destroy(city);
}

static void test_demolished(void) {
    mc_city *city = make(NULL, MC_SCALING_LINEAR);
    mc_styles styles = {0};
    REQUIRE(mc_styles_init(&styles, city, NULL) == MC_OK);
    uint64_t whole[32] = {0}, freed[32] = {0};
    uint32_t district = test_find(trace, "Heap#a"), late_node = test_find(trace, "Heap#b#late");
    whole[late_node] = 44;
    freed[late_node] = 11;
    mc_styles_demolish(&styles, city, &district, 1, freed, whole);
    CHECK(styles.is_fading);
    city->styles = styles.items;
    uint32_t late = building(city, "Heap#b#late"), grows = building(city, "Heap#a#grows");
    mc_update_params params = mc_update_params_default(city);
    params.flags &= ~MC_UPDATE_OPACITY_BY_GROWTH;
    mc_color color;
    CHECK(mc_city_evaluate_building(city, &params, late, 44, 44, NULL).opacity == 1.0f);
    params.flags |= MC_UPDATE_FADE_FALLEN;
    float standing = MC_FALLEN_SHARE * 0.25f + 0.75f;
    mc_box box = mc_city_evaluate_building(city, &params, late, 44, 44, &color);
    CHECK(fabsf(box.opacity - standing) < 1e-6f && color.opacity == box.opacity);
    // An outline, also where it is selected.
    params.selected_first = grows;
    params.selected_count = 1;
    CHECK(mc_city_evaluate_building(city, &params, grows, 10, 10, &color).opacity ==
          MC_OUTLINE_OPACITY);
    CHECK(color.opacity == -MC_OUTLINE_OPACITY);
    // All of it goes; what has nothing at the step loses nothing.
    freed[late_node] = 50;
    mc_styles_demolish(&styles, city, &district, 1, freed, whole);
    CHECK(styles.items[late].standing == 0.0f);
    CHECK(styles.items[building(city, "Heap#c#steady")].standing == 1.0f);
    mc_styles_demolish(&styles, city, NULL, 0, NULL, NULL);
    CHECK(!styles.is_fading && styles.items[late].standing == 1.0f);
    CHECK(!(styles.items[grows].bits & MC_STYLE_DEMOLISHED));
    mc_styles_deinit(&styles);
    mc_city_destroy(city);
}

static void test_step_colors(void) {
    mc_city *city = make(NULL, MC_SCALING_LINEAR);
    mc_styles styles = {0};
    uint64_t counts[4][8];
    REQUIRE(mc_styles_init(&styles, city, NULL) == MC_OK);
    for (uint32_t step = 0; step < 4; step++)
        read_counts(city, step, counts[step]);
    uint32_t grows = building(city, "Heap#a#grows"), late = building(city, "Heap#b#late");
    mc_styles_color_by_step(&styles, counts[0], counts[1], true);
    CHECK(styles.color_mode == MC_COLOR_MODE_STEP && styles.full_share == 48);
    CHECK(styles.items[grows].to_share == 4.0f / 48.0f);
    CHECK(styles.items[grows].from_share == styles.items[grows].to_share);
    CHECK(styles.items[late].to_share == 0.0f); // shrinks
    mc_styles_color_by_step(&styles, counts[1], counts[2], false);
    CHECK(styles.full_share == 40 && styles.items[late].to_share == 1.0f);
    CHECK(styles.items[grows].from_share == 4.0f / 48.0f);
    mc_styles_color_by_step(&styles, counts[2], counts[2], false);
    CHECK(styles.full_share == 0 && styles.items[late].to_share == 0.0f);

    // The gradient at half of the way between the two shares.
    city->styles = styles.items;
    mc_update_params params = mc_update_params_default(city);
    params.flags = MC_UPDATE_COLOR_BY_SHARE;
    params.blend = 0.5f;
    mc_color color;
    (void)mc_city_evaluate_building(city, &params, late, 41, 41, &color);
    CHECK(fabsf(color.r - params.gradient[1].r) < 1e-6f &&
          fabsf(color.b - params.gradient[1].b) < 1e-6f);

    float column[8] = {0};
    column[grows] = 2.5f;
    column[late] = -3.0f;
    mc_styles_color_by_trend(&styles, column);
    CHECK(styles.full_share == 2.5 && styles.items[grows].to_share == 1.0f);
    CHECK(styles.items[late].to_share == 0.0f && styles.items[late].from_share == 0.0f);
    mc_styles_deinit(&styles);
    mc_city_destroy(city);
}

static uint32_t get_class(const mc_styles *styles, uint32_t building_index) {
    return styles->items[building_index].bits >> MC_STYLE_CLASS_SHIFT & MC_STYLE_CLASS_MASK;
}

// Levels and roles of made-up node columns: more than there are classes.
// Both ways, by the largest change of either; what shrinks has colours of its own.
static void test_pinned_colors(void) {
    mc_city *city = make(NULL, MC_SCALING_LINEAR);
    mc_styles styles = {0};
    uint64_t counts[4][8];
    REQUIRE(mc_styles_init(&styles, city, NULL) == MC_OK);
    for (uint32_t step = 0; step < 4; step++)
        read_counts(city, step, counts[step]);
    uint32_t late = building(city, "Heap#b#late"), grows = building(city, "Heap#a#grows");
    double most = 0;
    for (uint32_t i = 0; i < city->building_count; i++)
        most = fmax(most, fabs((double)counts[2][i] - (double)counts[1][i]));
    mc_styles_color_by_pin(&styles, 1, counts[1], counts[2], true);
    CHECK(styles.color_mode == MC_COLOR_MODE_PIN && styles.pin == 1 && styles.full_share == most);
    CHECK(styles.items[late].to_share == (float)(40 / most));
    CHECK(styles.items[late].from_share == styles.items[late].to_share);
    float share = styles.items[grows].to_share;
    mc_styles_color_by_pin(&styles, 2, counts[2], counts[1], false);
    CHECK(styles.pin == 2 && styles.full_share == most);
    CHECK(styles.items[late].to_share == -styles.items[late].from_share);
    CHECK(styles.items[grows].to_share == -share);
    mc_styles_color_by_pin(&styles, 2, counts[2], counts[2], false);
    CHECK(styles.full_share == 0 && styles.items[late].to_share == 0.0f);

    // What hardly changed has hardly a colour, where the least that has all of it is known.
    styles.least_full = 4 * most;
    mc_styles_color_by_pin(&styles, 1, counts[1], counts[2], true);
    CHECK(styles.full_share == 4 * most && styles.items[late].to_share == (float)(10 / most));
    mc_styles_color_by_step(&styles, counts[1], counts[2], true);
    CHECK(styles.full_share == 4 * most);
    mc_styles_color_by_pin(&styles, 2, counts[2], counts[2], true);
    CHECK(styles.full_share == 0);

    city->styles = styles.items;
    mc_update_params params = mc_update_params_default(city);
    params.flags = MC_UPDATE_COLOR_BY_SHARE;
    mc_color color;
    styles.items[late].from_share = styles.items[late].to_share = -1.0f;
    (void)mc_city_evaluate_building(city, &params, late, 44, 44, &color);
    CHECK(color.r == params.shrinking[1].r && color.b == params.shrinking[1].b);
    styles.items[late].from_share = styles.items[late].to_share = -0.5f;
    (void)mc_city_evaluate_building(city, &params, late, 44, 44, &color);
    CHECK(fabsf(color.g - params.shrinking[0].g) < 1e-6f);
    mc_styles_deinit(&styles);
    mc_city_destroy(city);
}

static void test_classes(void) {
    enum { COUNT = 40 };
    uint32_t building_node[COUNT], level[COUNT], role[COUNT];
    for (uint32_t i = 0; i < COUNT; i++) {
        building_node[i] = i;
        level[i] = 3 + i % 5;
        role[i] = i % 12 == 11 ? MC_NONE : i % 12; // 0 to 3 occur four times, the others three
    }
    mc_city city = {.building_count = COUNT, .building_node = building_node};
    mc_node_columns nodes = {.count = COUNT, .level = level, .role = role};
    mc_styles styles = {0};
    REQUIRE(mc_styles_init(&styles, &city, NULL) == MC_OK);
    mc_styles_color_by_level(&styles, &city, &nodes);
    CHECK(styles.class_count == 5 && !styles.has_other_classes);
    CHECK(styles.classes[0] == 3 && styles.classes[4] == 7);
    CHECK(get_class(&styles, 7) == 2);
    level[9] = 30;
    mc_styles_color_by_level(&styles, &city, &nodes);
    CHECK(styles.class_count == MC_CLASS_COUNT && styles.has_other_classes);
    CHECK(get_class(&styles, 9) == MC_CLASS_COUNT - 1 && get_class(&styles, 7) == 2);

    REQUIRE(mc_styles_color_by_role(&styles, &city, &nodes, NULL) == MC_OK);
    CHECK(styles.class_count == MC_CLASS_COUNT && styles.has_other_classes);
    for (uint32_t i = 0; i < 4; i++)
        CHECK(styles.classes[i] == i && get_class(&styles, i) == i);
    CHECK(get_class(&styles, 10) == MC_CLASS_COUNT - 1);
    CHECK(get_class(&styles, 11) == MC_CLASS_COUNT - 1);
    for (uint32_t i = 0; i < COUNT; i++)
        role[i] = i == 5 ? MC_NONE : 0;
    REQUIRE(mc_styles_color_by_role(&styles, &city, &nodes, NULL) == MC_OK);
    CHECK(styles.class_count == 2 && !styles.has_other_classes);
    CHECK(styles.classes[0] == 0 && styles.classes[1] == MC_NONE);
    CHECK(get_class(&styles, 5) == 1 && get_class(&styles, 6) == 0);
    mc_styles_deinit(&styles);
}

// Root 0 with one child, 1, that has ten: 2 to 11; buildings are their children, and one of them.
static void test_packages(void) {
    enum { PACKAGES = 10, COUNT = 21, NODES = 2 + PACKAGES + COUNT };
    uint32_t parent[NODES] = {MC_NONE, 0}, level[NODES] = {0, 1}, building_node[COUNT];
    uint64_t max[COUNT];
    for (uint32_t p = 0; p < PACKAGES; p++) {
        parent[2 + p] = 1;
        level[2 + p] = 2;
    }
    for (uint32_t i = 0; i < COUNT; i++) {
        uint32_t node = 2 + PACKAGES + i;
        parent[node] = i + 1 < COUNT ? 2 + i / 2 : 1; // the last stands beside the packages
        level[node] = level[parent[node]] + 1;
        building_node[i] = node;
        max[i] = i / 2 == 3 ? 1000 : 100 - i;
    }
    mc_city city = {.building_count = COUNT, .building_node = building_node, .building_max = max};
    mc_node_columns nodes = {.count = NODES, .level = level, .parent = parent};
    mc_styles styles = {0};
    REQUIRE(mc_styles_init(&styles, &city, NULL) == MC_OK);
    REQUIRE(mc_styles_color_by_package(&styles, &city, &nodes, NULL) == MC_OK);
    CHECK(styles.color_mode == MC_COLOR_MODE_PACKAGE &&
          mc_color_mode_has_classes(styles.color_mode));
    CHECK(styles.class_count == MC_CLASS_COUNT && styles.has_other_classes);
    CHECK(styles.classes[0] == 2 + 3 && styles.classes[1] == 2 && styles.classes[2] == 3);
    CHECK(get_class(&styles, 6) == 0 && get_class(&styles, 7) == 0 && get_class(&styles, 0) == 1);
    CHECK(get_class(&styles, 19) == MC_CLASS_COUNT - 1 &&
          get_class(&styles, 20) == MC_CLASS_COUNT - 1);
    // A city of one package has those in it.
    city.building_count = styles.count = 2;
    REQUIRE(mc_styles_color_by_package(&styles, &city, &nodes, NULL) == MC_OK);
    CHECK(styles.class_count == 2 && !styles.has_other_classes);
    CHECK(styles.classes[0] == building_node[0] && get_class(&styles, 1) == 1);
    city.building_count = styles.count = 1;
    REQUIRE(mc_styles_color_by_package(&styles, &city, &nodes, NULL) == MC_OK);
    CHECK(styles.class_count == 1 && styles.classes[0] == building_node[0]);
    city.building_count = styles.count = 0;
    REQUIRE(mc_styles_color_by_package(&styles, &city, &nodes, NULL) == MC_OK);
    CHECK(styles.class_count == 0);
    mc_styles_deinit(&styles);
}

static void test_heights(void) {
    CHECK(mc_height_class_get(MC_HEIGHT_MODE_OBJECTS, 10) == 0);
    CHECK(mc_height_class_get(MC_HEIGHT_MODE_OBJECTS, 11) == 1);
    CHECK(mc_height_class_get(MC_HEIGHT_MODE_BYTES, 1e300) == 4);
    CHECK(mc_height_class_get(MC_HEIGHT_MODE_OBJECT_SIZE, 64.5) == 2);
    mc_city *city = make(NULL, MC_SCALING_LINEAR);
    mc_styles styles = {0};
    REQUIRE(mc_styles_init(&styles, city, NULL) == MC_OK);
    double values[8] = {0};
    uint32_t b = building(city, "Heap#b#late");
    values[b] = 1e8;
    mc_styles_height_by(&styles, MC_HEIGHT_MODE_OBJECTS, values, false);
    CHECK(styles.items[b].bits ==
          (4u << MC_STYLE_FROM_HEIGHT_SHIFT | 4u << MC_STYLE_TO_HEIGHT_SHIFT));
    values[b] = 500;
    mc_styles_height_by(&styles, MC_HEIGHT_MODE_OBJECTS, values, false);
    CHECK(styles.items[b].bits ==
          (4u << MC_STYLE_FROM_HEIGHT_SHIFT | 1u << MC_STYLE_TO_HEIGHT_SHIFT));
    mc_update_params params = mc_update_params_default(city);
    float plain = mc_city_evaluate_building(city, &params, b, 44, 44, NULL).height;
    city->styles = styles.items;
    params.flags |= MC_UPDATE_HEIGHT_BY_CLASS;
    CHECK(mc_city_evaluate_building(city, &params, b, 44, 44, NULL).height == plain * 0.25f);
    params.blend = 0.0f;
    CHECK(mc_city_evaluate_building(city, &params, b, 44, 44, NULL).height == plain);
    mc_styles_deinit(&styles);
    mc_city_destroy(city);
}

// Cuts and plots fit each other: the painter's order has every building once, and a ray from above
// finds each.
static void check_cuts(const mc_city *city) {
    uint32_t scratch[64][3], order[8], seen = 0;
    REQUIRE(mc_city_order_scratch_count(city) <= 64 && city->building_count <= 8);
    mc_city_order(city, 400.0f, 500.0f, scratch, order);
    for (uint32_t i = 0; i < city->building_count; i++)
        seen |= 1u << order[i];
    CHECK(seen == (1u << city->building_count) - 1);
    mc_update_params params = mc_update_params_default(city);
    for (uint32_t i = 0; i < city->building_count; i++) {
        mc_plot plot = city->building_plot[i];
        mc_ray ray = {{0.5f * (plot.x0 + plot.x1), 9000.0f, 0.5f * (plot.z0 + plot.z1)},
                      {0.0f, -1.0f, 0.0f}};
        mc_hit hit = mc_city_pick(city, &params, city->building_max, city->building_max, ray);
        CHECK(hit.structure.building == i);
    }
}

static void check_part(const char *root, uint32_t buildings, uint32_t districts, int64_t growth,
                       const char *strongest) {
    mc_city *city = make(root, MC_SCALING_LINEAR);
    CHECK(city->building_count == buildings && city->district_count == districts);
    CHECK(city->largest_growth == growth);
    uint32_t b = building(city, strongest);
    REQUIRE(b != MC_NONE);
    CHECK(city->building_growth_rank[b] == 0);
    double area = 0;
    for (uint32_t i = 0; i < city->building_count; i++) {
        mc_plot plot = city->building_plot[i];
        area += (double)(plot.x1 - plot.x0) * (double)(plot.z1 - plot.z0);
        CHECK(mc_city_find_node(city, city->building_node[i]).building == i);
    }
    CHECK(area > 0.85e6 && area <= 1e6 + 1);
    if (districts > 0) CHECK(city->district_node[0] == test_find(trace, root));
    if (districts > 0) CHECK(city->district_plot[0].x1 == city->width);
    uint32_t outside = city->node_count;
    for (uint32_t node = 0; node < city->node_count; node++)
        outside -= city->node_building[node] != MC_NONE || city->node_district[node] != MC_NONE;
    CHECK(outside == city->node_count - buildings - districts);
    check_cuts(city);
    mc_city_destroy(city);
}

static void test_parts(void) {
    check_part("Heap#a", 3, 1, 9, "Heap#a#grows");
    check_part("Heap#b", 3, 1, 4, "Heap#b#late");
    check_part("Heap#c#steady", 1, 0, 0, "Heap#c#steady");
    mc_city *whole = make(NULL, MC_SCALING_LINEAR), *named = make("Heap", MC_SCALING_LINEAR);
    CHECK(whole->building_count == named->building_count);
    CHECK(memcmp(whole->building_plot, named->building_plot,
                 whole->building_count * sizeof(mc_plot)) == 0);
    mc_city_destroy(whole);
    mc_city_destroy(named);
}

static void test_transition(void) {
    mc_city *old = make(NULL, MC_SCALING_LINEAR), *now = make("Heap#b", MC_SCALING_SQRT);
    uint64_t old_counts[8], counts[8];
    read_counts(old, 0, old_counts);
    read_counts(now, 0, counts);
    mc_update_params old_params = mc_update_params_default(old);
    old_params.jump = 99.0f;
    mc_box *before = mc_transition_create(now, old, &old_params, old_counts, old_counts, NULL);
    REQUIRE(before);
    now->before = before;
    old_params.jump = 0.0f;
    mc_update_params params = mc_update_params_default(now);
    for (uint32_t b = 0; b < now->building_count; b++) {
        uint32_t was = old->node_building[now->building_node[b]];
        mc_box there = mc_city_evaluate_building(old, &old_params, was, old_counts[was],
                                                 old_counts[was], NULL);
        params.transition = 1.0f;
        mc_box here = mc_city_evaluate_building(now, &params, b, counts[b], counts[b], NULL);
        params.transition = 0.0f;
        mc_box begin = mc_city_evaluate_building(now, &params, b, counts[b], counts[b], NULL);
        params.transition = 0.5f;
        mc_box middle = mc_city_evaluate_building(now, &params, b, counts[b], counts[b], NULL);
        CHECK(memcmp(&begin.footprint, &there.footprint, sizeof begin.footprint) == 0);
        CHECK(begin.height == there.height && begin.base == there.base);
        CHECK(fabsf(middle.height - 0.5f * (there.height + here.height)) < 1e-3f);
        CHECK(fabsf(middle.footprint.x1 - 0.5f * (there.footprint.x1 + here.footprint.x1)) < 1e-3f);
        if (counts[b] == 0) continue;
        // A ray from above finds it where it will be.
        mc_ray ray = {{0.5f * (here.footprint.x0 + here.footprint.x1), 5000.0f,
                       0.5f * (here.footprint.z0 + here.footprint.z1)},
                      {0.0f, -1.0f, 0.0f}};
        CHECK(mc_city_pick(now, &params, counts, counts, ray).structure.building == b);
    }
    uint32_t district = now->building_count;
    CHECK(before[district].base ==
          old->district_base[old->node_district[test_find(trace, "Heap#b")]]);

    // Back again: what the small city did not have rises from its place.
    params.transition = 1.0f;
    mc_box *back = mc_transition_create(old, now, &params, counts, counts, NULL);
    REQUIRE(back);
    uint32_t fresh = building(old, "Heap#a#grows");
    CHECK(back[fresh].height == 0.0f);
    old->before = back;
    old_params.transition = 0.5f;
    mc_box rising = mc_city_evaluate_building(old, &old_params, fresh, 1, 1, NULL);
    old_params.transition = 1.0f;
    mc_box risen = mc_city_evaluate_building(old, &old_params, fresh, 1, 1, NULL);
    CHECK(rising.footprint.x0 == risen.footprint.x0);
    CHECK(fabsf(rising.height - 0.5f * risen.height) < 1e-4f);
    mc_free(before);
    mc_free(back);
    mc_city_destroy(old);
    mc_city_destroy(now);
}

int main(void) {
    trace = test_make_trace(leaves, sizeof leaves / sizeof *leaves, 4);
    test_marks();
    test_demolished();
    test_step_colors();
    test_pinned_colors();
    test_classes();
    test_packages();
    test_heights();
    test_parts();
    test_transition();
    mc_trace_destroy(trace);
    return test_finish();
}
