// Where markers of GC roots stand, which one a ray meets, and frustums from them.
#include "engine/city/city_layout.h"
#include "engine/city/evaluate.h"
#include "engine/city/frustum.h"
#include "engine/city/markers.h"
#include "tests/trace_maker.h"

static const test_leaf leaves[] = {{"a", "one", {10}}, {"b", "two", {20}}};

static mc_trace *trace;
static mc_city *city;

static void test_places(void) {
    mc_city_markers markers;
    uint32_t classes[MC_CITY_MARKER_CAPACITY];
    static const uint32_t counts[] = {0, 1, 5, 40, MC_CITY_MARKER_CAPACITY};
    for (size_t c = 0; c < sizeof counts / sizeof *counts; c++) {
        uint32_t count = counts[c];
        for (uint32_t i = 0; i < count; i++)
            classes[i] = i / 3;
        mc_city_markers_place(&markers, city, classes, count);
        CHECK(markers.count == count);
        for (uint32_t i = 0; i < count; i++) {
            const mc_plot *plot = &markers.boxes[i].footprint;
            // In front of the city, within its width, beside one another.
            CHECK(plot->z0 > city->depth && plot->x0 >= 0.0f && plot->x1 <= city->width);
            CHECK(markers.boxes[i].height > 0.0f && markers.boxes[i].opacity == 1.0f);
            if (i == 0) continue;
            float gap = plot->x0 - markers.boxes[i - 1].footprint.x1;
            float side = plot->x1 - plot->x0;
            CHECK(gap > 0.0f && (gap > side) == (i % 3 == 0));
        }
        for (uint32_t i = count; i < MC_CITY_MARKER_CAPACITY; i++)
            CHECK(markers.boxes[i].height == 0.0f);
    }
}

static void test_pick(void) {
    mc_city_markers markers;
    static const uint32_t classes[4] = {0, 0, 1, 1};
    float distance, down[3] = {0, -2, 0};
    mc_city_markers_place(&markers, city, classes, 4);
    for (uint32_t i = 0; i < 4; i++) {
        const mc_box *box = &markers.boxes[i];
        float x = 0.5f * (box->footprint.x0 + box->footprint.x1);
        float z = 0.5f * (box->footprint.z0 + box->footprint.z1);
        float above[3] = {x, box->height + 10.0f, z};
        CHECK(mc_city_markers_pick(&markers, above, down, &distance) == i && distance == 5.0f);
        float beside[3] = {box->footprint.x1 + 1e-3f * city->width, above[1], z};
        CHECK(mc_city_markers_pick(&markers, beside, down, &distance) == MC_NONE);
    }
    // Along the row, from either end.
    float left[3] = {-city->width, 0.5f * markers.boxes[0].height, city->depth};
    left[2] = 0.5f * (markers.boxes[0].footprint.z0 + markers.boxes[0].footprint.z1);
    float right[3] = {2 * city->width, left[1], left[2]}, east[3] = {1, 0, 0}, west[3] = {-1, 0, 0};
    CHECK(mc_city_markers_pick(&markers, left, east, &distance) == 0);
    CHECK(mc_city_markers_pick(&markers, right, west, &distance) == 3);
    CHECK(mc_city_markers_pick(&markers, left, west, &distance) == MC_NONE);
}

static void test_frustums(void) {
    mc_city_markers markers;
    static const uint32_t classes[2] = {0, 1};
    const uint64_t counts[2] = {10, 20};
    mc_update_params params = mc_update_params_default(city);
    mc_frustum_link links[2] = {
        {1, test_find(trace, "Heap#b#two"), 0.0f, 0.5f, MC_FRUSTUM_ROOT, true},
        {2, test_find(trace, "Heap#b#two"), 0.0f, 0.5f, MC_FRUSTUM_ROOT, true}};
    mc_frustums frustums = {0};
    float depth = mc_city_get_front(city);
    CHECK(depth == city->depth);
    // Without markers there is nowhere to begin.
    REQUIRE(mc_frustums_make(&frustums, city, mc_trace_get_nodes(trace), &params, counts, counts,
                             links, 2, MC_FRUSTUM_ARCS_NEEDED, NULL) == MC_OK);
    CHECK(frustums.count == 0 && frustums.outside_count == 2);
    mc_city_markers_place(&markers, city, classes, 2);
    city->markers = &markers;
    CHECK(mc_city_get_front(city) == markers.boxes[1].footprint.z1);
    REQUIRE(mc_frustums_make(&frustums, city, mc_trace_get_nodes(trace), &params, counts, counts,
                             links, 2, MC_FRUSTUM_ARCS_NEEDED, NULL) == MC_OK);
    REQUIRE(frustums.count == 1 && frustums.outside_count == 1);
    CHECK(frustums.items[0].from_box == city->building_count + city->district_count + 1);
    mc_frustum_shape shape =
        mc_frustum_get_shape(city, &params, counts, counts, &frustums.items[0]);
    const mc_box *box = &markers.boxes[1];
    CHECK(shape.is_drawn && shape.from[1] == box->height && shape.to_radius > 0.0f);
    CHECK(shape.from[0] > box->footprint.x0 && shape.from[0] < box->footprint.x1);
    city->markers = NULL;
    mc_frustums_deinit(&frustums);
}

int main(void) {
    trace = test_make_trace(leaves, 2, 1);
    mc_city_desc desc = mc_city_desc_default(trace);
    desc.metric = MC_METRIC_OBJECTS;
    REQUIRE(mc_city_create(trace, &desc, NULL, &city, NULL) == MC_OK);
    test_places();
    test_pick();
    test_frustums();
    mc_city_destroy(city);
    mc_trace_destroy(trace);
    return test_finish();
}
