// bench_render.c - frame times of the renderer without a window: one JSON line a case.
//
// bench_render [WIDTH HEIGHT [SAMPLES [BUILDINGS...]]]. Made cities with heavy-tailed sizes, the
// whole city in view. "gpu_*" are timestamps of the device; "frame" is the time from handing over a
// scene to having its pixels, "processor" what all threads of the program take meanwhile, which on
// a busy machine says more; in ms, the least, the median and the 95th percentile.
#include "engine/base/clock.h"
#include "engine/city/order.h"
#include "tests/city_maker.h"
#include <time.h>

enum { WARM_UP_COUNT = 3, FRAME_COUNT = 21 }; // the first frames compile shaders

typedef struct samples {
    double values[FRAME_COUNT];
} samples;

static int compare(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void print_samples(const char *name, samples *times) {
    qsort(times->values, FRAME_COUNT, sizeof times->values[0], compare);
    printf(",\"%s_min\":%.3f,\"%s\":%.3f,\"%s_p95\":%.3f", name, times->values[0], name,
           times->values[FRAME_COUNT / 2], name, times->values[FRAME_COUNT - 2]);
}

static double since_ms(uint64_t start_ns) {
    return (double)(mc_clock_now_ns() - start_ns) * 1e-6;
}

typedef struct bench {
    mc_gpu *gpu;
    mc_renderer *renderer;
    uint32_t width, height, sample_count;
    uint8_t *pixels;
} bench;

typedef enum bench_case { CASE_OPAQUE, CASE_TRANSLUCENT, CASE_BLEND, CASE_COUNT } bench_case;
static const char *const case_names[] = {"opaque", "translucent", "blend"};

static void run(const bench *b, const made_city *made, bench_case which) {
    samples frame, processor, update, draw;
    mc_error error = {0};
    mc_scene scene = made_scene(made->city, false, (float)b->width / (float)b->height);
    if (which != CASE_TRANSLUCENT) scene.params.flags = MC_UPDATE_COLOR_BY_GROWTH;
    for (int i = -WARM_UP_COUNT; i < FRAME_COUNT; i++) {
        if (which == CASE_BLEND) scene.params.blend = (float)(i + WARM_UP_COUNT + 1) / 32.0f;
        uint64_t start_ns = mc_clock_now_ns();
        clock_t start = clock();
        mc_result result = mc_renderer_render_image(b->renderer, &scene, NULL, b->width, b->height,
                                                    b->pixels, &error);
        if (result != MC_OK) {
            fprintf(stderr, "%s\n", error.message);
            exit(1);
        }
        if (i < 0) continue;
        mc_renderer_times times = mc_renderer_get_times(b->renderer);
        frame.values[i] = since_ms(start_ns);
        processor.values[i] = (double)(clock() - start) * 1e3 / CLOCKS_PER_SEC;
        update.values[i] = times.update_ms;
        draw.values[i] = times.draw_ms;
    }
    printf("{\"bench\":\"render\",\"device\":\"%s\",\"driver\":\"%s\",\"case\":\"%s\","
           "\"buildings\":%u,\"districts\":%u,\"width\":%u,\"height\":%u,\"samples\":%u",
           mc_gpu_get_device_name(b->gpu), mc_gpu_get_driver_name(b->gpu), case_names[which],
           made->city->building_count, made->city->district_count, b->width, b->height,
           b->sample_count);
    print_samples("frame", &frame);
    print_samples("processor", &processor);
    print_samples("gpu_update", &update);
    print_samples("gpu_draw", &draw);
    printf("}\n");
    fflush(stdout);
}

// What the CPU does when the step or the eye moves.
static void run_cpu(const bench *b, const made_city *made) {
    samples counts, order;
    const mc_city *city = made->city;
    uint32_t scratch_count = mc_city_order_scratch_count(city);
    uint32_t(*scratch)[3] = mc_alloc((size_t)scratch_count + 1, sizeof *scratch);
    uint32_t *list = mc_alloc((size_t)city->building_count + 1, sizeof *list);
    REQUIRE(scratch && list);
    for (int i = 0; i < FRAME_COUNT; i++) {
        uint64_t start_ns = mc_clock_now_ns();
        made->counts[0][0] = (uint64_t)i; // unlike all slots
        REQUIRE(mc_renderer_set_counts(b->renderer, made->counts[0], made->counts[0], NULL) ==
                MC_OK);
        counts.values[i] = since_ms(start_ns);
        start_ns = mc_clock_now_ns();
        mc_city_order(city, city->width * (float)i / FRAME_COUNT, city->depth * 0.6f, scratch,
                      list);
        order.values[i] = since_ms(start_ns);
    }
    printf("{\"bench\":\"render\",\"case\":\"cpu\",\"buildings\":%u", city->building_count);
    print_samples("set_counts", &counts);
    print_samples("order", &order);
    printf("}\n");
    fflush(stdout);
    mc_free(scratch);
    mc_free(list);
}

int main(int argc, char **argv) {
    static const uint32_t usual[] = {1000, 10000, 100000, 300000, 1000000};
    bench b = {.width = 1280, .height = 720, .sample_count = 1};
    if (argc > 2) {
        b.width = (uint32_t)strtoul(argv[1], NULL, 10);
        b.height = (uint32_t)strtoul(argv[2], NULL, 10);
    }
    if (argc > 3) b.sample_count = (uint32_t)strtoul(argv[3], NULL, 10);
    b.gpu = made_gpu_create(false);
    mc_renderer_desc desc = {.samples = b.sample_count};
    REQUIRE(mc_renderer_create(b.gpu, &desc, &b.renderer, NULL) == MC_OK);
    b.pixels = mc_alloc((size_t)b.width * b.height, 4);
    REQUIRE(b.pixels);
    int count = argc > 4 ? argc - 4 : (int)(sizeof usual / sizeof usual[0]);
    for (int i = 0; i < count; i++) {
        uint32_t buildings = argc > 4 ? (uint32_t)strtoul(argv[4 + i], NULL, 10) : usual[i];
        made_city made;
        made_city_create(&made, buildings, MC_SCALING_LINEAR);
        REQUIRE(mc_renderer_set_city(b.renderer, made.city, NULL) == MC_OK);
        REQUIRE(mc_renderer_set_counts(b.renderer, made.counts[0], made.counts[1], NULL) == MC_OK);
        for (int which = 0; which < CASE_COUNT; which++)
            run(&b, &made, (bench_case)which);
        run_cpu(&b, &made);
        REQUIRE(mc_renderer_set_city(b.renderer, NULL, NULL) == MC_OK);
        made_city_destroy(&made);
    }
    mc_free(b.pixels);
    mc_renderer_destroy(b.renderer);
    mc_gpu_destroy(b.gpu);
    return test_finish();
}
