// Creating, growing and destroying: sizes at the edges, nothing lost over many rounds, and a clear
// message for everything that a machine may lack.
#include "engine/city/city_layout.h"
#include "engine/city/evaluate.h"
#include "engine/gpu/buffer.h"
#include "engine/render/city/box_windows.h"
#include "tests/city_maker.h"
#include "tests/trace_maker.h"

static uint8_t *pixels;

static mc_renderer *create(mc_gpu *gpu, uint32_t samples) {
    mc_renderer *renderer = NULL;
    mc_renderer_desc desc = {.samples = samples};
    mc_error error = {0};
    if (mc_renderer_create(gpu, &desc, &renderer, &error) != MC_OK)
        fprintf(stderr, "%s\n", error.message);
    REQUIRE(renderer);
    return renderer;
}

static void draw(mc_renderer *renderer, const mc_scene *scene, uint32_t width, uint32_t height) {
    mc_error error = {0};
    mc_result result =
        mc_renderer_render_image(renderer, scene, NULL, width, height, pixels, &error);
    CHECK_MSG(result == MC_OK, "%u x %u: %s", width, height, error.message);
}

static void test_sizes(mc_gpu *gpu, const made_city *made, uint32_t samples) {
    static const uint32_t sizes[][2] = {{1, 1},   {17, 3},  {4096, 16}, {16, 4096},
                                        {64, 64}, {64, 64}, {1, 300}};
    mc_renderer *renderer = create(gpu, samples);
    REQUIRE(mc_renderer_set_city(renderer, made->city, NULL) == MC_OK);
    REQUIRE(mc_renderer_set_counts(renderer, made->counts[0], made->counts[1], NULL) == MC_OK);
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        uint32_t width = sizes[i][0], height = sizes[i][1];
        mc_scene scene = made_scene(made->city, i & 1, (float)width / (float)height);
        memset(pixels, 1, (size_t)width * height * 4);
        draw(renderer, &scene, width, height);
        for (size_t p = 0; p < (size_t)width * height; p++)
            if (pixels[p * 4 + 3] != 255) {
                CHECK_MSG(false, "pixel %zu of %u x %u was not drawn", p, width, height);
                break;
            }
    }
    mc_scene scene = made_scene(made->city, false, 1.0f);
    mc_error error = {0};
    CHECK(mc_renderer_render_image(renderer, &scene, NULL, 1u << 20, 16, pixels, &error) ==
          MC_ERROR_UNSUPPORTED);
    CHECK(strstr(error.message, "1048576 x 16"));
    CHECK(mc_renderer_render_image(renderer, &scene, NULL, 0, 16, pixels, &error) ==
          MC_ERROR_UNSUPPORTED);
    draw(renderer, &scene, 32, 32); // all is well afterwards
    mc_renderer_destroy(renderer);
}

static mc_scene get_empty_scene(void) {
    mc_city nothing = {.width = 1000.0f, .depth = 1000.0f};
    return made_scene(&nothing, true, 1.0f);
}

// No city, a city without buildings, one that is a single building, and structures that are not
// there.
static void test_small_cities(mc_gpu *gpu) {
    mc_renderer *renderer = create(gpu, 1);
    mc_scene scene = get_empty_scene();
    uint64_t counts[1] = {80};
    mc_box box;
    mc_color color;
    scene.selected = (mc_structure){5, MC_NONE};
    scene.hovered = (mc_structure){MC_NONE, 7};
    draw(renderer, &scene, 64, 64);
    CHECK(mc_renderer_set_counts(renderer, counts, counts, NULL) == MC_OK);
    CHECK(mc_renderer_read_boxes(renderer, &scene.params, &box, &color, NULL) == MC_OK);
    const test_leaf nothing[] = {{"a", "1", {0, 0, 0, 0}}}, one[] = {{"a", "1", {10, 10, 0, 0}}};
    const test_leaf *leaves[] = {nothing, one};
    for (uint32_t building_count = 0; building_count < 2; building_count++) {
        mc_trace *trace = test_make_trace(leaves[building_count], 1, 2);
        mc_city_desc desc = mc_city_desc_default(trace);
        mc_city *city;
        REQUIRE(mc_city_create(trace, &desc, NULL, &city, NULL) == MC_OK);
        CHECK(city->building_count == building_count);
        REQUIRE(mc_renderer_set_city(renderer, city, NULL) == MC_OK);
        draw(renderer, &scene, 64, 64); // before any counts came
        CHECK(mc_renderer_set_counts(renderer, counts, counts, NULL) == MC_OK);
        draw(renderer, &scene, 64, 64);
        scene.params = mc_update_params_default(city);
        scene.params.opaque_count = 0;
        draw(renderer, &scene, 64, 64);
        CHECK(mc_renderer_read_boxes(renderer, &scene.params, &box, NULL, NULL) == MC_OK);
        CHECK(mc_renderer_read_boxes(renderer, &scene.params, NULL, &color, NULL) == MC_OK);
        if (building_count == 1) CHECK(box.height > 0.0f && color.opacity == 0.4f);
        REQUIRE(mc_renderer_set_city(renderer, NULL, NULL) == MC_OK);
        draw(renderer, &scene, 64, 64);
        mc_city_destroy(city);
        mc_trace_destroy(trace);
    }
    mc_renderer_destroy(renderer);
}

// Larger than any storage buffer: refused before anything is read, and what was there stays.
static void test_too_large(mc_gpu *gpu, const made_city *made) {
    mc_renderer *renderer = create(gpu, 1);
    mc_error error = {0};
    // What is read, its pairs, or the windows of what is written: which ends first depends on the
    // device.
    uint32_t most_parts = (uint32_t)mc_buffer_get_largest_read_column(gpu, 16);
    uint32_t most = most_parts / (sizeof(mc_building_static) / 16);
    uint32_t most_boxes = most_parts / (sizeof(mc_box) / 16);
    uint64_t most_pairs = mc_buffer_get_largest_storage(gpu) / sizeof(mc_count);
    if (most_boxes > most_pairs) most_boxes = (uint32_t)most_pairs;
    if (most_boxes > mc_box_windows_get_most(gpu))
        most_boxes = (uint32_t)mc_box_windows_get_most(gpu);
    if (most > most_boxes) most = most_boxes;
    CHECK_MSG(most >= 2700000, "%u buildings", most);
    if (gpu->reads_texels) CHECK_MSG(most >= 10000000, "%u buildings", most);
    mc_city huge = {.building_count = most + 1}, wide = {.building_count = 1};
    wide.district_count = most_boxes;
    char buildings[64], boxes[64];
    snprintf(buildings, sizeof buildings, "can draw %u buildings", most);
    snprintf(boxes, sizeof boxes, "%u of both", most_boxes);
    REQUIRE(mc_renderer_set_city(renderer, made->city, NULL) == MC_OK);
    CHECK(mc_renderer_set_city(renderer, &huge, &error) == MC_ERROR_UNSUPPORTED);
    CHECK_MSG(strstr(error.message, buildings) && strstr(error.message, boxes), "%s",
              error.message);
    CHECK(mc_renderer_set_city(renderer, &wide, &error) == MC_ERROR_UNSUPPORTED);
    CHECK_MSG(strstr(error.message, boxes), "%s", error.message);
    huge.building_count = 2000000000;
    CHECK(mc_renderer_set_city(renderer, &huge, &error) == MC_ERROR_UNSUPPORTED);
    mc_scene scene = made_scene(made->city, false, 1.0f);
    draw(renderer, &scene, 32, 32);
    mc_renderer_destroy(renderer);
}

// Steps go round through the slots: what is drawn is always what was set last.
static void test_many_steps(mc_gpu *gpu, const made_city *made) {
    mc_renderer *renderer = create(gpu, 1);
    uint32_t count = made->city->building_count;
    mc_scene scene = made_scene(made->city, false, 1.0f);
    mc_box *boxes = mc_alloc(count, sizeof *boxes);
    uint64_t *steps[7];
    REQUIRE(boxes);
    REQUIRE(mc_renderer_set_city(renderer, made->city, NULL) == MC_OK);
    for (uint32_t s = 0; s < 7; s++) {
        steps[s] = mc_alloc(count, sizeof **steps);
        REQUIRE(steps[s]);
        for (uint32_t i = 0; i < count; i++)
            steps[s][i] = made->city->building_max[i] * (s + i % 3) / 10;
    }
    steps[5][count / 2] = (uint64_t)1 << 40; // a step whose counts need more than 32 bits
    uint32_t to_before = 0;
    for (uint32_t round = 0; round < 40; round++) {
        uint32_t from = round * 5 % 7, to = (round * 5 + (round % 4 ? 5 : 0)) % 7;
        scene.params.blend = (float)(round % 3) * 0.5f;
        if (round % 8 < 3)
            REQUIRE(mc_renderer_set_counts(renderer, steps[from], steps[to], NULL) == MC_OK);
        else
            REQUIRE(mc_renderer_advance_counts(renderer, steps[to], NULL) == MC_OK);
        if (round % 8 >= 3) from = to_before;
        to_before = to;
        if (round % 2) draw(renderer, &scene, 32, 32);
        REQUIRE(mc_renderer_read_boxes(renderer, &scene.params, boxes, NULL, NULL) == MC_OK);
        uint32_t wrong = 0;
        for (uint32_t i = 0; i < count; i++) {
            mc_box box = mc_city_evaluate_building(made->city, &scene.params, i, steps[from][i],
                                                   steps[to][i], NULL);
            wrong += fabsf(box.height - boxes[i].height) > 1e-4f * box.height;
        }
        CHECK_MSG(wrong == 0, "round %u", round);
    }
    for (uint32_t s = 0; s < 7; s++)
        mc_free(steps[s]);
    mc_free(boxes);
    mc_renderer_destroy(renderer);
}

// 0 under a sanitizer, which keeps what is freed.
static size_t get_resident_pages(void) {
    if (MC_TEST_SANITIZED) return 0;
    size_t size = 0, resident = 0;
    FILE *file = fopen("/proc/self/statm", "r");
    if (file && fscanf(file, "%zu %zu", &size, &resident) != 2) resident = 0;
    if (file) fclose(file);
    return resident;
}

// Rounds of creating, drawing and destroying need no more memory than the first ones; what is left
// free is for drivers that keep a little. A sanitizer needs but a few: it knows of each block what
// becomes of it.
static void test_rounds(mc_gpu *gpu, const made_city *made) {
    size_t before = 0;
    int round_count = MC_TEST_SANITIZED ? 21 : 100, renderer_count = MC_TEST_SANITIZED ? 21 : 60;
    for (int round = 0; round < renderer_count; round++) {
        mc_renderer *renderer = create(gpu, round % 10 == 0 ? 4 : 1);
        REQUIRE(mc_renderer_set_city(renderer, made->city, NULL) == MC_OK);
        mc_scene scene = made_scene(made->city, false, 1.0f);
        if (round % 20 == 0) draw(renderer, &scene, 512, 512);
        mc_renderer_destroy(renderer);
        if (round == 20) before = get_resident_pages();
    }
    size_t after = get_resident_pages();
    CHECK_MSG(after < before + 8192, "%zu pages grew to %zu", before, after);

    mc_renderer *renderer = create(gpu, 1);
    for (int round = 0; round < round_count; round++) {
        REQUIRE(mc_renderer_set_city(renderer, made->city, NULL) == MC_OK);
        REQUIRE(mc_renderer_set_counts(renderer, made->counts[round % 3], made->counts[1], NULL) ==
                MC_OK);
        mc_scene scene = made_scene(made->city, false, 1.0f);
        draw(renderer, &scene, (uint32_t)(100 + round % 7), 100);
        if (round == 20) before = get_resident_pages();
    }
    after = get_resident_pages();
    CHECK_MSG(after < before + 4096, "%zu pages grew to %zu", before, after);
    mc_renderer_destroy(renderer);
}

// Every allocation fails once: an error comes back, and nothing is lost (the sanitizer looks;
// without it some are enough).
static void test_out_of_memory(mc_gpu *gpu, const made_city *made) {
    mc_renderer_desc desc = {.samples = 1};
    bool done = false;
    for (uint64_t n = 0; !done; n += MC_TEST_SANITIZED ? 1 : 4) {
        mc_renderer *renderer = NULL;
        mc_error error = {0};
        mc_memory_fail_after(n);
        mc_result result = mc_renderer_create(gpu, &desc, &renderer, &error);
        if (result == MC_OK) result = mc_renderer_set_city(renderer, made->city, &error);
        mc_memory_fail_after(UINT64_MAX);
        CHECK(result == MC_OK || (result == MC_ERROR_OUT_OF_MEMORY && error.message[0]));
        done = result == MC_OK;
        if (renderer) { // what it had stays usable
            mc_scene scene = made_scene(made->city, false, 1.0f);
            draw(renderer, &scene, 16, 16);
        }
        mc_renderer_destroy(renderer);
        REQUIRE(n < 104);
    }
}

// What a device has, and is done without.
static void test_without(void) {
    const char *all = "int64-atomics,texels,samples,timestamps,mapped-memory,debug-names";
    const char *const wrong[] = {"textures", "texels,,samples", "texel", "texels, samples"};
    mc_gpu_desc desc = {.without = all};
    mc_gpu *gpu = NULL;
    mc_error error = {0};
    REQUIRE(mc_gpu_create(&desc, &gpu, NULL) == MC_OK);
    CHECK(!gpu->has_int64_atomics && !gpu->reads_texels && !gpu->has_debug_utils);
    CHECK(gpu->timestamp_period_ns == 0.0);
    mc_renderer_desc chosen = mc_renderer_choose(gpu, MC_RASTERIZER_RASTER, 100, 16, false);
    CHECK(chosen.samples == 1 && chosen.rounds == 16);
    mc_buffer buffer = {0};
    REQUIRE(mc_buffer_create(gpu, 16, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT, MC_MEMORY_DEVICE, "test",
                             &buffer, NULL) == MC_OK);
    CHECK(!buffer.mapped);
    mc_buffer_destroy(gpu, &buffer);
    mc_gpu_destroy(gpu);
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        desc.without = wrong[i];
        gpu = NULL;
        CHECK(mc_gpu_create(&desc, &gpu, &error) == MC_ERROR_BAD_DATA && !gpu);
        CHECK_MSG(strstr(error.message, "there is: int64-atomics, texels"), "%s", error.message);
    }
}

static void test_devices(void) {
    mc_gpu *gpu = NULL;
    mc_error error = {0};
    mc_gpu_desc desc = {.device_name = "no such device"};
    CHECK(mc_gpu_create(&desc, &gpu, &error) == MC_ERROR_UNSUPPORTED);
    CHECK(strstr(error.message, "no such device") && !gpu);
    for (int round = 0; round < (MC_TEST_SANITIZED ? 4 : 10); round++) {
        gpu = made_gpu_create(round % 2 == 0);
        char name[128];
        snprintf(name, sizeof name, "%s", mc_gpu_get_device_name(gpu));
        CHECK(name[0] && mc_gpu_get_driver_name(gpu)[0]);
        mc_renderer_destroy(create(gpu, 1));
        CHECK(mc_gpu_get_validation_count(gpu) == 0);
        mc_gpu_destroy(gpu);
        for (char *c = name; *c; c++) // found in any case
            if (*c >= 'a' && *c <= 'z') *c = (char)(*c - 'a' + 'A');
        mc_gpu_desc same = {.device_name = name};
        gpu = NULL;
        CHECK(mc_gpu_create(&same, &gpu, NULL) == MC_OK);
        mc_gpu_destroy(gpu);
    }
    setenv("VK_DRIVER_FILES", "/nonexistent.json", 1);
    setenv("VK_ICD_FILENAMES", "/nonexistent.json", 1);
    gpu = NULL;
    desc = (mc_gpu_desc){0};
    CHECK(mc_gpu_create(&desc, &gpu, &error) == MC_ERROR_UNSUPPORTED);
    CHECK_MSG(strstr(error.message, "mesa-vulkan-drivers") && !gpu, "%s", error.message);
}

// Pipelines are built when they are needed; whenever that is, pictures are the same.
static void test_pipelines(mc_gpu *gpu, const made_city *made) {
    enum { SIZE = 64 };
    static uint8_t before[SIZE * SIZE * 4];
    mc_renderer *renderer = create(gpu, 1);
    REQUIRE(mc_renderer_set_city(renderer, made->city, NULL) == MC_OK);
    REQUIRE(mc_renderer_set_counts(renderer, made->counts[0], made->counts[1], NULL) == MC_OK);
    mc_scene scene = made_scene(made->city, true, 1.0f);
    draw(renderer, &scene, SIZE, SIZE);
    memcpy(before, pixels, sizeof before);
    uint32_t left = 0;
    while (left < 100 && mc_renderer_build_next(renderer))
        left++;
    CHECK_MSG(left >= 20 && left < 100, "%u pipelines were not needed", left);
    CHECK(!mc_renderer_build_next(renderer));
    draw(renderer, &scene, SIZE, SIZE);
    CHECK(memcmp(before, pixels, sizeof before) == 0);
    mc_renderer *other = create(gpu, 1); // each has its own
    CHECK(mc_renderer_build_next(renderer));
    mc_renderer_destroy(renderer);
    CHECK(mc_renderer_build_next(other));
    mc_renderer_destroy(other);
}

int main(void) {
    pixels = mc_alloc(1 << 20, 4);
    REQUIRE(pixels);
    made_city made;
    made_city_create(&made, 1500, MC_SCALING_LINEAR);
    mc_gpu *gpu = made_gpu_create(true);
    test_sizes(gpu, &made, 1);
    test_sizes(gpu, &made, 4);
    test_small_cities(gpu);
    test_too_large(gpu, &made);
    test_many_steps(gpu, &made);
    test_rounds(gpu, &made);
    test_pipelines(gpu, &made);
    test_out_of_memory(gpu, &made);
    CHECK(mc_gpu_get_validation_count(gpu) == 0);
    mc_gpu_destroy(gpu);
    test_without();
    test_devices();
    made_city_destroy(&made);
    mc_free(pixels);
    return test_finish();
}
