// The update pass against its CPU reference, building by building.
#include "engine/base/hash.h"
#include "engine/city/evaluate.h"
#include "tests/city_maker.h"

static bool is_close(float a, float b, float slack) {
    return fabsf(a - b) <= 1e-5f * (fabsf(a) + fabsf(b)) + slack;
}

static bool is_same_box(const mc_box *a, const mc_box *b, float width) {
    float slack = 1e-6f * width; // a footprint's sides are differences of coordinates
    return is_close(a->footprint.x0, b->footprint.x0, slack) &&
           is_close(a->footprint.z0, b->footprint.z0, slack) &&
           is_close(a->footprint.x1, b->footprint.x1, slack) &&
           is_close(a->footprint.z1, b->footprint.z1, slack) && is_close(a->base, b->base, 0.0f) &&
           is_close(a->height, b->height, 1e-6f) && a->opacity == b->opacity &&
           a->selected == b->selected;
}

static bool is_same_color(const mc_color *a, const mc_color *b) {
    return is_close(a->r, b->r, 1e-5f) && is_close(a->g, b->g, 1e-5f) &&
           is_close(a->b, b->b, 1e-5f) && a->opacity == b->opacity;
}

static void compare(mc_renderer *renderer, const made_city *made, const mc_update_params *params,
                    uint32_t from, uint32_t to) {
    const mc_city *city = made->city;
    uint32_t count = city->building_count, wrong = 0;
    mc_box *boxes = mc_alloc(count, sizeof *boxes), *expected = mc_alloc(count, sizeof *expected);
    mc_color *colors = mc_alloc(count, sizeof *colors);
    mc_color *expected_colors = mc_alloc(count, sizeof *expected_colors);
    REQUIRE(boxes && expected && colors && expected_colors);
    REQUIRE(mc_renderer_set_counts(renderer, made->counts[from], made->counts[to], NULL) == MC_OK);
    REQUIRE(mc_renderer_read_boxes(renderer, params, boxes, colors, NULL) == MC_OK);
    mc_city_evaluate(city, params, made->counts[from], made->counts[to], expected, expected_colors);
    for (uint32_t i = 0; i < count; i++)
        wrong += !is_same_box(&boxes[i], &expected[i], city->width) ||
                 !is_same_color(&colors[i], &expected_colors[i]);
    CHECK_MSG(wrong == 0, "%u of %u buildings differ (scaling %u, flags %u, blend %g, %u to %u)",
              wrong, count, params->scaling, params->flags, (double)params->blend, from, to);
    mc_free(boxes);
    mc_free(expected);
    mc_free(colors);
    mc_free(expected_colors);
}

static void compare_all(mc_renderer *renderer, const made_city *made) {
    static const float blends[] = {0.0f, 0.2f, 0.4f, 0.5f, 0.61f, 0.83f, 1.0f};
    mc_update_params params = mc_update_params_default(made->city);
    for (uint32_t flags = 0; flags < 5; flags++) {
        params.flags = flags < 4 ? flags : MC_UPDATE_GLASS | MC_UPDATE_COLOR_BY_GROWTH;
        params.selected_first = flags * 100;
        params.selected_count = flags * 30;
        params.more_selected_count = flags; // one is nothing, two overlap
        params.more_selected[0] = (mc_building_range){5, 1};
        params.more_selected[1] = (mc_building_range){flags * 110, 40};
        params.more_selected[2] = (mc_building_range){0, 0};
        params.jump = (float)flags;
        params.opaque_count = flags * 30;
        params.opacity = flags == 3 ? 0.0f : 0.4f;
        for (uint32_t i = 0; i < sizeof blends / sizeof blends[0]; i++) {
            params.blend = blends[i];
            compare(renderer, made, &params, 0, 1);
            compare(renderer, made, &params, 1, 2);
            compare(renderer, made, &params, 2, 0);
            compare(renderer, made, &params, 1, 1);
        }
    }
}

// Every style flag alone and all together, on buildings of all classes; and gliding from boxes of
// which some were nowhere.
static void compare_styles(mc_renderer *renderer, const made_city *made) {
    mc_city *city = made->city;
    uint32_t count = city->building_count, all = count + city->district_count;
    mc_building_style *styles = mc_alloc(count, sizeof *styles);
    mc_box *before = mc_alloc_zero(all, sizeof *before);
    REQUIRE(styles && before);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t marked = i % 3 == 0 ? MC_STYLE_MARKED : 0;
        marked |= i % 11 == 0 ? MC_STYLE_DEMOLISHED : 0;
        uint32_t unknown = i % 13 < 8 ? i % 13 * MC_STYLE_UNKNOWN : 0; // all sets of these bits
        if (i % 17 == 0) city->building_first[i] = MC_COUNT_UNKNOWN;
        styles[i] = (mc_building_style){
            .bits = marked | unknown | i % MC_CLASS_COUNT << MC_STYLE_CLASS_SHIFT |
                    i % MC_HEIGHT_CLASS_COUNT << MC_STYLE_FROM_HEIGHT_SHIFT |
                    i % 7 % MC_HEIGHT_CLASS_COUNT << MC_STYLE_TO_HEIGHT_SHIFT,
            .from_share = (float)(i % 21) / 10.0f - 1.0f,
            .to_share = (float)(i % 7) / 6.0f,
            .standing = (float)(i % 5) / 4.0f};
    }
    for (uint32_t i = 0; i < all; i++) {
        float x = (float)(i % 50) * 20.0f, height = i % 4 == 0 ? 0.0f : 7.0f;
        before[i] = (mc_box){.footprint = {x, x, x + 10.0f, x + 5.0f}, .height = height};
    }
    mc_update_params params = mc_update_params_default(city);
    for (uint32_t i = 0; i < MC_CLASS_COUNT; i++)
        params.class_colors[i] = (mc_color){(float)i / 8.0f, 0.5f, 1.0f - (float)i / 8.0f, 1.0f};
    // Flags without styles say nothing, on either side.
    params.flags = MC_UPDATE_STYLE_FLAGS;
    compare(renderer, made, &params, 0, 1);

    city->before = before;
    REQUIRE(mc_renderer_set_city(renderer, city, NULL) == MC_OK);
    REQUIRE(mc_renderer_set_styles(renderer, styles, NULL) == MC_OK);
    city->styles = styles;
    static const uint32_t flag_sets[] = {MC_UPDATE_COLOR_BY_SHARE,
                                         MC_UPDATE_COLOR_BY_CLASS,
                                         MC_UPDATE_DIM_UNMARKED,
                                         MC_UPDATE_HEIGHT_BY_CLASS,
                                         MC_UPDATE_FADE_FALLEN,
                                         MC_UPDATE_UNKNOWN,
                                         MC_UPDATE_UNKNOWN | MC_UPDATE_COLOR_BY_GROWTH,
                                         MC_UPDATE_UNKNOWN | MC_UPDATE_HEIGHT_BY_CLASS,
                                         MC_UPDATE_STYLE_FLAGS | MC_UPDATE_OPACITY_BY_GROWTH,
                                         MC_UPDATE_COLOR_BY_GROWTH};
    static const float transitions[] = {0.0f, 0.35f, 1.0f};
    for (uint32_t f = 0; f < sizeof flag_sets / sizeof flag_sets[0]; f++)
        for (uint32_t g = 0; g < 3; g++) {
            params.flags = flag_sets[f];
            params.transition = transitions[g];
            params.selected_first = f * 10;
            params.selected_count = f * 5;
            params.blend = 0.3f * (float)g;
            compare(renderer, made, &params, g, (g + 1) % 3);
        }
    // Other styles count at once, also with the same parameters.
    styles[5].bits ^= MC_STYLE_MARKED;
    params.flags = MC_UPDATE_STYLE_FLAGS;
    REQUIRE(mc_renderer_set_styles(renderer, styles, NULL) == MC_OK);
    compare(renderer, made, &params, 0, 1);
    styles[5].bits ^= MC_STYLE_MARKED;
    REQUIRE(mc_renderer_set_styles(renderer, styles, NULL) == MC_OK);
    compare(renderer, made, &params, 0, 1);
    city->styles = NULL;
    city->before = NULL;
    mc_free(styles);
    mc_free(before);
}

enum { WIDTH = 240, HEIGHT = 135, STEPS = 12 };
static uint8_t gradual[HEIGHT][WIDTH][4], fresh[HEIGHT][WIDTH][4];

// Fewer than half of the buildings are others from step to step; some come, some go, some are gone
// for several steps.
static void fill_steps(const made_city *made, uint64_t *steps[STEPS]) {
    uint32_t count = made->city->building_count;
    for (uint32_t s = 0; s < STEPS; s++) {
        steps[s] = mc_alloc(count, sizeof *steps[s]);
        REQUIRE(steps[s]);
        for (uint32_t i = 0; i < count; i++) {
            uint64_t random = mc_hash_u64(i, s), most = made->city->building_max[i];
            steps[s][i] = s == 0             ? most - most / 3
                          : random % 10 >= 3 ? steps[s - 1][i]
                          : random % 30 == 1 ? 0
                                             : (random >> 8) % (most + 1);
        }
    }
}

static void draw_step(mc_renderer *renderer, const mc_scene *scene, void *pixels) {
    REQUIRE(mc_renderer_render_image(renderer, scene, NULL, WIDTH, HEIGHT, pixels, NULL) == MC_OK);
}

static uint32_t count_different(void) {
    uint32_t different = 0;
    for (uint32_t i = 0; i < WIDTH * HEIGHT; i++)
        different += memcmp(gradual[i / WIDTH][i % WIDTH], fresh[i / WIDTH][i % WIDTH], 4) != 0;
    return different;
}

// Going from step to step only some buildings are updated; what is at rest is to the bit what it is
// where all were, whatever came before. On the way a rounding may be another one.
static void compare_playing(mc_gpu *gpu, const made_city *made) {
    static const float blends[STEPS][4] = {{1},          {1},       {0.3f, 0.7f, 1}, {0, 0.5f, 1},
                                           {0.5f},       {0.2f, 1}, {1, 0.4f, 1},    {1},
                                           {0.6f, 0.9f}, {1},       {0.3f, 1},       {1}};
    uint64_t *steps[STEPS];
    fill_steps(made, steps);
    mc_renderer *playing = NULL, *other = NULL;
    mc_renderer_desc desc = {1, MC_RASTERIZER_AUTO, 1};
    REQUIRE(mc_renderer_create(gpu, &desc, &playing, NULL) == MC_OK);
    REQUIRE(mc_renderer_create(gpu, &desc, &other, NULL) == MC_OK);
    REQUIRE(mc_renderer_set_city(playing, made->city, NULL) == MC_OK);
    REQUIRE(mc_renderer_set_counts(playing, steps[0], steps[0], NULL) == MC_OK);
    mc_scene scene = made_scene(made->city, false, (float)WIDTH / HEIGHT);
    for (uint32_t s = 0; s < STEPS; s++) {
        if (s > 0) REQUIRE(mc_renderer_advance_counts(playing, steps[s], NULL) == MC_OK);
        if (s == 7) scene.params.opaque_count = 40; // all are others
        if (s == 9) scene.params.flags |= MC_UPDATE_GLASS;
        for (uint32_t i = 0; i < 4 && (i == 0 || blends[s][i] > 0); i++) {
            scene.params.blend = blends[s][i];
            draw_step(playing, &scene, gradual);
            REQUIRE(mc_renderer_set_city(other, made->city, NULL) == MC_OK);
            REQUIRE(mc_renderer_set_counts(other, steps[s > 0 ? s - 1 : 0], steps[s], NULL) ==
                    MC_OK);
            draw_step(other, &scene, fresh);
            uint32_t different = count_different(), allowed = blends[s][i] < 1 ? 20 : 0;
            CHECK_MSG(different <= allowed, "step %u, blend %g: %u pixels differ", s,
                      (double)blends[s][i], different);
        }
    }
    mc_renderer_destroy(playing);
    mc_renderer_destroy(other);
    for (uint32_t s = 0; s < STEPS; s++)
        mc_free(steps[s]);
}

// The same city with counts far beyond 32 bits, in both words.
static void scale_counts(made_city *made) {
    mc_city *city = made->city;
    uint64_t largest = 1;
    for (uint32_t i = 0; i < city->building_count; i++)
        if (city->building_max[i] > largest) largest = city->building_max[i];
    uint64_t factor = (uint64_t)INT64_MAX / 4 / largest;
    for (uint32_t i = 0; i < city->building_count; i++) {
        city->building_max[i] = city->building_max[i] * factor + i;
        city->building_first[i] *= factor;
        for (uint32_t step = 0; step < 3; step++)
            made->counts[step][i] *= factor;
    }
    city->largest_growth *= (int64_t)factor;
}

// In windows of 768 boxes, as a device with few groups in a dispatch wants them.
static void test_windows(mc_gpu *gpu) {
    mc_renderer *renderer;
    mc_renderer_desc desc = {.samples = 1};
    made_city made;
    uint32_t group_count = gpu->limits.maxComputeWorkGroupCount[0];
    made_city_create(&made, 2000, MC_SCALING_LINEAR);
    gpu->limits.maxComputeWorkGroupCount[0] = 12;
    REQUIRE(mc_renderer_create(gpu, &desc, &renderer, NULL) == MC_OK);
    REQUIRE(mc_renderer_set_city(renderer, made.city, NULL) == MC_OK);
    CHECK(made.city->building_count > 2 * 768);
    compare_all(renderer, &made);
    compare_styles(renderer, &made);
    mc_renderer_destroy(renderer);
    gpu->limits.maxComputeWorkGroupCount[0] = group_count;
    made_city_destroy(&made);
}

int main(void) {
    mc_gpu *gpu = made_gpu_create(true);
    mc_renderer *renderer;
    mc_renderer_desc desc = {.samples = 1};
    REQUIRE(mc_renderer_create(gpu, &desc, &renderer, NULL) == MC_OK);
    for (int scaling = 0; scaling < MC_SCALING_COUNT; scaling++) {
        made_city made;
        made_city_create(&made, 2000, (mc_scaling)scaling);
        REQUIRE(mc_renderer_set_city(renderer, made.city, NULL) == MC_OK);
        compare_all(renderer, &made);
        compare_styles(renderer, &made);
        compare_playing(gpu, &made);
        scale_counts(&made);
        REQUIRE(mc_renderer_set_city(renderer, made.city, NULL) == MC_OK);
        compare_all(renderer, &made);
        REQUIRE(mc_renderer_set_city(renderer, NULL, NULL) == MC_OK);
        made_city_destroy(&made);
    }
    mc_renderer_destroy(renderer);
    test_windows(gpu);
    CHECK(mc_gpu_get_validation_count(gpu) == 0);
    mc_gpu_destroy(gpu);
    return test_finish();
}
