// Pictures have shadows of the sun and of the sky, the same by both rasterizers and each time; what
// is drawn while the camera moves has none.
#include "tests/city_maker.h"

enum { WIDTH = 320, HEIGHT = 200, LEAF_COUNT = 1200, PIXEL_COUNT = WIDTH * HEIGHT };

static uint8_t plain[PIXEL_COUNT * 4], lit[2][PIXEL_COUNT * 4], again[PIXEL_COUNT * 4];

static int get_light(const uint8_t *pixels, uint32_t pixel) {
    return pixels[pixel * 4] + pixels[pixel * 4 + 1] + pixels[pixel * 4 + 2];
}

static void draw(mc_renderer *renderer, const mc_scene *scene, uint8_t *pixels) {
    mc_error error = {0};
    mc_result result =
        mc_renderer_render_image(renderer, scene, NULL, WIDTH, HEIGHT, pixels, &error);
    CHECK_MSG(result == MC_OK, "%s", error.message);
}

// Fewer rounds and rays: another picture, but nearly the same light; and the whole again after it.
static void test_effort(mc_renderer *renderer, const mc_scene *scene, const uint8_t *whole) {
    uint32_t whole_light = 0, light = 0;
    mc_renderer_set_effort(renderer, 4, 4);
    draw(renderer, scene, again);
    CHECK(memcmp(whole, again, sizeof again) != 0);
    for (uint32_t i = 0; i < PIXEL_COUNT; i++) {
        whole_light += (uint32_t)get_light(whole, i);
        light += (uint32_t)get_light(again, i);
    }
    CHECK_MSG(light > whole_light / 100 * 99 && light < whole_light / 100 * 101, "%u instead of %u",
              light, whole_light);
    mc_renderer_set_effort(renderer, 1, 16);
    draw(renderer, scene, again);
    CHECK_MSG(memcmp(whole, again, sizeof again) == 0, "another picture after one of less effort");
}

// With one ray of each kind in a drawing shadows of the sun are found along lines, with several
// every ray is marched: nearly the same light.
static void test_marched(mc_renderer *renderer, const mc_scene *scene, const uint8_t *swept) {
    uint32_t swept_light = 0, light = 0, different = 0;
    mc_renderer_set_effort(renderer, 1, 64);
    draw(renderer, scene, again);
    for (uint32_t i = 0; i < PIXEL_COUNT; i++) {
        swept_light += (uint32_t)get_light(swept, i);
        light += (uint32_t)get_light(again, i);
        different += abs(get_light(swept, i) - get_light(again, i)) > 60;
    }
    CHECK_MSG(light > swept_light / 100 * 99 && light < swept_light / 100 * 101, "%u instead of %u",
              swept_light, light);
    CHECK_MSG(different < PIXEL_COUNT / 100, "%u pixels have another light", different);
    mc_renderer_set_effort(renderer, 1, 16);
}

static void test_rasterizer(mc_gpu *gpu, const made_city *made, mc_rasterizer rasterizer,
                            uint8_t *pixels) {
    mc_renderer *renderer = NULL;
    const mc_renderer_desc desc = {.samples = 1, .rasterizer = rasterizer, .rounds = 16};
    REQUIRE(mc_renderer_create(gpu, &desc, &renderer, NULL) == MC_OK);
    REQUIRE(mc_renderer_set_city(renderer, made->city, NULL) == MC_OK);
    REQUIRE(mc_renderer_set_counts(renderer, made->counts[1], made->counts[1], NULL) == MC_OK);
    mc_scene scene = made_scene(made->city, false, (float)WIDTH / HEIGHT);
    draw(renderer, &scene, plain);
    scene.light = true;
    draw(renderer, &scene, pixels);
    draw(renderer, &scene, again);
    CHECK_MSG(memcmp(pixels, again, sizeof again) == 0, "another picture the second time");
    uint32_t darker = 0, lighter = 0, same = 0;
    for (uint32_t i = 0; i < PIXEL_COUNT; i++) {
        int change = get_light(pixels, i) - get_light(plain, i);
        darker += change < -20;
        // At the foot of a wall in the sun there is more than where rays are not known.
        lighter += change > 150;
        same += abs(change) < 12;
    }
    CHECK_MSG(darker > PIXEL_COUNT / 80, "only %u pixels are in some shadow", darker);
    CHECK_MSG(lighter == 0, "%u pixels are lighter than without shadows", lighter);
    CHECK_MSG(same > PIXEL_COUNT / 4, "only %u pixels stay as they are", same);
    test_effort(renderer, &scene, pixels);
    test_marched(renderer, &scene, pixels);
    mc_renderer_destroy(renderer);
}

static void draw_close(mc_gpu *gpu, const made_city *made, mc_rasterizer rasterizer,
                       bool is_software, uint8_t *pixels) {
    const mc_renderer_desc desc = {.samples = 1, .rasterizer = rasterizer, .rounds = 4};
    mc_renderer *renderer = NULL;
    bool was_software = gpu->software;
    gpu->software = is_software;
    REQUIRE(mc_renderer_create(gpu, &desc, &renderer, NULL) == MC_OK);
    REQUIRE(mc_renderer_set_city(renderer, made->city, NULL) == MC_OK);
    REQUIRE(mc_renderer_set_counts(renderer, made->counts[1], made->counts[1], NULL) == MC_OK);
    mc_scene scene = made_scene(made->city, false, (float)WIDTH / HEIGHT);
    float w = made->city->width, d = made->city->depth;
    float eye[3] = {0.55f * w, 0.12f * w, 0.75f * d}, target[3] = {0.5f * w, 0.0f, 0.5f * d};
    scene.view = made_view(eye, target, (float)WIDTH / HEIGHT);
    scene.light = true;
    draw(renderer, &scene, pixels);
    mc_renderer_destroy(renderer);
    gpu->software = was_software;
}

// Where a software device finds out first what is in front, and takes larger boxes by its compute
// shader: the same picture of large boxes that are before each other.
static void test_close(mc_gpu *gpu, const made_city *made, mc_rasterizer rasterizer) {
    uint32_t different = 0;
    draw_close(gpu, made, rasterizer, false, lit[0]);
    draw_close(gpu, made, rasterizer, true, lit[1]);
    for (uint32_t i = 0; i < PIXEL_COUNT; i++)
        different += abs(get_light(lit[0], i) - get_light(lit[1], i)) > 6;
    CHECK_MSG(different <= PIXEL_COUNT / 1000, "%u pixels differ from those of another device",
              different);
}

int main(void) {
    mc_gpu *gpu = made_gpu_create(true);
    made_city made;
    made_city_create(&made, LEAF_COUNT, MC_SCALING_LINEAR);
    test_rasterizer(gpu, &made, MC_RASTERIZER_RASTER, lit[0]);
    if (gpu->has_int64_atomics) {
        test_rasterizer(gpu, &made, MC_RASTERIZER_COMPUTE, lit[1]);
        uint32_t different = 0;
        for (uint32_t i = 0; i < PIXEL_COUNT; i++)
            different += abs(get_light(lit[0], i) - get_light(lit[1], i)) > 40;
        CHECK_MSG(different < PIXEL_COUNT / 200, "%u pixels of the rasterizers differ", different);
    }
    test_close(gpu, &made, MC_RASTERIZER_RASTER);
    if (gpu->has_int64_atomics) test_close(gpu, &made, MC_RASTERIZER_COMPUTE);
    CHECK(mc_gpu_get_validation_count(gpu) == 0);
    made_city_destroy(&made);
    mc_gpu_destroy(gpu);
    return test_finish();
}
