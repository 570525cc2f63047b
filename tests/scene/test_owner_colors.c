// Colours by what owners retain more: who piles up leads, arrays that merely belong to it are pale.
#include "engine/analyze/cause_finder.h"
#include "engine/city/city_layout.h"
#include "engine/city/evaluate.h"
#include "engine/scene/legend.h"
#include "engine/scene/style_source.h"
#include "tests/owner_trace.h"
#include <math.h>

#define GROWS(n)                                                                                \
    {                                                                                           \
        100 * (n), 200 * (n), 300 * (n), 400 * (n), 500 * (n), 600 * (n), 700 * (n), 800 * (n), \
            900 * (n), 1000 * (n), 1100 * (n), 1200 * (n)                                       \
    }
#define STAYS(n) \
    { n, n, n, n, n, n, n, n, n, n, n, n }
#define HALF_GROWS(n)                                                                          \
    {                                                                                          \
        50 * (n), 100 * (n), 150 * (n), 200 * (n), 250 * (n), 300 * (n), 350 * (n), 400 * (n), \
            450 * (n), 500 * (n), 550 * (n), 600 * (n)                                         \
    }

// Sessions pile up in a map, each with 960 bytes of arrays; orders in a list, half as much of them.
static const test_place places[] = {
    {-1, MC_ROOT_STATIC, "static app.Shop.sessions", "java.util.HashMap", STAYS(1), GROWS(1001),
     true, NULL},
    {0, 0, "table", "app.Session", GROWS(1), GROWS(1000), true, NULL},
    {1, 0, "body", "byte[]", GROWS(1), GROWS(960), false, NULL},
    {-1, MC_ROOT_STATIC, "static app.Shop.orders", "java.util.ArrayList", STAYS(1),
     HALF_GROWS(1001), true, NULL},
    {3, 0, "elementData", "app.Order", HALF_GROWS(1), HALF_GROWS(1000), true, NULL},
    {-1, MC_ROOT_STATIC, "static app.Shop.names", "app.Names", STAYS(10), STAYS(90000), true, NULL},
};
enum { COUNT = sizeof places / sizeof *places };

#define UNTIL_LAST(n)                                                                           \
    {                                                                                           \
        100 * (n), 200 * (n), 300 * (n), 400 * (n), 500 * (n), 600 * (n), 700 * (n), 800 * (n), \
            900 * (n), 1000 * (n), 1100 * (n), 0                                                \
    }
#define AT_LAST(n) \
    { [11] = 1200 * (n) }

// Sessions are held otherwise at the last step, and names that the library keeps grow a little.
static const test_place moved[] = {
    {-1, MC_ROOT_STATIC, "static app.Shop.sessions", "app.Session", UNTIL_LAST(1), UNTIL_LAST(1000),
     true, NULL},
    {-1, MC_ROOT_JNI_GLOBAL, "a handle", "app.Session", AT_LAST(1), AT_LAST(1000), true, NULL},
    {-1, MC_ROOT_INTERNED_STRING, "the interned strings", "java.lang.String", GROWS(1), GROWS(20),
     false, NULL},
};
enum { MOVED_COUNT = sizeof moved / sizeof *moved };

static mc_style_mapping get_mapping(const mc_trace *trace) {
    mc_look look = {.color_by_growth = true, .color_mode = MC_COLOR_MODE_OWNER};
    mc_style_mapping mapping;
    CHECK(!mc_style_mapping_init(&mapping, &look, trace, MC_METRIC_BYTES));
    return mapping;
}

static mc_city *make_city(const mc_trace *trace, const char *root) {
    mc_city_desc desc = mc_city_desc_default(trace);
    mc_city *city = NULL;
    desc.metric = MC_METRIC_BYTES;
    if (root) desc.root_node = test_find(trace, root);
    REQUIRE(mc_city_create(trace, &desc, NULL, &city, NULL) == MC_OK);
    return city;
}

static float get_share(const mc_styles *styles, const mc_city *city, const mc_trace *trace,
                       const char *key) {
    return styles->items[city->node_building[test_find(trace, key)]].to_share;
}

static void test_leads(const mc_trace *trace) {
    mc_style_mapping mapping = get_mapping(trace);
    CHECK(mapping.color_mode == MC_COLOR_MODE_OWNER);
    CHECK(mc_style_mapping_follows_time(&mapping, trace, MC_METRIC_BYTES));
    mc_city *city = make_city(trace, NULL);
    mc_style_source *source = NULL;
    REQUIRE(mc_style_source_create_mapped(trace, city, &mapping, NULL, &source, NULL) == MC_OK);
    const mc_styles *styles = mc_style_source_get(source);
    REQUIRE(mc_style_source_set_step(source, TEST_OWNER_STEPS - 1, true, NULL) == MC_OK);
    REQUIRE(styles->leading_count == 2);
    CHECK(styles->leading[0] == city->node_building[test_find(trace, "Heap#app.Session")]);
    CHECK(styles->leading[1] == city->node_building[test_find(trace, "Heap#app.Order")]);
    CHECK(fabsf(get_share(styles, city, trace, "Heap#app.Session") - 1) < 1e-6f);
    CHECK(fabsf(get_share(styles, city, trace, "Heap#app.Order") - 0.5f) < 1e-3f);
    // By its own growth it would be the first.
    CHECK(city->building_growth_rank[city->node_building[test_find(trace, "Heap#byte[]")]] == 0);
    CHECK(get_share(styles, city, trace, "Heap#byte[]") == MC_STYLE_OWNED_TINT);
    CHECK(get_share(styles, city, trace, "Heap#app.Names") == 0);

    mc_update_params params = mc_update_params_default(city);
    mc_legend legend;
    mc_legend_get(&legend, styles, city, trace, &params);
    CHECK(fabs(legend.full - 1100 * 1000) < 1101 * 1.5 && legend.apart_count == 1);
    mc_legend_apply(styles, &(mc_theme){0}, &params);
    CHECK(params.flags & MC_UPDATE_COLOR_BY_SHARE);

    // At first nothing has grown; in between, as far as it has come.
    REQUIRE(mc_style_source_set_step(source, 0, true, NULL) == MC_OK);
    CHECK(get_share(styles, city, trace, "Heap#app.Session") == 0);
    REQUIRE(mc_style_source_set_step(source, 6, false, NULL) == MC_OK);
    CHECK(fabsf(get_share(styles, city, trace, "Heap#app.Session") - 6.0f / 11) < 1e-3f);
    mc_style_source_destroy(source);
    mc_city_destroy(city);
}

// What leads in the picture is what sentences are about, in whatever way a cause was found.
static void test_agrees(const mc_trace *trace) {
    mc_style_mapping mapping = get_mapping(trace);
    mc_city *city = make_city(trace, NULL);
    mc_style_source *source = NULL;
    mc_causes causes = {0};
    const mc_causes_desc desc = {.metric = MC_METRIC_BYTES, .window = city->desc.window};
    REQUIRE(mc_causes_find(trace, &desc, NULL, &causes, NULL) == MC_OK);
    REQUIRE(mc_style_source_create_mapped(trace, city, &mapping, NULL, &source, NULL) == MC_OK);
    REQUIRE(mc_style_source_set_step(source, TEST_OWNER_STEPS - 1, true, NULL) == MC_OK);
    const mc_styles *styles = mc_style_source_get(source);
    CHECK(causes.count > 0);
    for (uint32_t i = 0; i < causes.count; i++) {
        uint32_t building = city->node_building[causes.items[i].node];
        bool leads = false;
        for (uint32_t k = 0; k < styles->leading_count; k++)
            leads = leads || styles->leading[k] == building;
        CHECK_MSG(leads, "cause %u of %u does not", i, causes.count);
    }
    mc_causes_deinit(&causes);
    mc_style_source_destroy(source);
    mc_city_destroy(city);
}

// A window in which nobody knows owners, and one of a single step.
static void test_growth_instead(const mc_trace *trace, uint32_t first, uint32_t last) {
    mc_style_mapping mapping = get_mapping(trace);
    mc_city_desc desc = mc_city_desc_default(trace);
    mc_city *city = NULL;
    mc_style_source *source = NULL;
    desc.metric = MC_METRIC_BYTES;
    desc.window = (mc_step_range){first, last};
    REQUIRE(mc_city_create(trace, &desc, NULL, &city, NULL) == MC_OK);
    REQUIRE(mc_style_source_create_mapped(trace, city, &mapping, NULL, &source, NULL) == MC_OK);
    REQUIRE(mc_style_source_set_step(source, last, true, NULL) == MC_OK);
    CHECK(mc_style_source_get(source)->color_mode == MC_COLOR_MODE_GROWTH);
    CHECK(mc_style_source_get(source)->leading_count == 0);
    mc_style_source_destroy(source);
    mc_city_destroy(city);
}

int main(void) {
    mc_trace *trace = test_make_owner_trace(places, COUNT, NULL, 0, TEST_OWNER_STEPS, 0);
    test_leads(trace);
    test_agrees(trace);
    test_growth_instead(trace, 3, 3);
    mc_trace_destroy(trace);
    trace = test_make_owner_trace(moved, MOVED_COUNT, NULL, 0, TEST_OWNER_STEPS, 0);
    test_agrees(trace);
    mc_trace_destroy(trace);
    trace = test_make_owner_trace(places, COUNT, NULL, 0, TEST_OWNER_STEPS, 1u << 9);
    test_growth_instead(trace, 0, 9);
    mc_trace_destroy(trace);
    trace = test_make_owner_trace(places, COUNT, NULL, 0, TEST_OWNER_STEPS, 0xfff);
    CHECK(get_mapping(trace).color_mode == MC_COLOR_MODE_GROWTH);
    mc_trace_destroy(trace);
    return test_finish();
}
