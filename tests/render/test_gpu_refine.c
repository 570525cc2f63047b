// A refined picture is what a much larger one is when averaged, in linear light; its rims are not
// blurred; and which device gets which samples for how many buildings.
#include "engine/gpu/device.h"
#include "engine/render/core/refine_pass.h"
#include "tests/city_maker.h"

enum { WIDTH = 160, HEIGHT = 90, FINE = 8, ROUNDS = 16 };

static uint8_t large[HEIGHT * FINE][WIDTH * FINE][4];
static uint8_t rough[HEIGHT][WIDTH][4], refined[HEIGHT][WIDTH][4];

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

// In the mean, and how many are off by more than an eighth of all levels.
typedef struct error_sums {
    double mean;
    int many;
} error_sums;

static error_sums compare(uint8_t small[HEIGHT][WIDTH][4]) {
    error_sums sums = {0};
    for (int y = 0; y < HEIGHT; y++)
        for (int x = 0; x < WIDTH; x++)
            for (int i = 0; i < 3; i++) {
                double sum = 0;
                for (int k = 0; k < FINE * FINE; k++)
                    sum += decode(large[y * FINE + k / FINE][x * FINE + k % FINE][i]);
                double off = fabs(encode(sum / (FINE * FINE)) - small[y][x][i]);
                sums.mean += off / (WIDTH * HEIGHT * 3);
                sums.many += off > 32;
            }
    return sums;
}

static void draw(mc_renderer *renderer, const mc_scene *scene, uint32_t scale, void *pixels) {
    REQUIRE(mc_renderer_render_image(renderer, scene, NULL, WIDTH * scale, HEIGHT * scale, pixels,
                                     NULL) == MC_OK);
}

static void test_mean(mc_gpu *gpu, const made_city *made, mc_rasterizer rasterizer) {
    mc_renderer *plain = create(gpu, made, (mc_renderer_desc){1, rasterizer, 1});
    mc_renderer *fine = create(gpu, made, (mc_renderer_desc){1, rasterizer, ROUNDS});
    mc_scene scene = made_scene(made->city, false, (float)WIDTH / HEIGHT);
    scene.edges = false; // lines have the same width in pixels in either picture
    for (int translucent = 0; translucent < 2; translucent++) {
        if (!translucent) scene.params.flags &= ~MC_UPDATE_OPACITY_BY_GROWTH;
        if (translucent) scene.params.flags |= MC_UPDATE_OPACITY_BY_GROWTH;
        draw(plain, &scene, FINE, large);
        draw(plain, &scene, 1, rough);
        draw(fine, &scene, 1, refined);
        error_sums before = compare(rough), after = compare(refined);
        CHECK_MSG(after.mean * 3 < before.mean && after.many * 50 < before.many,
                  "rasterizer %d, translucent %d: off by %.2f after %.2f, %d pixels after %d",
                  (int)rasterizer, translucent, after.mean, before.mean, after.many, before.many);
        // The same each time, and nothing of it stays for another picture.
        memcpy(rough, refined, sizeof rough);
        scene.selected = (mc_structure){0, MC_NONE};
        draw(fine, &scene, 1, refined);
        scene.selected = MC_STRUCTURE_NONE;
        draw(fine, &scene, 1, refined);
        CHECK(memcmp(rough, refined, sizeof rough) == 0);
    }
    mc_renderer_destroy(plain);
    mc_renderer_destroy(fine);
}

// A rim is drawn over the mean, once: where it is, it is the same as on a picture drawn once.
static void test_rims(mc_gpu *gpu, const made_city *made, uint32_t samples) {
    mc_renderer *plain = create(gpu, made, (mc_renderer_desc){samples, MC_RASTERIZER_AUTO, 1});
    mc_renderer *fine = create(gpu, made, (mc_renderer_desc){samples, MC_RASTERIZER_AUTO, ROUNDS});
    mc_scene scene = made_scene(made->city, false, (float)WIDTH / HEIGHT);
    uint32_t building = 0; // a large one that is there
    for (uint32_t i = 0; i < made->city->building_count; i++)
        if (made->counts[1][i] > made->counts[1][building]) building = i;
    scene.selected = (mc_structure){building, MC_NONE};
    draw(plain, &scene, 1, rough);
    draw(fine, &scene, 1, refined);
    uint8_t rim[3];
    int count = 0, blurred = 0;
    for (int i = 0; i < 3; i++)
        rim[i] = (uint8_t)lroundf(scene.theme.selection_outline[i] * 255);
    for (int y = 0; y < HEIGHT; y++)
        for (int x = 0; x < WIDTH; x++) {
            bool is_rim = true;
            for (int i = 0; i < 3; i++)
                is_rim = is_rim && abs(rough[y][x][i] - rim[i]) <= 1;
            count += is_rim;
            for (int i = 0; is_rim && i < 3; i++)
                if (abs(refined[y][x][i] - rim[i]) > 40) {
                    blurred++;
                    break;
                }
        }
    CHECK_MSG(count > 10 && blurred * 10 <= count, "%u samples: %d of %d pixels of a rim", samples,
              blurred, count);
    mc_renderer_destroy(plain);
    mc_renderer_destroy(fine);
}

// However many drawings there are, they lie around the pixel's middle.
static void test_shifts(void) {
    float sum[2] = {0};
    for (uint32_t round = 0; round < 64; round++) {
        float shift[2];
        mc_refine_get_shift(round, shift);
        for (int i = 0; i < 2; i++) {
            CHECK(fabsf(shift[i]) <= 0.5f && (round > 0 || shift[i] == 0.0f));
            sum[i] += shift[i];
            if (round + 1 >= 8) CHECK(fabsf(sum[i]) < 0.06f * (float)(round + 1));
        }
    }
}

static void check_chosen(mc_renderer_desc got, mc_rasterizer rasterizer, uint32_t samples,
                         uint32_t rounds) {
    CHECK_MSG(got.samples == samples && got.rounds == rounds && got.rasterizer == rasterizer,
              "%u samples in %u rounds, not %u in %u", got.samples, got.rounds, samples, rounds);
}

static void check_picture(const mc_gpu *gpu, mc_rasterizer rasterizer, uint32_t count,
                          uint32_t wanted, uint32_t samples, uint32_t rounds) {
    check_chosen(mc_renderer_choose(gpu, rasterizer, count, wanted, false), rasterizer, samples,
                 rounds);
}

static void check_window(const mc_gpu *gpu, mc_rasterizer rasterizer, uint32_t count,
                         uint32_t wanted, uint32_t samples, uint32_t rounds) {
    check_chosen(mc_renderer_choose(gpu, rasterizer, count, wanted, true), rasterizer, samples,
                 rounds);
}

static void test_choice(mc_gpu *gpu) {
    const mc_rasterizer any = MC_RASTERIZER_AUTO, raster = MC_RASTERIZER_RASTER;
    const mc_rasterizer compute = MC_RASTERIZER_COMPUTE;
    mc_gpu other = *gpu;
    other.has_int64_atomics = true;
    for (int software = 0; software < 2; software++) {
        other.software = software;
        uint32_t least = software ? 1024 : 2000000;
        check_picture(&other, any, least - 1, 16, 4, 4);
        check_picture(&other, any, least, 16, 1, 16);
        check_picture(&other, raster, least, 8, 4, 2);
        check_picture(&other, raster, least, 6, 4, 2);
        check_picture(&other, any, 10, 1, 1, 1);
        check_picture(&other, compute, 10, 8, 1, 8);
        check_window(&other, any, 10, 16, software ? 1 : 4, software ? 16 : 4);
        check_window(&other, any, least, 16, 1, 16);
        check_window(&other, raster, least, 16, 4, 4);
        check_window(&other, any, 10, 1, 1, 1);
        check_window(&other, any, least, 4, 1, 4);
    }
    other.has_int64_atomics = false;
    check_picture(&other, any, 3000000, 16, 4, 4);
    other.software = false;
    check_window(&other, any, 3000000, 16, 4, 4);
}

int main(void) {
    mc_gpu *gpu = made_gpu_create(true);
    made_city made, small;
    made_city_create(&made, 3000, MC_SCALING_LINEAR);
    made_city_create(&small, 60, MC_SCALING_LINEAR);
    test_mean(gpu, &made, MC_RASTERIZER_COMPUTE);
    test_mean(gpu, &made, MC_RASTERIZER_RASTER);
    test_rims(gpu, &small, 1);
    test_rims(gpu, &small, 4);
    test_shifts();
    test_choice(gpu);
    made_city_destroy(&made);
    made_city_destroy(&small);
    CHECK(mc_gpu_get_validation_count(gpu) == 0);
    mc_gpu_destroy(gpu);
    return test_finish();
}
