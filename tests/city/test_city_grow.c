// A city of a trace that grows: room to grow, and nodes that get other numbers.
#include "engine/base/memory.h"
#include "engine/city/city.h"
#include "tests/trace_maker.h"

static mc_error error;

static mc_city *create(const mc_trace *trace, double headroom) {
    mc_city_desc desc = mc_city_desc_default(trace);
    mc_city *city = NULL;
    desc.headroom = headroom;
    desc.metric = MC_METRIC_OBJECTS;
    REQUIRE(mc_city_create(trace, &desc, NULL, &city, &error) == MC_OK);
    return city;
}

static const test_leaf small[] = {
    {"a", "x", {100, 1000}}, {"a", "y", {1, 1}}, {"b", "z", {50, 300}}, {"b", "w", {7, 0}}};
// As above, but a little larger where there is room.
static const test_leaf grown[] = {
    {"a", "x", {100, 1005}}, {"a", "y", {1, 1}}, {"b", "z", {50, 310}}, {"b", "w", {7, 0}}};

static void test_headroom(void) {
    mc_trace *before = test_make_trace(small, 4, 2), *after = test_make_trace(grown, 4, 2);
    mc_city *city = create(before, 0.25), *next = create(after, 0.25), *exact = create(before, 0);
    REQUIRE(city->building_count == 4 && next->building_count == 4);
    for (uint32_t i = 0; i < 4; i++) {
        uint64_t max = exact->building_max[exact->node_building[city->building_node[i]]];
        CHECK(city->building_max[i] >= max &&
              (double)city->building_max[i] <= (double)max * 1.25 + 1);
        CHECK(city->building_first[i] ==
              exact->building_first[exact->node_building[city->building_node[i]]]);
        // Nothing moves while there is room.
        CHECK(memcmp(&city->building_plot[i], &next->building_plot[i], sizeof(mc_plot)) == 0);
    }
    CHECK(exact->building_max[exact->node_building[test_find(before, "Heap#a#x")]] == 1000);
    mc_city_destroy(city);
    mc_city_destroy(next);
    mc_city_destroy(exact);
    mc_trace_destroy(before);
    mc_trace_destroy(after);
}

static void test_renumber(void) {
    static const test_leaf more[] = {{"a", "x", {100, 1000}}, {"a", "xx", {0, 5}},
                                     {"a", "y", {1, 1}},      {"aa", "new", {0, 9}},
                                     {"b", "z", {50, 300}},   {"b", "w", {7, 0}}};
    mc_trace *before = test_make_trace(small, 4, 2), *after = test_make_trace(more, 6, 2);
    mc_city *city = create(before, 0), *was = create(before, 0);
    uint32_t count = mc_trace_get_nodes(before)->count;
    uint32_t *map = mc_alloc(count, sizeof *map);
    REQUIRE(map);
    for (uint32_t i = 0; i < count; i++) {
        mc_text key = {0};
        mc_trace_append_full_key(before, i, &key);
        map[i] = mc_trace_find_node(after, key.data, key.size);
        REQUIRE(map[i] != MC_NONE);
        mc_text_deinit(&key);
    }
    mc_memory_fail_after(1);
    CHECK(mc_city_renumber(city, map, count, mc_trace_get_nodes(after)->count, &error) ==
          MC_ERROR_OUT_OF_MEMORY);
    mc_memory_fail_after(UINT64_MAX);
    CHECK(city->node_count == count);
    CHECK(mc_city_renumber(city, map, count, mc_trace_get_nodes(after)->count, &error) == MC_OK);
    CHECK(city->node_count == mc_trace_get_nodes(after)->count);
    for (uint32_t i = 0; i < count; i++) {
        mc_structure a = mc_city_find_node(was, i), b = mc_city_find_node(city, map[i]);
        CHECK(a.building == b.building && a.district == b.district);
    }
    mc_structure none = mc_city_find_node(city, test_find(after, "Heap#aa#new"));
    CHECK(none.building == MC_NONE && none.district == MC_NONE);
    CHECK(city->building_node[city->node_building[test_find(after, "Heap#b#z")]] ==
          test_find(after, "Heap#b#z"));
    mc_free(map);
    mc_city_destroy(city);
    mc_city_destroy(was);
    mc_trace_destroy(before);
    mc_trace_destroy(after);
}

int main(void) {
    test_headroom();
    test_renumber();
    return test_finish();
}
