// Cities with more boxes than a storage buffer can be bound for, or than a dispatch has groups for:
// the update pass against its CPU reference, and pictures drawn in parts against those drawn at
// once.
#include "engine/render/city/box_windows.h"
#include "tests/city_maker.h"

enum { WIDTH = 320, HEIGHT = 200 };

// On lavapipe more than a binding of 128 MiB has room for: 4.2 million boxes of 32 bytes.
enum { COLUMNS = 2048, ROWS = MC_TEST_SANITIZED ? 100 : 2060 };

static mc_city *make_grid(void) {
    mc_city_desc desc = {.scaling = MC_SCALING_LINEAR};
    mc_city *city = NULL;
    uint32_t count = COLUMNS * ROWS;
    REQUIRE(mc_city_create_empty(&desc, count + 1, count, 1, &city, NULL) == MC_OK);
    city->width = COLUMNS;
    city->depth = ROWS;
    city->largest_growth = 5000;
    city->highest_top = 3.0f;
    for (uint32_t i = 0; i < count; i++) {
        float x = (float)(i % COLUMNS), z = (float)(i / COLUMNS);
        city->building_node[i] = i + 1;
        city->building_plot[i] = (mc_plot){x + 0.1f, z + 0.1f, x + 0.9f, z + 0.9f};
        city->building_base[i] = 0.5f;
        city->building_max[i] = 10000;
        city->building_first[i] = i % 5000;
        city->building_growth_rank[i] = count - 1 - i;
        city->building_district[i] = 0;
        city->items[i] = i;
    }
    city->district_node[0] = 0;
    city->district_plot[0] = (mc_plot){0.0f, 0.0f, COLUMNS, ROWS};
    city->district_base[0] = 0.0f;
    city->district_level[0] = 0;
    city->district_parent[0] = MC_NONE;
    city->district_building_first[0] = 0;
    city->district_building_count[0] = count;
    city->district_top[0] = 3.0f;
    city->district_item_first[0] = 0;
    city->district_item_count[0] = count;
    return city;
}

static bool is_close(float a, float b) {
    return fabsf(a - b) <= 1e-3f + 1e-5f * fabsf(b);
}

static bool is_same(const mc_box *box, const mc_color *color, const mc_box *wanted,
                    const mc_color *wanted_color) {
    return is_close(box->footprint.x0, wanted->footprint.x0) &&
           is_close(box->footprint.z1, wanted->footprint.z1) && box->base == wanted->base &&
           is_close(box->height, wanted->height) && box->opacity == wanted->opacity &&
           is_close(color->r, wanted_color->r) && is_close(color->b, wanted_color->b) &&
           color->opacity == wanted_color->opacity;
}

// Whether the picture has something in it where the farthest and the nearest corner are.
static void check_picture(mc_renderer *renderer, const mc_city *city, mc_update_params params) {
    static uint8_t pixels[WIDTH * HEIGHT * 4];
    mc_scene scene = made_scene(city, false, (float)WIDTH / HEIGHT);
    float middle[3] = {0.5f * city->width, 0.0f, 0.5f * city->depth};
    float above[3] = {middle[0], 0.2f * city->depth, middle[2]};
    scene.params = params;
    scene.edges = false;
    // Straight above the last rows: they are the last window's.
    middle[2] = above[2] = city->depth - 5.0f;
    above[1] = 12.0f;
    scene.view = made_view(above, middle, (float)WIDTH / HEIGHT);
    REQUIRE(mc_renderer_render_image(renderer, &scene, NULL, WIDTH, HEIGHT, pixels, NULL) == MC_OK);
    uint32_t different = 0;
    for (uint32_t i = 1; i < WIDTH * HEIGHT; i++)
        different += memcmp(pixels + i * 4, pixels + i * 4 - 4, 3) != 0;
    CHECK_MSG(different > WIDTH, "%u borders in a picture of the last rows", different);
}

static void test_grid(mc_gpu *gpu) {
    mc_renderer *renderer = NULL;
    mc_renderer_desc desc = {.samples = 1, .rasterizer = MC_RASTERIZER_COMPUTE};
    mc_error error = {0};
    REQUIRE(mc_renderer_create(gpu, &desc, &renderer, NULL) == MC_OK);
    mc_city *city = make_grid();
    uint32_t count = city->building_count, wrong = 0;
    uint64_t *from = mc_alloc(count, sizeof *from), *to = mc_alloc(count, sizeof *to);
    mc_box *boxes = mc_alloc(count, sizeof *boxes);
    mc_color *colors = mc_alloc(count, sizeof *colors);
    REQUIRE(from && to && boxes && colors);
    for (uint32_t i = 0; i < count; i++) {
        from[i] = (uint64_t)i * 7919 % 10000;
        to[i] = (uint64_t)i * 104729 % 10000;
    }
    mc_result result = mc_renderer_set_city(renderer, city, &error);
    CHECK_MSG(result == MC_OK, "%s", error.message);
    REQUIRE(mc_renderer_set_counts(renderer, from, to, NULL) == MC_OK);
    mc_update_params params = mc_update_params_default(city);
    params.blend = 0.4f;
    params.selected_first = count - 10;
    params.selected_count = 5;
    params.jump = 1.0f;
    REQUIRE(mc_renderer_read_boxes(renderer, &params, boxes, colors, NULL) == MC_OK);
    for (uint32_t i = 0; i < count; i++) {
        mc_color color;
        mc_box box = mc_city_evaluate_building(city, &params, i, from[i], to[i], &color);
        wrong += !is_same(&boxes[i], &colors[i], &box, &color);
    }
    CHECK_MSG(wrong == 0, "%u of %u buildings differ", wrong, count);
    params.flags = MC_UPDATE_COLOR_BY_GROWTH;
    check_picture(renderer, city, params);
    mc_free(from);
    mc_free(to);
    mc_free(boxes);
    mc_free(colors);
    mc_renderer_destroy(renderer);
    mc_city_destroy(city);
}

static void draw(mc_renderer *renderer, const made_city *made, uint32_t flags, uint8_t *pixels) {
    mc_scene scene = made_scene(made->city, false, (float)WIDTH / HEIGHT);
    uint32_t count = made->city->building_count;
    mc_frustum frustum = {.from_box = 0,
                          .to_box = count + 1,
                          .kind = MC_FRUSTUM_OUTGOING,
                          .from_share = 1.0f,
                          .to_share = 1.0f,
                          .reveal = 1.0f};
    scene.frustums = &frustum;
    scene.frustum_count = 1;
    scene.light = true;
    scene.params.flags = flags;
    scene.params.opaque_count = 12;
    scene.selected.building = count - 3;
    REQUIRE(mc_renderer_render_image(renderer, &scene, NULL, WIDTH, HEIGHT, pixels, NULL) == MC_OK);
}

static mc_renderer *create(mc_gpu *gpu, const made_city *made, mc_rasterizer rasterizer) {
    mc_renderer *renderer = NULL;
    const mc_renderer_desc desc = {.samples = 1, .rasterizer = rasterizer, .rounds = 2};
    REQUIRE(mc_renderer_create(gpu, &desc, &renderer, NULL) == MC_OK);
    REQUIRE(mc_renderer_set_city(renderer, made->city, NULL) == MC_OK);
    REQUIRE(mc_renderer_set_counts(renderer, made->counts[0], made->counts[2], NULL) == MC_OK);
    return renderer;
}

// Glass, the cull pass, layers, shadows, rims and frustums, with dispatches of 4,096 boxes at most.
static void test_parts(mc_gpu *gpu) {
    static const uint32_t flags[] = {MC_UPDATE_GLASS, MC_UPDATE_OPACITY_BY_GROWTH};
    static uint8_t whole[WIDTH * HEIGHT * 4], parts[WIDTH * HEIGHT * 4];
    static const mc_rasterizer rasterizers[] = {MC_RASTERIZER_AUTO, MC_RASTERIZER_COMPUTE};
    uint32_t group_count = gpu->limits.maxComputeWorkGroupCount[0];
    made_city made;
    made_city_create(&made, 9500, MC_SCALING_LINEAR);
    for (uint32_t r = 0; r < 2; r++) {
        mc_renderer *at_once = create(gpu, &made, rasterizers[r]);
        gpu->limits.maxComputeWorkGroupCount[0] = 64;
        mc_renderer *in_parts = create(gpu, &made, rasterizers[r]);
        CHECK(mc_box_windows_get_most(gpu) == (uint64_t)MC_BOX_WINDOW_MOST * 4096);
        for (uint32_t i = 0; i < sizeof flags / sizeof flags[0]; i++) {
            gpu->limits.maxComputeWorkGroupCount[0] = group_count;
            draw(at_once, &made, flags[i], whole);
            gpu->limits.maxComputeWorkGroupCount[0] = 64;
            draw(in_parts, &made, flags[i], parts);
            CHECK_MSG(memcmp(whole, parts, sizeof whole) == 0, "rasteriser %u, flags %u", r,
                      flags[i]);
        }
        gpu->limits.maxComputeWorkGroupCount[0] = group_count;
        mc_renderer_destroy(at_once);
        mc_renderer_destroy(in_parts);
    }
    made_city_destroy(&made);
}

// With more boxes than pixels those between pixel centres are sorted out first: none that would be
// seen is missing from what the triangle hardware draws, whatever stands near the eye or behind it.
static void test_crowd(mc_gpu *gpu) {
    enum { SMALL_WIDTH = 160, SMALL_HEIGHT = 100, PIXELS = SMALL_WIDTH * SMALL_HEIGHT };
    static uint8_t pictures[2][PIXELS * 4];
    static const mc_rasterizer rasterizers[] = {MC_RASTERIZER_RASTER, MC_RASTERIZER_COMPUTE};
    made_city made;
    mc_renderer *renderers[2];
    made_city_create(&made, 20000, MC_SCALING_LINEAR);
    CHECK(made.city->building_count > PIXELS);
    for (uint32_t r = 0; r < 2; r++) {
        const mc_renderer_desc desc = {.samples = 1, .rasterizer = rasterizers[r]};
        REQUIRE(mc_renderer_create(gpu, &desc, &renderers[r], NULL) == MC_OK);
        REQUIRE(mc_renderer_set_city(renderers[r], made.city, NULL) == MC_OK);
        REQUIRE(mc_renderer_set_counts(renderers[r], made.counts[0], made.counts[0], NULL) ==
                MC_OK);
    }
    float w = made.city->width, d = made.city->depth, top = made.city->highest_top;
    vec3 eyes[] = {{w * 1.6f, w * 0.85f, d * 1.4f},
                   {w * 0.5f, w * 1.45f, d * 0.501f},
                   {w * 0.31f, top * 0.8f, d * 0.97f}};
    for (uint32_t i = 0; i < 3; i++) {
        vec3 target = {w * 0.5f, 0.0f, d * 0.45f};
        mc_scene scene = made_scene(made.city, false, (float)SMALL_WIDTH / SMALL_HEIGHT);
        scene.view = made_view(eyes[i], target, (float)SMALL_WIDTH / SMALL_HEIGHT);
        scene.params.flags = MC_UPDATE_COLOR_BY_GROWTH;
        uint32_t different = 0;
        for (uint32_t r = 0; r < 2; r++)
            REQUIRE(mc_renderer_render_image(renderers[r], &scene, NULL, SMALL_WIDTH, SMALL_HEIGHT,
                                             pictures[r], NULL) == MC_OK);
        for (uint32_t p = 0; p < PIXELS * 4; p++)
            different += abs(pictures[0][p] - pictures[1][p]) > 8;
        CHECK_MSG(different < (made_is_coarse(gpu) ? PIXELS / 20 : PIXELS / 500),
                  "%u values differ, camera %u", different, i);
    }
    mc_renderer_destroy(renderers[0]);
    mc_renderer_destroy(renderers[1]);
    made_city_destroy(&made);
}

int main(void) {
    mc_gpu *gpu = made_gpu_create(true);
    test_parts(gpu);
    test_crowd(gpu);
    test_grid(gpu);
    CHECK(mc_gpu_get_validation_count(gpu) == 0);
    mc_gpu_destroy(gpu);
    return test_finish();
}
