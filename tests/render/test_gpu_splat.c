// The compute rasteriser draws what the triangle hardware draws, as does what is chosen for a city
// (on a software device rectangles around small translucent buildings), and what is culled was not
// to be seen: whole cities (made ones, the benchmarks', the recorded traces') from three cameras by
// both, and translucency against pictures of single buildings blended by hand.
#include "app/bench/bench_scene.h"
#include "app/bench/generate.h"
#include "app/bench/subjects.h"
#include "engine/city/city_layout.h"
#include "engine/city/markers.h"
#include "engine/city/order.h"
#include "engine/city/transition.h"
#include "tests/city_maker.h"

enum { WIDTH = 960, HEIGHT = 540 };

typedef struct fixture {
    mc_gpu *gpu;
    mc_renderer *raster, *compute, *chosen;
    uint32_t most_different; // pixels of a thousand
} fixture;

static void init(fixture *f) {
    f->gpu = made_gpu_create(true);
    // By rays one sees borders where they are, not where the grid has them.
    f->most_different = made_is_coarse(f->gpu) ? 16 : 1;
    mc_renderer_desc desc = {.samples = 1, .rasterizer = MC_RASTERIZER_RASTER};
    REQUIRE(mc_renderer_create(f->gpu, &desc, &f->raster, NULL) == MC_OK);
    desc.rasterizer = MC_RASTERIZER_COMPUTE;
    REQUIRE(mc_renderer_create(f->gpu, &desc, &f->compute, NULL) == MC_OK);
    desc.rasterizer = MC_RASTERIZER_AUTO;
    REQUIRE(mc_renderer_create(f->gpu, &desc, &f->chosen, NULL) == MC_OK);
}

static void deinit(fixture *f) {
    mc_renderer_destroy(f->raster);
    mc_renderer_destroy(f->compute);
    mc_renderer_destroy(f->chosen);
    CHECK(mc_gpu_get_validation_count(f->gpu) == 0);
    mc_gpu_destroy(f->gpu);
}

static void set_city(fixture *f, const mc_city *city) {
    REQUIRE(mc_renderer_set_city(f->raster, city, NULL) == MC_OK);
    REQUIRE(mc_renderer_set_city(f->compute, city, NULL) == MC_OK);
    REQUIRE(mc_renderer_set_city(f->chosen, city, NULL) == MC_OK);
}

static void draw(mc_renderer *renderer, const mc_scene *scene, const uint64_t *counts,
                 uint32_t width, uint32_t height, uint8_t *pixels) {
    mc_error error = {0};
    REQUIRE(mc_renderer_set_counts(renderer, counts, counts, &error) == MC_OK);
    mc_result result =
        mc_renderer_render_image(renderer, scene, NULL, width, height, pixels, &error);
    if (result != MC_OK) fprintf(stderr, "%s\n", error.message);
    REQUIRE(result == MC_OK);
}

static uint32_t count_different(const uint8_t *a, const uint8_t *b, uint32_t pixel_count,
                                int tolerance) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < pixel_count; i++) {
        bool differs = false;
        for (uint32_t c = 0; c < 4; c++)
            differs = differs || abs(a[i * 4 + c] - b[i * 4 + c]) > tolerance;
        count += differs;
    }
    return count;
}

typedef enum camera { CAMERA_ORBIT, CAMERA_BIRD, CAMERA_LOW, CAMERA_COUNT } camera;

static mc_camera_view get_view(const mc_city *city, camera which, float aspect) {
    float w = city->width, d = city->depth, top = city->highest_top;
    vec3 eyes[CAMERA_COUNT] = {{w * 1.6f, w * 0.85f, d * 1.4f},
                               {w * 0.5f, w * 1.45f, d * 0.501f},
                               {w * 0.31f, top * 0.8f, d * 0.97f}};
    vec3 targets[CAMERA_COUNT] = {
        {w * 0.5f, 0, d * 0.5f}, {w * 0.5f, 0, d * 0.5f}, {w * 0.55f, 0, d * 0.45f}};
    return made_view(eyes[which], targets[which], aspect);
}

// Opaque, a fifth translucent, all but ten translucent, glass before ten.
static void check_city(fixture *f, const mc_city *city, const uint64_t *counts, const char *name) {
    set_city(f, city);
    static uint8_t pictures[2][WIDTH * HEIGHT * 4];
    mc_renderer *const others[] = {f->compute, f->chosen};
    // What shaders do no sanitizer sees; the rest is the same from anywhere.
    int camera_count = MC_TEST_SANITIZED ? 1 : CAMERA_COUNT;
    for (int which = 0; which < camera_count; which++) {
        for (int share = 0; share < (which == 0 ? 4 : 3); share++) {
            mc_scene scene = made_scene(city, false, (float)WIDTH / HEIGHT);
            scene.view = get_view(city, (camera)which, (float)WIDTH / HEIGHT);
            scene.params.flags = MC_UPDATE_COLOR_BY_GROWTH;
            if (share > 0)
                scene.params.flags |= share < 3 ? MC_UPDATE_OPACITY_BY_GROWTH : MC_UPDATE_GLASS;
            scene.params.opaque_count = share == 1 ? city->building_count / 5 * 4 : 10;
            scene.hovered.building = city->building_count / 2;
            draw(f->raster, &scene, counts, WIDTH, HEIGHT, pictures[0]);
            for (int other = 0; other < 2; other++) {
                draw(others[other], &scene, counts, WIDTH, HEIGHT, pictures[1]);
                uint32_t different = count_different(pictures[0], pictures[1], WIDTH * HEIGHT, 8);
                CHECK_MSG(different * 1000 < WIDTH * HEIGHT * f->most_different,
                          "%u pixels of %s, %u buildings, %d, %d, %d", different, name,
                          city->building_count, which, share, other);
            }
        }
    }
    set_city(f, NULL);
}

static void test_made_city(fixture *f, uint32_t leaf_count) {
    made_city made;
    made_city_create(&made, leaf_count, MC_SCALING_LINEAR);
    check_city(f, made.city, made.counts[1], "a made city");
    made_city_destroy(&made);
}

// Takes the trace.
static void test_trace(fixture *f, mc_trace *trace, const mc_city_desc *desc, uint32_t step,
                       const char *name) {
    made_city made = {.trace = trace};
    REQUIRE(mc_city_create(trace, desc, NULL, &made.city, NULL) == MC_OK);
    uint64_t *values = mc_alloc(mc_trace_get_nodes(trace)->count, sizeof *values);
    made.counts[0] = mc_alloc_zero((size_t)made.city->building_count + 1, sizeof(uint64_t));
    REQUIRE(values && made.counts[0]);
    test_column(trace, step, desc->metric, values);
    mc_city_gather(made.city, values, made.counts[0]);
    check_city(f, made.city, made.counts[0], name);
    mc_free(values);
    made_city_destroy(&made);
}

static void test_benchmark(fixture *f, uint32_t leaf_count) {
    const mc_generate_desc generate = {.leaf_count = leaf_count, .step_count = 2, .seed = 1};
    const mc_bench_options options = {.metric = MC_METRIC_BYTES};
    mc_trace *trace;
    REQUIRE(mc_generate_trace(&generate, NULL, &trace, NULL) == MC_OK);
    mc_city_desc desc = mc_bench_get_city_desc(&options, trace);
    test_trace(f, trace, &desc, 1, "the benchmark's city");
}

static void test_recorded(fixture *f, const char *name, uint32_t step) {
    char path[512];
    snprintf(path, sizeof path, "%s/traces/%s", MC_TEST_BINARY_DIR, name);
    const char *paths[] = {path};
    const mc_import_desc import = {.paths = paths, .path_count = 1};
    mc_trace *trace;
    REQUIRE(mc_import_trace(&import, &trace, NULL, NULL) == MC_OK);
    mc_city_desc desc = mc_city_desc_default(trace);
    test_trace(f, trace, &desc, step, name);
}

enum { SMALL_WIDTH = 200, SMALL_HEIGHT = 140, SMALL_COUNT = SMALL_WIDTH * SMALL_HEIGHT };

static double decode(double c) {
    return c <= 0.04045 ? c / 12.92 : pow((c + 0.055) / 1.055, 2.4);
}

static double encode(double c) {
    return c <= 0.0031308 ? c * 12.92 : 1.055 * pow(c, 1 / 2.4) - 0.055;
}

// Does a pixel's ray meet the box? 1: also when it is moved by a 32nd of a pixel to any side, 0:
// never, -1: rounding may decide.
static int meet_box(const mc_scene *scene, const mc_box *box, uint32_t pixel) {
    int met = 0;
    for (int corner = 0; corner < 4; corner++) {
        double direction[3], px = pixel % SMALL_WIDTH + 0.5 + (corner & 1 ? 1 : -1) / 32.0;
        double py = pixel / SMALL_WIDTH + 0.5 + (corner & 2 ? 1 : -1) / 32.0;
        made_get_direction(&scene->view, px / SMALL_WIDTH * 2 - 1, py / SMALL_HEIGHT * 2 - 1,
                           direction);
        met += made_enter_box(box, scene->view.eye, direction) >= 0;
    }
    return met == 0 ? 0 : met == 4 ? 1 : -1;
}

typedef struct blended {
    double color[3];
    uint32_t layer_count;
    bool is_unsure;
} blended;

// Compares what of a picture is blended and sure.
static void check_pixels(const blended *pixels, const uint8_t *drawn) {
    uint32_t compared = 0, wrong = 0, deepest = 0;
    for (uint32_t p = 0; p < SMALL_COUNT; p++) {
        if (pixels[p].is_unsure || pixels[p].layer_count == 0) continue;
        bool same = true;
        for (uint32_t c = 0; c < 3; c++)
            same = same && fabs(encode(pixels[p].color[c]) * 255 - drawn[p * 4 + c]) <= 3.0;
        compared++;
        wrong += !same;
        if (pixels[p].layer_count > deepest) deepest = pixels[p].layer_count;
    }
    CHECK_MSG(wrong == 0 && compared > SMALL_COUNT / 20 && deepest >= 5,
              "%u of %u pixels wrong, up to %u layers", wrong, compared, deepest);
}

// Blends, in the painter's order, pictures of single opaque buildings, and compares with all of
// them drawn at once.
static void check_blending(fixture *f, const made_city *made, mc_scene *scene,
                           uint32_t opaque_count) {
    uint32_t building_count = made->city->building_count;
    uint8_t *empty = mc_alloc(SMALL_COUNT, 4), *drawn = mc_alloc(SMALL_COUNT, 4);
    uint8_t *single = mc_alloc(SMALL_COUNT, 4);
    blended *pixels = mc_alloc_zero(SMALL_COUNT, sizeof *pixels);
    uint64_t *counts = mc_alloc_zero(building_count, sizeof *counts);
    uint32_t *order = mc_alloc(building_count, sizeof *order);
    uint32_t(*scratch)[3] = mc_alloc(mc_city_order_scratch_count(made->city), sizeof *scratch);
    REQUIRE(empty && drawn && single && pixels && counts && order && scratch);
    scene->params.flags = MC_UPDATE_COLOR_BY_GROWTH;
    draw(f->raster, scene, counts, SMALL_WIDTH, SMALL_HEIGHT, empty);
    for (uint32_t p = 0; p < SMALL_COUNT; p++)
        for (uint32_t c = 0; c < 3; c++)
            pixels[p].color[c] = decode(empty[p * 4 + c] / 255.0);
    mc_update_params params = scene->params;
    params.flags |= MC_UPDATE_OPACITY_BY_GROWTH;
    params.opaque_count = opaque_count;
    params.opacity = 0.4f;
    mc_city_order(made->city, scene->view.eye[0], scene->view.eye[2], scratch, order);
    for (uint32_t i = 0; i < building_count; i++) {
        uint32_t building = order[i];
        uint64_t count = made->counts[1][building];
        counts[building] = count;
        draw(f->raster, scene, counts, SMALL_WIDTH, SMALL_HEIGHT, single);
        counts[building] = 0;
        mc_box box = mc_city_evaluate_building(made->city, &params, building, count, count, NULL);
        for (uint32_t p = 0; p < SMALL_COUNT; p++) {
            int met = box.height > 0 ? meet_box(scene, &box, p) : 0;
            if (met < 0) pixels[p].is_unsure = true;
            if (met <= 0) continue;
            pixels[p].layer_count++;
            for (uint32_t c = 0; c < 3; c++)
                pixels[p].color[c] +=
                    (double)box.opacity * (decode(single[p * 4 + c] / 255.0) - pixels[p].color[c]);
        }
    }
    scene->params = params;
    draw(f->compute, scene, made->counts[1], SMALL_WIDTH, SMALL_HEIGHT, drawn);
    check_pixels(pixels, drawn);
    draw(f->chosen, scene, made->counts[1], SMALL_WIDTH, SMALL_HEIGHT, drawn);
    check_pixels(pixels, drawn);
    mc_free(empty);
    mc_free(drawn);
    mc_free(single);
    mc_free(pixels);
    mc_free(counts);
    mc_free(order);
    mc_free(scratch);
}

static void test_blending(fixture *f) {
    made_city made;
    made_city_create(&made, 150, MC_SCALING_LINEAR);
    set_city(f, made.city);
    float w = made.city->width, d = made.city->depth;
    vec3 eyes[] = {{w * 1.3f, w * 0.7f, d * 1.3f}, {w * 0.45f, w * 0.35f, d * 0.95f}};
    for (size_t i = 0; i < sizeof eyes / sizeof eyes[0]; i++) {
        mc_scene scene = made_scene(made.city, false, (float)SMALL_WIDTH / SMALL_HEIGHT);
        vec3 target = {w * 0.5f, 0, d * 0.45f};
        scene.view = made_view(eyes[i], target, (float)SMALL_WIDTH / SMALL_HEIGHT);
        scene.edges = false;
        scene.theme.shadow = 0; // which is part of no single building's picture
        check_blending(f, &made, &scene, 0);
        check_blending(f, &made, &scene, made.city->building_count / 5 * 4);
    }
    set_city(f, NULL);
    made_city_destroy(&made);
}

// Epochs of the visibility buffer run out, and pictures of several sizes share it: nothing of an
// earlier frame is seen.
static void test_many_frames(fixture *f) {
    enum { FRAME_COUNT = 150 };
    static uint8_t pictures[2][WIDTH * HEIGHT * 4];
    made_city made;
    made_city_create(&made, 2000, MC_SCALING_LINEAR);
    set_city(f, made.city);
    static const uint32_t sizes[][2] = {{320, 200}, {64, 300}, {500, 100}};
    for (uint32_t i = 0; i < FRAME_COUNT; i++) {
        uint32_t width = sizes[i % 3][0], height = sizes[i % 3][1];
        mc_scene scene = made_scene(made.city, false, (float)width / (float)height);
        float angle = (float)i * 0.37f, w = made.city->width;
        vec3 eye = {w * (0.5f + 1.2f * cosf(angle)), w * 0.6f, w * (0.5f + 1.2f * sinf(angle))};
        vec3 target = {w * 0.5f, 0, w * 0.5f};
        scene.view = made_view(eye, target, (float)width / (float)height);
        scene.params.flags = MC_UPDATE_COLOR_BY_GROWTH;
        draw(f->compute, &scene, made.counts[i % 2], width, height, pictures[1]);
        if (i % 10 != 9 && i / 10 != 6) continue; // epochs begin anew after 63 frames
        draw(f->raster, &scene, made.counts[i % 2], width, height, pictures[0]);
        uint32_t different = count_different(pictures[0], pictures[1], width * height, 8);
        CHECK_MSG(different * 500 < width * height, "frame %u: %u pixels", i, different);
    }
    set_city(f, NULL);
    made_city_destroy(&made);
}

// On the way from a city that was larger and elsewhere, with all but every fifth building dimmed:
// nothing is cut off where the old city reaches beyond the new one.
static void test_transition(fixture *f) {
    static uint8_t pictures[2][WIDTH * HEIGHT * 4];
    made_city made;
    made_city_create(&made, 12000, MC_SCALING_LINEAR);
    mc_city *city = made.city;
    uint32_t count = city->building_count;
    mc_update_params params = mc_update_params_default(city);
    mc_box *before =
        mc_transition_create(city, city, &params, made.counts[0], made.counts[0], NULL);
    mc_building_style *styles = mc_alloc_zero(count, sizeof *styles);
    REQUIRE(before && styles);
    for (uint32_t i = 0; i < count + city->district_count; i++) {
        mc_plot *plot = &before[i].footprint;
        *plot = (mc_plot){plot->z0 * 1.5f - 300.0f, plot->x0 * 1.5f - 300.0f,
                          plot->z1 * 1.5f - 300.0f, plot->x1 * 1.5f - 300.0f};
        before[i].height *= 2.0f;
    }
    for (uint32_t i = 0; i < count; i += 5)
        styles[i].bits = MC_STYLE_MARKED;
    for (uint32_t i = 0; i < count; i++) {
        styles[i].bits |= i % 11 == 0 ? MC_STYLE_DEMOLISHED : 0;
        styles[i].standing = i % 4 == 0 ? 0.5f : 1.0f;
    }
    mc_city_markers markers;
    uint32_t classes[12] = {0};
    mc_city_markers_place(&markers, city, classes, 12);
    for (uint32_t i = 0; i < 12; i++)
        markers.colors[i] = (mc_color){0.1f * (float)(i % 10), 0.5f, 0.2f, 2.0f};
    city->before = before;
    set_city(f, city);
    REQUIRE(mc_renderer_set_styles(f->raster, styles, NULL) == MC_OK);
    REQUIRE(mc_renderer_set_styles(f->compute, styles, NULL) == MC_OK);
    for (int i = 0; i < 6; i++) {
        mc_scene scene = made_scene(city, false, (float)WIDTH / HEIGHT);
        scene.view = get_view(city, CAMERA_ORBIT, (float)WIDTH / HEIGHT);
        scene.params.flags = MC_UPDATE_COLOR_BY_GROWTH | (i % 2 ? MC_UPDATE_DIM_UNMARKED : 0) |
                             (i > 3 ? MC_UPDATE_FADE_FALLEN : 0);
        scene.params.transition = 0.5f * (float)(i / 2);
        scene.markers = i % 3 == 0 ? NULL : &markers;
        draw(f->raster, &scene, made.counts[1], WIDTH, HEIGHT, pictures[0]);
        draw(f->compute, &scene, made.counts[1], WIDTH, HEIGHT, pictures[1]);
        uint32_t different = count_different(pictures[0], pictures[1], WIDTH * HEIGHT, 8);
        CHECK_MSG(different * 1000 < WIDTH * HEIGHT * f->most_different, "glide %d: %u pixels", i,
                  different);
    }
    set_city(f, NULL);
    mc_free(before);
    mc_free(styles);
    made_city_destroy(&made);
}

// Another size of the benchmark's city may be given.
int main(int argc, char **argv) {
    uint32_t leaf_count = argc > 1 ? (uint32_t)strtoul(argv[1], NULL, 10) : 300000;
    fixture f;
    init(&f);
    test_made_city(&f, 1000);
    test_made_city(&f, 30000);
    // Without the compute rasteriser it would be but slower.
    if (!MC_TEST_SANITIZED && f.gpu->has_int64_atomics) test_benchmark(&f, leaf_count);
    test_recorded(&f, "httpclient-3.0.1", 25);
    test_recorded(&f, "javac-daemon", 12);
    test_recorded(&f, "perfetto", 39);
    test_blending(&f);
    test_many_frames(&f);
    test_transition(&f);
    deinit(&f);
    return test_finish();
}
