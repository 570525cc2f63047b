// Values that the input does not have: they are no zeros, so nothing grows from them or shrinks to
// them.
#include "engine/analyze/max_tree.h"
#include "engine/analyze/suspects.h"
#include "engine/analyze/trend.h"
#include "engine/city/city.h"
#include "engine/city/city_layout.h"
#include "tests/test.h"
#include "tests/trace_maker.h"

enum { STEPS = 12, NONE = -1 };

// What groups retain, in steps 0 to 11.
static const struct {
    const char *key;
    int64_t values[STEPS];
} leaves[] = {
    {"comes", {NONE, NONE, 900, 900, 900, 900, 900, 900, 900, 900, 900, 900}},
    {"falls", {60, 55, 50, 45, 40, 35, 30, 25, 20, 15, 10, 5}},
    {"goes", {800, 800, 800, 800, 800, 800, 800, 800, 800, 800, NONE, NONE}},
    {"late", {NONE, NONE, NONE, NONE, 10, 60, 110, 160, 210, 260, 310, 360}},
    {"never", {NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE}},
    {"rises", {5, 15, 25, 35, 45, 55, 65, 75, 85, 95, 105, 115}},
    {"stays", {30, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30}},
};
enum { LEAF_COUNT = sizeof leaves / sizeof *leaves };

static mc_trace *make_trace(void) {
    mc_trace_builder *builder = NULL;
    mc_trace *trace = NULL;
    mc_step_tree tree = {0};
    mc_metric_info info = mc_metric_info_of_key("kept", 4);
    info.says = MC_METRIC_SAYS_ADDITIVE;
    info.is_additive = false;
    REQUIRE(mc_trace_builder_create(NULL, &builder, NULL) == MC_OK);
    for (uint32_t step = 0; step < STEPS; step++) {
        mc_step_tree_reset(&tree);
        tree.time_ms = 1000 * step;
        test_add_node(&tree, MC_NONE, "Heap", LEAF_COUNT);
        uint32_t metric = mc_step_tree_add_metric(&tree, &info);
        for (uint32_t i = 0; i < LEAF_COUNT; i++) {
            uint32_t node = test_add_node(&tree, 0, leaves[i].key, 1);
            if (leaves[i].values[step] != NONE)
                REQUIRE(
                    mc_step_tree_set_value(&tree, metric, node, (uint64_t)leaves[i].values[step]));
        }
        REQUIRE(mc_trace_builder_add_step(builder, &tree, "test", NULL) == MC_OK);
    }
    REQUIRE(mc_trace_builder_finish(builder, &trace, NULL) == MC_OK);
    mc_trace_builder_destroy(builder);
    mc_step_tree_deinit(&tree);
    return trace;
}

static uint32_t find(const mc_trace *trace, uint32_t leaf) {
    char key[64];
    snprintf(key, sizeof key, "Heap#%s", leaves[leaf].key);
    return test_find(trace, key);
}

static void test_ranks(const mc_trace *trace, mc_metric metric) {
    static const char *const expected[] = {"rises", "stays", "falls", "comes",
                                           "goes",  "late",  "never"};
    mc_max_tree tree = {0};
    uint32_t order[LEAF_COUNT];
    REQUIRE(mc_max_tree_compute(&tree, trace, metric, mc_step_range_whole(trace), NULL, NULL) ==
            MC_OK);
    REQUIRE(mc_max_tree_rank(&tree, mc_trace_get_nodes(trace), order, NULL) == MC_OK);
    for (uint32_t i = 0; i < LEAF_COUNT; i++) {
        const char *name = mc_trace_get_name(trace, order[i], NULL);
        CHECK_MSG(strcmp(name, expected[i]) == 0, "%s at %u, not %s", name, i, expected[i]);
        CHECK_MSG(mc_max_tree_knows_growth(&tree, order[i]) == (i < 3), "%s", name);
    }
    CHECK(tree.largest_growth == 110);
    mc_max_tree_deinit(&tree);
}

static void test_trends(const mc_trace *trace, mc_metric metric) {
    static const int directions[LEAF_COUNT] = {0, -1, 0, 1, 0, 1, 0};
    uint32_t nodes[LEAF_COUNT];
    mc_trend trends[LEAF_COUNT];
    for (uint32_t i = 0; i < LEAF_COUNT; i++)
        nodes[i] = find(trace, i);
    REQUIRE(mc_trend_compute_nodes(trace, metric, mc_step_range_whole(trace), nodes, LEAF_COUNT,
                                   trends, NULL, NULL) == MC_OK);
    for (uint32_t i = 0; i < LEAF_COUNT; i++)
        CHECK_MSG(trends[i].direction == directions[i], "%s: %d", leaves[i].key,
                  trends[i].direction);
    CHECK(trends[0].growth.kind == MC_GROWTH_NONE && trends[0].slope_per_s == 0);
    // of its own steps, at their times
    CHECK(trends[3].slope_per_s == 50 && trends[3].growth.since >= 4 &&
          trends[3].growth.until == 11);
}

static void test_suspects(const mc_trace *trace, mc_metric metric) {
    mc_suspects suspects = {0};
    REQUIRE(mc_suspects_find(trace, metric, mc_step_range_whole(trace), 0, NULL, &suspects, NULL) ==
            MC_OK);
    CHECK(suspects.verdict == MC_HEAP_GROWS && suspects.count == 2);
    // the one of which no growth is known by what its trend says
    CHECK(suspects.items[0].node == find(trace, 3) && suspects.items[0].growth == 350);
    CHECK(suspects.items[1].node == find(trace, 5) && suspects.items[1].growth == 110);
    mc_suspects_deinit(&suspects);
}

// A building of which it is not known has no colour of growth, and is behind those of which it is.
static void test_city(const mc_trace *trace, mc_metric metric) {
    mc_city *city;
    mc_city_desc desc = mc_city_desc_default(trace);
    desc.metric = metric;
    REQUIRE(mc_city_create(trace, &desc, NULL, &city, NULL) == MC_OK);
    uint32_t comes = city->node_building[find(trace, 0)],
             rises = city->node_building[find(trace, 5)];
    REQUIRE(comes != MC_NONE && rises != MC_NONE);
    CHECK(city->building_first[comes] == MC_COUNT_UNKNOWN && city->building_first[rises] == 5);
    CHECK(city->building_growth_rank[rises] == 0 && city->building_growth_rank[comes] == 3);
    CHECK(city->largest_growth == 110);
    mc_city_destroy(city);
}

int main(void) {
    mc_trace *trace = make_trace();
    mc_metric metric = mc_trace_find_metric(trace, "kept");
    REQUIRE(metric != MC_NONE && !mc_trace_get_metric(trace, metric)->is_additive);
    test_ranks(trace, metric);
    test_trends(trace, metric);
    test_suspects(trace, metric);
    test_city(trace, metric);
    mc_trace_destroy(trace);
    return test_finish();
}
