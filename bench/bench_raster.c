// bench_raster.c - frame times with the compute rasteriser beside those of triangles alone, on
// the same city, from the same cameras, frame by frame in turn: one JSON line a case.
//
// bench_raster [LEAVES [WIDTH HEIGHT [FRAMES]]]. The scene is the web peers': side 10 sqrt(leaves),
// paddingOuter 1, paddingInner 0.5, field of view 45 degrees, an orbit at 1.5 sides from the centre
// and 0.6 rad above the ground. Times in ms until the picture is drawn; "different" is the share of
// pixels that differ by more than 8 of 255 between the two.
#include "app/bench/generate.h"
#include "engine/base/clock.h"
#include "engine/base/memory.h"
#include "engine/city/city_layout.h"
#include "engine/render/renderer.h"
#include "engine/scene/camera.h"
#include "tests/test.h"
#include <time.h>

#define PI 3.14159265358979323846
enum { WARM_UP_COUNT = 3, MOST_FRAMES = 120, STEP_COUNT = 3 };

typedef enum bench_case {
    CASE_OPAQUE,
    CASE_OPAQUE_EDGES,
    CASE_FIFTH_TRANSLUCENT,
    CASE_ALL_TRANSLUCENT,
    CASE_STEPS,
    CASE_COUNT
} bench_case;
static const char *const CASE_NAMES[] = {"orbit opaque", "orbit opaque edges",
                                         "orbit 20 % translucent", "orbit all translucent",
                                         "step to step"};
static const char *const RASTERIZER_NAMES[] = {"raster", "auto"};

typedef struct bench {
    mc_gpu *gpu;
    mc_renderer *renderers[2]; // by rasteriser, as in the names
    mc_trace *trace;
    mc_city *city;
    mc_camera camera;
    uint64_t *node_values, *counts[STEP_COUNT];
    uint32_t leaf_count, width, height, frame_count;
    uint8_t *pictures[2];
} bench;

static void create_city(bench *b) {
    mc_generate_desc generate = {.leaf_count = b->leaf_count, .step_count = STEP_COUNT, .seed = 1};
    REQUIRE(mc_generate_trace(&generate, NULL, &b->trace, NULL) == MC_OK);
    mc_city_desc desc = mc_city_desc_default(b->trace);
    double side = 10.0 * sqrt(b->leaf_count);
    desc.treemap = (mc_treemap_desc){MC_TILING_SQUARIFY, MC_PADDING_HALF_STREETS, 1, side, side};
    REQUIRE(mc_city_create(b->trace, &desc, NULL, &b->city, NULL) == MC_OK);
    b->node_values = mc_alloc(b->city->node_count, sizeof *b->node_values);
    REQUIRE(b->node_values);
    for (uint32_t step = 0; step < STEP_COUNT; step++) {
        b->counts[step] = mc_alloc((size_t)b->city->building_count + 1, sizeof *b->counts[step]);
        REQUIRE(b->counts[step]);
        REQUIRE(mc_trace_read_column(b->trace, step, MC_METRIC_BYTES, b->node_values, NULL) ==
                MC_OK);
        mc_city_gather(b->city, b->node_values, b->counts[step]);
    }
    mc_camera_bounds world = mc_camera_bounds_of_city(b->city);
    mc_camera_viewport viewport = {.width = b->width, .height = b->height};
    mc_camera_init(&b->camera, &world, viewport);
    b->camera.fov_rad = PI / 4;
    b->camera.smooth = false;
}

static mc_scene get_scene(bench *b, bench_case which, uint32_t frame) {
    mc_scene scene = {.params = mc_update_params_default(b->city),
                      .theme = mc_theme_get(false, MC_PALETTE_HEAT),
                      .hovered = MC_STRUCTURE_NONE,
                      .selected = MC_STRUCTURE_NONE,
                      .edges = which == CASE_OPAQUE_EDGES};
    double azimuth = which == CASE_STEPS ? 0.7 : 0.7 + 2 * PI * frame / 30;
    b->camera.pose = (mc_camera_pose){.target = {b->city->width / 2, 0, b->city->depth / 2},
                                      .distance = 1.5 * b->city->width,
                                      .azimuth_rad = PI / 2 - azimuth,
                                      .elevation_rad = 0.6};
    scene.view = mc_camera_get_view(&b->camera);
    scene.params.flags = MC_UPDATE_COLOR_BY_GROWTH;
    bool translucent = which == CASE_FIFTH_TRANSLUCENT || which == CASE_ALL_TRANSLUCENT;
    if (translucent) scene.params.flags |= MC_UPDATE_OPACITY_BY_GROWTH;
    scene.params.opaque_count =
        which == CASE_ALL_TRANSLUCENT ? 0 : (uint32_t)(0.8 * b->city->building_count);
    return scene;
}

static double since_ms(uint64_t start_ns) {
    return (double)(mc_clock_now_ns() - start_ns) * 1e-6;
}

// Of all threads of the process: less disturbed by others on the machine.
static double get_cpu_ms(void) {
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec * 1e3 + (double)now.tv_nsec * 1e-6;
}

static int compare(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double get_difference(const bench *b) {
    size_t count = (size_t)b->width * b->height, different = 0;
    for (size_t i = 0; i < count; i++) {
        bool differs = false;
        for (size_t c = 0; c < 3; c++)
            differs = differs || abs(b->pictures[0][i * 4 + c] - b->pictures[1][i * 4 + c]) > 8;
        different += differs;
    }
    return (double)different / (double)count;
}

static void run(bench *b, bench_case which) {
    static double frame_ms[2][MOST_FRAMES], cpu_ms[2][MOST_FRAMES], update_ms[2][MOST_FRAMES],
        draw_ms[2][MOST_FRAMES];
    double difference = 0;
    for (uint32_t i = 0; i < WARM_UP_COUNT + b->frame_count; i++) {
        mc_scene scene = get_scene(b, which, i);
        const uint64_t *counts = b->counts[which == CASE_STEPS ? i % STEP_COUNT : 1];
        for (int r = 0; r < 2; r++) {
            counts = b->counts[which == CASE_STEPS ? i % STEP_COUNT : 1];
            double start_cpu_ms = get_cpu_ms();
            uint64_t start_ns = mc_clock_now_ns();
            if (which == CASE_STEPS) // unlike any that the renderer still has
                b->counts[i % STEP_COUNT][0] = i * 2 + (uint32_t)r;
            REQUIRE(mc_renderer_set_counts(b->renderers[r], counts, counts, NULL) == MC_OK);
            if (i == 0)
                REQUIRE(mc_renderer_render_image(b->renderers[r], &scene, NULL, b->width, b->height,
                                                 b->pictures[r], NULL) == MC_OK);
            else
                REQUIRE(mc_renderer_draw_image(b->renderers[r], &scene, b->width, b->height,
                                               NULL) == MC_OK);
            double time_ms = since_ms(start_ns);
            double cpu_time_ms = get_cpu_ms() - start_cpu_ms;
            mc_renderer_times times = mc_renderer_get_times(b->renderers[r]);
            if (i < WARM_UP_COUNT) continue;
            frame_ms[r][i - WARM_UP_COUNT] = time_ms;
            cpu_ms[r][i - WARM_UP_COUNT] = cpu_time_ms;
            update_ms[r][i - WARM_UP_COUNT] = times.update_ms;
            draw_ms[r][i - WARM_UP_COUNT] = times.draw_ms;
        }
        if (i == 0) difference = get_difference(b);
    }
    printf("{\"bench\":\"raster\",\"device\":\"%s\",\"case\":\"%s\",\"buildings\":%u,"
           "\"districts\":%u,\"width\":%u,\"height\":%u,\"different\":%.6f",
           mc_gpu_get_device_name(b->gpu), CASE_NAMES[which], b->city->building_count,
           b->city->district_count, b->width, b->height, difference);
    for (int r = 0; r < 2; r++) {
        qsort(frame_ms[r], b->frame_count, sizeof(double), compare);
        qsort(cpu_ms[r], b->frame_count, sizeof(double), compare);
        qsort(update_ms[r], b->frame_count, sizeof(double), compare);
        qsort(draw_ms[r], b->frame_count, sizeof(double), compare);
        printf(",\"%s\":{\"min_ms\":%.2f,\"median_ms\":%.2f,\"cpu_ms\":%.2f,\"update_ms\":%.2f,"
               "\"draw_ms\":%.2f}",
               RASTERIZER_NAMES[r], frame_ms[r][0], frame_ms[r][b->frame_count / 2],
               cpu_ms[r][b->frame_count / 2], update_ms[r][b->frame_count / 2],
               draw_ms[r][b->frame_count / 2]);
    }
    printf("}\n");
    fflush(stdout);
}

static void deinit(bench *b) {
    for (int r = 0; r < 2; r++) {
        mc_renderer_destroy(b->renderers[r]);
        mc_free(b->pictures[r]);
    }
    mc_gpu_destroy(b->gpu);
    for (uint32_t step = 0; step < STEP_COUNT; step++)
        mc_free(b->counts[step]);
    mc_free(b->node_values);
    mc_city_destroy(b->city);
    mc_trace_destroy(b->trace);
}

static uint32_t get_argument(int argc, char **argv, int index, uint32_t usual) {
    return argc > index ? (uint32_t)strtoul(argv[index], NULL, 10) : usual;
}

int main(int argc, char **argv) {
    bench b = {.leaf_count = get_argument(argc, argv, 1, 300000),
               .width = get_argument(argc, argv, 2, 1280),
               .height = get_argument(argc, argv, 3, 720),
               .frame_count = get_argument(argc, argv, 4, 30)};
    mc_error error = {0};
    mc_gpu_desc desc = {0};
    if (b.frame_count > MOST_FRAMES) b.frame_count = MOST_FRAMES;
    if (mc_gpu_create(&desc, &b.gpu, &error) != MC_OK) fprintf(stderr, "%s\n", error.message);
    REQUIRE(b.gpu);
    create_city(&b);
    for (int r = 0; r < 2; r++) {
        mc_renderer_desc renderer = {.samples = 1,
                                     .rasterizer = r ? MC_RASTERIZER_AUTO : MC_RASTERIZER_RASTER};
        b.pictures[r] = mc_alloc((size_t)b.width * b.height, 4);
        REQUIRE(b.pictures[r]);
        REQUIRE(mc_renderer_create(b.gpu, &renderer, &b.renderers[r], NULL) == MC_OK);
        REQUIRE(mc_renderer_set_city(b.renderers[r], b.city, NULL) == MC_OK);
    }
    for (int which = 0; which < CASE_COUNT; which++)
        run(&b, (bench_case)which);
    deinit(&b);
    return test_finish();
}
