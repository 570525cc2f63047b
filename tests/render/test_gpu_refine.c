// Supersampled pictures are the averages, in linear light, of those twice as wide and high; and
// which device gets which samples for how many buildings.
#include "engine/gpu/device.h"
#include "tests/city_maker.h"

enum { WIDTH = 160, HEIGHT = 90 };

static mc_renderer *create(mc_gpu *gpu, const made_city *made, mc_renderer_desc desc) {
    mc_renderer *renderer = NULL;
    REQUIRE(mc_renderer_create(gpu, &desc, &renderer, NULL) == MC_OK);
    REQUIRE(mc_renderer_set_city(renderer, made->city, NULL) == MC_OK);
    REQUIRE(mc_renderer_set_counts(renderer, made->counts[0], made->counts[1], NULL) == MC_OK);
    return renderer;
}

static double decode(uint8_t value) {
    double c = value / 255.0;
    return c <= 0.04045 ? c / 12.92 : pow((c + 0.055) / 1.055, 2.4);
}

static double encode(double light) {
    return 255.0 * (light <= 0.0031308 ? light * 12.92 : 1.055 * pow(light, 1 / 2.4) - 0.055);
}

static void compare(const uint8_t *large, const uint8_t *small, const char *what) {
    double worst = 0;
    for (uint32_t y = 0; y < HEIGHT; y++)
        for (uint32_t x = 0; x < WIDTH; x++)
            for (uint32_t i = 0; i < 3; i++) {
                double sum = 0;
                for (uint32_t k = 0; k < 4; k++)
                    sum += decode(large[((y * 2 + k / 2) * WIDTH * 2 + x * 2 + k % 2) * 4 + i]);
                double off = fabs(encode(sum / 4) - small[(y * WIDTH + x) * 4 + i]);
                if (off > worst) worst = off;
            }
    CHECK_MSG(worst < 1.2, "%s: off by %.2f", what, worst);
    for (size_t i = 0; i < (size_t)WIDTH * HEIGHT; i++)
        if (small[i * 4 + 3] != 255) {
            CHECK_MSG(false, "%s: pixel %zu is not opaque", what, i);
            break;
        }
}

static void test_average(mc_gpu *gpu, const made_city *made, mc_rasterizer rasterizer) {
    static uint8_t large[WIDTH * HEIGHT * 16], small[WIDTH * HEIGHT * 4];
    mc_renderer *plain = create(gpu, made, (mc_renderer_desc){1, rasterizer, 1});
    mc_renderer *supersampled = create(gpu, made, (mc_renderer_desc){1, rasterizer, 2});
    mc_scene scene = made_scene(made->city, false, (float)WIDTH / HEIGHT);
    scene.edges = false; // lines have the same width in either picture, not in their pixels
    for (int translucent = 0; translucent < 2; translucent++) {
        if (!translucent) scene.params.flags &= ~MC_UPDATE_OPACITY_BY_GROWTH;
        if (translucent) scene.params.flags |= MC_UPDATE_OPACITY_BY_GROWTH;
        REQUIRE(mc_renderer_render_image(plain, &scene, NULL, WIDTH * 2, HEIGHT * 2, large, NULL) ==
                MC_OK);
        REQUIRE(mc_renderer_render_image(supersampled, &scene, NULL, WIDTH, HEIGHT, small, NULL) ==
                MC_OK);
        compare(large, small, translucent ? "translucent" : "opaque");
    }
    mc_renderer_destroy(plain);
    mc_renderer_destroy(supersampled);
}

static void check_choice(const mc_gpu *gpu, mc_rasterizer rasterizer, uint32_t count,
                         uint32_t width, uint32_t samples, uint32_t supersampling) {
    mc_renderer_desc got = mc_renderer_choose(gpu, rasterizer, count, width, width / 2);
    CHECK_MSG(got.samples == samples && (got.supersampling == 2) == (supersampling == 2) &&
                  got.rasterizer == rasterizer,
              "%u buildings, %u pixels: %u samples, %u", count, width, got.samples,
              got.supersampling);
}

static void test_choice(mc_gpu *gpu) {
    const mc_rasterizer any = MC_RASTERIZER_AUTO, raster = MC_RASTERIZER_RASTER;
    const mc_rasterizer compute = MC_RASTERIZER_COMPUTE;
    mc_gpu other = *gpu;
    other.limits.maxImageDimension2D = 16384;
    other.limits.maxStorageBufferRange = 1u << 30;
    other.limits.maxTexelBufferElements = 1u << 27;
    other.has_int64_atomics = true;
    for (int software = 0; software < 2; software++) {
        other.software = software;
        uint32_t least = software ? 20000 : 2000000;
        check_choice(&other, any, least - 1, 1920, 4, 1);
        check_choice(&other, any, least, 1920, 1, 2);
        check_choice(&other, any, least, 16384, 4, 1); // too large to be drawn twice as large
        check_choice(&other, raster, least, 1920, 4, 1);
        check_choice(&other, compute, 10, 1920, 1, 2);
        check_choice(&other, compute, 10, 16384, 1, 1);
        check_choice(&other, any, 10, 0, software ? 1 : 4, 1);
        check_choice(&other, any, least, 0, 1, 1);
        check_choice(&other, raster, least, 0, 4, 1);
        check_choice(&other, compute, 10, 0, 1, 1);
    }
    other.has_int64_atomics = false;
    check_choice(&other, any, 3000000, 1920, 4, 1);
    other.software = false;
    check_choice(&other, any, 3000000, 0, 4, 1);
}

int main(void) {
    mc_gpu *gpu = made_gpu_create(true);
    made_city made;
    made_city_create(&made, 12000, MC_SCALING_LINEAR);
    test_average(gpu, &made, MC_RASTERIZER_COMPUTE);
    test_average(gpu, &made, MC_RASTERIZER_RASTER);
    test_choice(gpu);
    made_city_destroy(&made);
    CHECK(mc_gpu_get_validation_count(gpu) == 0);
    mc_gpu_destroy(gpu);
    return test_finish();
}
