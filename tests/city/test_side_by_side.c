// Two cities side by side: everything is there twice, in order, and what is pointed at is found in
// the half where it is.
#include "engine/city/city_layout.h"
#include "engine/city/evaluate.h"
#include "engine/city/order.h"
#include "engine/city/pick.h"
#include "engine/city/side_by_side.h"
#include "tests/random_city.h"
#include <math.h>

static mc_city *make(const mc_trace *trace, bool is_double) {
    mc_city_desc desc = mc_city_desc_default(trace);
    desc.is_double = is_double;
    mc_city *city = NULL;
    REQUIRE(mc_city_create(trace, &desc, NULL, &city, NULL) == MC_OK);
    return city;
}

static void check_buildings(const mc_city *one, const mc_city *two) {
    uint32_t count = one->building_count;
    REQUIRE(two->building_count == 2 * count && two->half_count == count);
    REQUIRE(two->district_count == 1 + 2 * one->district_count);
    float x = two->building_plot[0].x0 - one->building_plot[0].x0;
    float second_x = two->building_plot[count].x0 - one->building_plot[0].x0;
    CHECK(x > 0 && second_x > x + one->width);
    uint8_t *is_rank = allocate(2 * (size_t)count, 1);
    for (uint32_t i = 0; i < 2 * count; i++) {
        mc_structure building = {i, MC_NONE}, twin = mc_city_get_twin(two, building);
        CHECK(two->building_node[i] == one->building_node[i % count]);
        CHECK(two->building_node[twin.building] == two->building_node[i]);
        CHECK(twin.building == (i + count) % (2 * count));
        CHECK(mc_city_is_second(two, building) == (i >= count));
        CHECK(two->building_max[i] == one->building_max[i % count]);
        float to = i < count ? x : second_x;
        CHECK(fabsf(two->building_plot[i].x0 - one->building_plot[i % count].x0 - to) < 1e-3f);
        CHECK(two->building_base[i] == one->building_base[i % count] + one->district_height);
        uint32_t rank = two->building_growth_rank[i];
        CHECK(rank < 2 * count && !is_rank[rank]);
        if (rank < 2 * count) is_rank[rank] = 1;
    }
    free(is_rank);
}

static void check_districts(const mc_city *one, const mc_city *two) {
    uint32_t half = one->district_count;
    CHECK(two->district_node[0] == one->district_node[0] && two->district_parent[0] == MC_NONE);
    for (uint32_t i = 1; i <= 2 * half; i++) {
        mc_structure district = {MC_NONE, i}, twin = mc_city_get_twin(two, district);
        uint32_t parent = two->district_parent[i];
        CHECK(two->district_node[i] == one->district_node[(i - 1) % half]);
        CHECK(mc_city_get_twin(two, twin).district == i &&
              two->district_node[i] == two->district_node[twin.district]);
        CHECK(parent < i && two->district_level[i] == two->district_level[parent] + 1);
        CHECK(mc_city_get_half(two, i) == (i == 1 ? 0 : i == 1 + half ? 1 : MC_NONE));
        mc_plot plot = two->district_plot[i], around = two->district_plot[parent];
        CHECK(plot.x0 >= around.x0 && plot.x1 <= around.x1);
        CHECK(two->district_building_first[i] >= two->district_building_first[parent]);
    }
    CHECK(mc_city_get_half(two, 0) == MC_NONE);
    CHECK(mc_city_get_twin(two, (mc_structure){MC_NONE, 0}).district == MC_NONE);
    CHECK(mc_city_get_twin(one, (mc_structure){0, MC_NONE}).building == MC_NONE);
}

// From straight above a building is what is met on its plot.
static void check_picking(const mc_city *city) {
    mc_update_params params = mc_update_params_default(city);
    for (uint32_t i = 0; i < city->building_count; i++) {
        mc_plot plot = city->building_plot[i];
        mc_ray down = {
            {0.5f * (plot.x0 + plot.x1), 2 * city->highest_top + 1, 0.5f * (plot.z0 + plot.z1)},
            {0, -1, 0}};
        mc_hit hit = mc_city_pick(city, &params, city->building_max, city->building_max, down);
        CHECK_MSG(hit.structure.building == i, "building %u: %u", i, hit.structure.building);
    }
}

static void check_order(const mc_city *city, float x) {
    uint32_t count = city->building_count;
    uint32_t(*scratch)[3] = malloc(mc_city_order_scratch_count(city) * sizeof *scratch);
    uint32_t *order = allocate(count, sizeof *order);
    uint8_t *is_there = allocate(count, 1);
    REQUIRE(scratch);
    mc_city_order(city, x, 0.5f * city->depth, scratch, order);
    for (uint32_t i = 0; i < count; i++) {
        CHECK(order[i] < count && !is_there[order[i]]);
        if (order[i] < count) is_there[order[i]] = 1;
        // The farther half comes first.
        CHECK((order[i] < city->half_count) == (x > 0 ? i < count / 2 : i >= count / 2));
    }
    free(scratch);
    free(order);
    free(is_there);
}

int main(void) {
    for (uint32_t round = 0; round < 20; round++) {
        weighted_tree tree = make_random_tree(2 + round * 40, 12);
        mc_trace *trace = make_trace(&tree);
        mc_city *one = make(trace, false), *two = make(trace, true);
        CHECK(one->half_count == 0);
        if (one->building_count > 0 && one->district_count > 0) {
            check_buildings(one, two);
            check_districts(one, two);
            check_picking(two);
            check_order(two, -1000);
            check_order(two, two->width + 1000);
            for (uint32_t i = two->half_count; i < two->building_count; i++)
                CHECK(mc_city_find_node(two, two->building_node[i]).building == i);
        }
        mc_city_destroy(one);
        mc_city_destroy(two);
        mc_trace_destroy(trace);
        tree_destroy(&tree);
    }
    return test_finish();
}
