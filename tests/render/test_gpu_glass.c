// What stands before a building that matters turns to glass, and nothing else does.
#include "tests/city_maker.h"

enum { WIDTH = 320, HEIGHT = 200, LEAF_COUNT = 3000, MARK_COUNT = 12 };

static uint8_t solid[WIDTH * HEIGHT * 4], glass[WIDTH * HEIGHT * 4], again[WIDTH * HEIGHT * 4];

static void draw(mc_renderer *renderer, const mc_scene *scene, uint8_t *pixels) {
    mc_error error = {0};
    mc_result result =
        mc_renderer_render_image(renderer, scene, NULL, WIDTH, HEIGHT, pixels, &error);
    CHECK_MSG(result == MC_OK, "%s", error.message);
}

static bool differs(const uint8_t *a, const uint8_t *b, uint32_t pixel) {
    bool is = false;
    for (uint32_t c = 0; c < 3; c++)
        is = is || abs(a[pixel * 4 + c] - b[pixel * 4 + c]) > 3;
    return is;
}

static uint32_t count_different(const uint8_t *a, const uint8_t *b) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < WIDTH * HEIGHT; i++)
        count += differs(a, b, i);
    return count;
}

// Pixels at which one that matters would be seen if the others were not there, and that differ.
static uint32_t count_cleared(const uint8_t *alone, const uint8_t *none) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < WIDTH * HEIGHT; i++)
        if (differs(alone, none, i) && differs(solid, glass, i)) count++;
    return count;
}

static void test_rasterizer(mc_gpu *gpu, const made_city *made, mc_rasterizer rasterizer) {
    static uint8_t alone[WIDTH * HEIGHT * 4], none[WIDTH * HEIGHT * 4];
    mc_renderer *renderer = NULL;
    const mc_renderer_desc desc = {.samples = 1, .rasterizer = rasterizer};
    REQUIRE(mc_renderer_create(gpu, &desc, &renderer, NULL) == MC_OK);
    REQUIRE(mc_renderer_set_city(renderer, made->city, NULL) == MC_OK);
    REQUIRE(mc_renderer_set_counts(renderer, made->counts[2], made->counts[2], NULL) == MC_OK);
    mc_scene scene = made_scene(made->city, false, (float)WIDTH / HEIGHT);
    scene.params.opaque_count = MARK_COUNT;
    scene.params.opacity = 0;
    scene.params.flags = MC_UPDATE_OPACITY_BY_GROWTH;
    draw(renderer, &scene, alone);
    scene.params.opaque_count = 0;
    draw(renderer, &scene, none);

    // Without colours of growth all look alike: glass is the only difference.
    scene.params.flags = 0;
    draw(renderer, &scene, solid);
    scene.params.flags = MC_UPDATE_GLASS;
    draw(renderer, &scene, glass);
    CHECK_MSG(count_different(solid, glass) == 0, "glass before nothing");
    scene.params.opaque_count = MARK_COUNT;
    draw(renderer, &scene, glass);
    uint32_t cleared = count_cleared(alone, none), all = count_different(solid, glass);
    CHECK_MSG(cleared > 20, "only %u pixels of what matters were cleared", cleared);
    // What is glass reaches beyond what it stands before, but is not most of the city.
    CHECK_MSG(all < WIDTH * HEIGHT / 4, "%u pixels are glass", all);

    // The same picture after any other, and solid again.
    scene.selected.building = made->city->building_count / 2;
    draw(renderer, &scene, again);
    scene.selected.building = MC_NONE;
    draw(renderer, &scene, again);
    CHECK_MSG(count_different(glass, again) == 0, "glass is what it was before");
    // Boxes that are read are made anew, and solid: the next drawing of the scene finds out again.
    static mc_box boxes[LEAF_COUNT];
    REQUIRE(made->city->building_count <= LEAF_COUNT);
    REQUIRE(mc_renderer_read_boxes(renderer, &scene.params, boxes, NULL, NULL) == MC_OK);
    draw(renderer, &scene, again);
    CHECK_MSG(count_different(glass, again) == 0, "no glass after boxes were read");
    scene.params.flags = 0;
    draw(renderer, &scene, again);
    CHECK_MSG(count_different(solid, again) == 0, "all is solid again");
    mc_renderer_destroy(renderer);
}

int main(void) {
    mc_gpu *gpu = made_gpu_create(true);
    made_city made;
    made_city_create(&made, LEAF_COUNT, MC_SCALING_LINEAR);
    test_rasterizer(gpu, &made, MC_RASTERIZER_RASTER);
    if (gpu->has_int64_atomics) test_rasterizer(gpu, &made, MC_RASTERIZER_COMPUTE);
    CHECK(mc_gpu_get_validation_count(gpu) == 0);
    made_city_destroy(&made);
    mc_gpu_destroy(gpu);
    return test_finish();
}
