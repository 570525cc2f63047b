// Playing and laying out again and again leaves memory where it was: the program's own, the
// driver's and what the kernel counts. `test_gpu_memory 300000` does it with as many leaves.
#include "app/bench/bench_report.h"
#include "app/bench/generate.h"
#include "engine/city/city_layout.h"
#include "engine/scene/step_stream.h"
#include "tests/city_maker.h"
#include <inttypes.h>
#include <malloc.h>

enum { STEPS = 4, PLAYED = 1000, LAYOUTS = 100, WIDTH = 64, HEIGHT = 48 };

typedef struct scene {
    mc_trace *trace;
    mc_city *city;
    mc_renderer *renderer;
    mc_step_stream *steps;
} scene;

// Bytes.
typedef struct usage {
    double allocated; // by malloc
    double resident;  // anonymous memory
} usage;

static usage get_usage(void) {
    malloc_trim(0);
    struct mallinfo2 info = mallinfo2();
    return (usage){(double)info.uordblks + (double)info.hblkhd,
                   mc_bench_get_memory().anonymous_bytes};
}

static void lay_out(scene *s, uint32_t round) {
    mc_city_desc desc = mc_city_desc_default(s->trace);
    desc.treemap.tiling = (mc_tiling)(round % MC_TILING_COUNT);
    desc.metric = (mc_metric)(round / MC_TILING_COUNT % 2);
    desc.child_limit = round % 3 == 2 ? 20 : 0;
    mc_city *city = NULL;
    mc_step_stream *steps = NULL;
    REQUIRE(mc_city_create(s->trace, &desc, NULL, &city, NULL) == MC_OK);
    mc_step_stream_desc of_city = mc_step_stream_of_city(city);
    REQUIRE(mc_step_stream_create(s->trace, &of_city, &steps, NULL) == MC_OK);
    REQUIRE(mc_renderer_set_city(s->renderer, city, NULL) == MC_OK);
    mc_step_stream_destroy(s->steps);
    mc_city_destroy(s->city);
    s->city = city;
    s->steps = steps;
    mc_step_counts now;
    REQUIRE(mc_step_stream_get(steps, 0, &now, NULL) == MC_OK);
    REQUIRE(mc_renderer_set_counts(s->renderer, now.counts, now.counts, NULL) == MC_OK);
}

static void draw(const scene *s, float blend, bool translucent) {
    static uint8_t pixels[WIDTH * HEIGHT * 4];
    mc_scene shown = made_scene(s->city, false, (float)WIDTH / HEIGHT);
    shown.params.blend = blend;
    shown.params.flags = MC_UPDATE_COLOR_BY_GROWTH;
    if (translucent) shown.params.flags |= MC_UPDATE_OPACITY_BY_GROWTH;
    REQUIRE(mc_renderer_render_image(s->renderer, &shown, NULL, WIDTH, HEIGHT, pixels, NULL) ==
            MC_OK);
}

// Back and forth.
static void play(const scene *s, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        mc_step_counts now;
        uint32_t at = i % (2 * STEPS - 2), step = at < STEPS ? at : 2 * STEPS - 2 - at;
        REQUIRE(mc_step_stream_get(s->steps, step, &now, NULL) == MC_OK);
        REQUIRE(mc_renderer_advance_counts(s->renderer, now.counts, NULL) == MC_OK);
        draw(s, i % 3 == 0 ? 0.5f : 1.0f, i % 50 == 0);
    }
}

static void lay_out_often(scene *s, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        lay_out(s, i);
        if (i % 10 == 0) draw(s, 1, false);
    }
    lay_out(s, 0);
}

// Whether it is about as much as before; at the second time it has to be.
static bool check(const char *what, usage before, bool is_second) {
    usage after = get_usage();
    double allocated = after.allocated - before.allocated;
    double resident = after.resident - before.resident;
    printf("%s: %+.3f MB allocated, %+.1f MB resident, of %.0f\n", what, allocated * 1e-6,
           resident * 1e-6, after.resident * 1e-6);
    if (MC_TEST_SANITIZED) return true; // sanitizers keep what was freed
    // The driver allocates a megabyte or two now and then, SwiftShader 32 once, at any time; a
    // column kept each step would be 40 MB each time.
    bool is_stable = allocated < 4e6 && resident < 8e6 + 0.03 * before.resident;
    CHECK_MSG(is_stable || !is_second, "%s: %.0f bytes more are allocated, %.0f resident", what,
              allocated, resident);
    return is_stable;
}

static void play_much(scene *s) {
    play(s, PLAYED);
}

static void lay_out_much(scene *s) {
    lay_out_often(s, LAYOUTS);
    play(s, 12);
}

static void check_twice(const char *what, scene *s, void (*act)(scene *s)) {
    for (int time = 0; time < 2; time++) {
        usage before = get_usage();
        act(s);
        if (check(what, before, time == 1)) return;
    }
}

int main(int argc, char **argv) {
    mc_generate_desc desc = {.leaf_count = argc > 1 ? (uint32_t)strtoul(argv[1], NULL, 10) : 10000,
                             .step_count = STEPS,
                             .seed = 1};
    mc_renderer_desc renderer_desc = {.samples = 1};
    scene s = {0};
    REQUIRE(mc_generate_trace(&desc, NULL, &s.trace, NULL) == MC_OK);
    mc_gpu *gpu = made_gpu_create(false); // the layers keep books of their own
    REQUIRE(mc_renderer_create(gpu, &renderer_desc, &s.renderer, NULL) == MC_OK);
    // Whatever is made once has been made after this.
    lay_out_often(&s, 2 * MC_TILING_COUNT);
    play(&s, 60);
    check_twice("playing", &s, play_much);
    check_twice("laying out", &s, lay_out_much);
    mc_step_stream_destroy(s.steps);
    mc_renderer_destroy(s.renderer);
    mc_city_destroy(s.city);
    mc_gpu_destroy(gpu);
    mc_trace_destroy(s.trace);
    return test_finish();
}
