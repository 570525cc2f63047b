// The update pass against the CPU reference: every building of every step of the recorded traces.
#include "engine/city/city_layout.h"
#include "engine/import/import.h"
#include "tests/city_maker.h"

static mc_gpu *gpu;
static mc_renderer *renderer;

typedef struct columns {
    uint64_t *nodes, *from, *to;
    mc_box *boxes, *gpu_boxes;
    mc_color *colors, *gpu_colors;
} columns;

static columns allocate(const mc_trace *trace, const mc_city *city) {
    size_t count = (size_t)city->building_count + 1;
    columns c = {.nodes = mc_alloc(mc_trace_get_nodes(trace)->count, sizeof(uint64_t)),
                 .from = mc_alloc_zero(count, sizeof(uint64_t)),
                 .to = mc_alloc_zero(count, sizeof(uint64_t)),
                 .boxes = mc_alloc(count, sizeof(mc_box)),
                 .gpu_boxes = mc_alloc(count, sizeof(mc_box)),
                 .colors = mc_alloc(count, sizeof(mc_color)),
                 .gpu_colors = mc_alloc(count, sizeof(mc_color))};
    REQUIRE(c.nodes && c.from && c.to && c.boxes && c.gpu_boxes && c.colors && c.gpu_colors);
    return c;
}

static void release(columns *c) {
    void *all[] = {c->nodes, c->from, c->to, c->boxes, c->gpu_boxes, c->colors, c->gpu_colors};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        mc_free(all[i]);
}

// The largest difference, as a share of the city's side or of a colour's range.
static float compare(const mc_city *city, const columns *c) {
    float worst = 0;
    for (uint32_t i = 0; i < city->building_count; i++) {
        const float *a = &c->boxes[i].footprint.x0, *b = &c->gpu_boxes[i].footprint.x0;
        for (int k = 0; k < 6; k++) // footprint, base, height
            worst = fmaxf(worst, fabsf(a[k] - b[k]) / city->width);
        const float *p = &c->colors[i].r, *q = &c->gpu_colors[i].r;
        for (int k = 0; k < 4; k++)
            worst = fmaxf(worst, fabsf(p[k] - q[k]));
        worst = fmaxf(worst, fabsf(c->boxes[i].opacity - c->gpu_boxes[i].opacity));
        CHECK(c->boxes[i].selected == c->gpu_boxes[i].selected);
        CHECK((c->boxes[i].height > 0) == (c->gpu_boxes[i].height > 0));
    }
    return worst;
}

static void check_city(const mc_trace *trace, const mc_city_desc *desc) {
    mc_city *city = NULL;
    mc_error error = {0};
    REQUIRE(mc_city_create(trace, desc, NULL, &city, &error) == MC_OK);
    REQUIRE(mc_renderer_set_city(renderer, city, &error) == MC_OK);
    columns c = allocate(trace, city);
    for (uint32_t step = 0; step < mc_trace_get_step_count(trace); step++) {
        uint64_t *before = c.from;
        c.from = c.to;
        c.to = before;
        test_column(trace, step, desc->metric, c.nodes);
        mc_city_gather(city, c.nodes, c.to);
        REQUIRE(mc_renderer_set_counts(renderer, c.from, c.to, &error) == MC_OK);
        mc_update_params params = mc_update_params_default(city);
        // At rest, and somewhere on the way from the step before.
        for (int tween = 0; tween < 2; tween++) {
            params.blend = tween ? 0.1f + 0.8f * (float)(step % 7) / 7.0f : 1.0f;
            params.selected_first = step;
            params.selected_count = tween ? 5 : 0;
            params.jump = 3.0f;
            mc_city_evaluate(city, &params, c.from, c.to, c.boxes, c.colors);
            REQUIRE(mc_renderer_read_boxes(renderer, &params, c.gpu_boxes, c.gpu_colors, &error) ==
                    MC_OK);
            float worst = compare(city, &c);
            CHECK_MSG(worst < 2e-6f, "step %u, blend %g: %g", step, (double)params.blend,
                      (double)worst);
        }
    }
    release(&c);
    mc_renderer_set_city(renderer, NULL, NULL);
    mc_city_destroy(city);
}

static void check_trace(const char *name) {
    char path[512];
    snprintf(path, sizeof path, "%s/traces/%s", MC_TEST_BINARY_DIR, name);
    const char *paths[] = {path};
    mc_import_desc import = {.paths = paths, .path_count = 1};
    mc_trace *trace = NULL;
    mc_error error = {0};
    mc_result result = mc_import_trace(&import, &trace, NULL, &error);
    if (result != MC_OK) fprintf(stderr, "%s\n", error.message);
    REQUIRE(result == MC_OK);
    mc_city_desc desc = mc_city_desc_default(trace);
    check_city(trace, &desc);
    desc.metric = MC_METRIC_OBJECTS;
    desc.scaling = MC_SCALING_SQRT;
    check_city(trace, &desc);
    desc.scaling = MC_SCALING_QUADRATIC;
    desc.treemap.tiling = MC_TILING_BINARY;
    check_city(trace, &desc);
    mc_trace_destroy(trace);
}

int main(void) {
    mc_error error = {0};
    gpu = made_gpu_create(true);
    mc_renderer_desc renderer_desc = {.samples = 1};
    REQUIRE(mc_renderer_create(gpu, &renderer_desc, &renderer, &error) == MC_OK);
    check_trace("httpclient-3.0.1");
    check_trace("javac-daemon");
    check_trace("perfetto");
    CHECK(mc_gpu_get_validation_count(gpu) == 0);
    mc_renderer_destroy(renderer);
    mc_gpu_destroy(gpu);
    return test_finish();
}
