// Flat trees: ordering, a step, a frame, and the first frame on the way into a branch; and many
// small ones beside each other.
#include "app/bench/bench_scene.h"
#include "app/picture/picture_options.h"
#include "engine/base/clock.h"
#include "engine/base/memory.h"
#include "engine/scene/flat_pane.h"
#include <string.h>

enum { SMALL_COLUMNS = 8, SMALL_ROWS = 5, SMALL_COUNT = SMALL_COLUMNS * SMALL_ROWS };

typedef struct bench_tree {
    const mc_bench_options *options;
    mc_trace *trace;
    mc_gpu *gpu;
    mc_renderer *renderer;
    mc_tree *tree;
    mc_flat_pane pane;
    mc_strips strips;
    mc_theme theme;
    uint64_t *values, version;
    uint32_t form;
    uint32_t widest; // entry
    mc_flat_plane plane;
} bench_tree;

static void deinit(bench_tree *b) {
    mc_strips_deinit(&b->strips);
    mc_flat_pane_deinit(&b->pane);
    mc_tree_destroy(b->tree);
    mc_renderer_destroy(b->renderer);
    mc_gpu_destroy(b->gpu);
    mc_free(b->values);
    mc_trace_destroy(b->trace);
}

static mc_result init(bench_tree *b, mc_error *error) {
    mc_picture_options picture = {.device_name = b->options->device_name};
    mc_renderer_desc desc = {.samples = 1, .rasterizer = MC_RASTERIZER_RASTER};
    b->theme = mc_theme_get(false, MC_PALETTE_HEAT);
    b->values = mc_alloc(mc_trace_get_nodes(b->trace)->count, sizeof *b->values);
    if (!b->values) return mc_error_out_of_memory(error);
    mc_result result = mc_picture_create_gpu(&picture, &b->gpu, error);
    return result == MC_OK ? mc_renderer_create(b->gpu, &desc, &b->renderer, error) : result;
}

static mc_result measure_order(bench_tree *b, mc_bench_report *report, mc_error *error) {
    mc_bench_series times = {0};
    mc_result result = MC_OK;
    mc_tree_desc desc = {.metric = b->options->metric, .window = mc_step_range_whole(b->trace)};
    mc_bench_report_begin(report, "order");
    mc_bench_loop loop = mc_bench_make_loop(b->options, 0, 3);
    while (result == MC_OK && mc_bench_loop_next(&loop)) {
        mc_tree_destroy(b->tree);
        uint64_t begin_ns = mc_clock_now_ns();
        result = mc_tree_create(b->trace, &desc, &b->tree, error);
        mc_bench_loop_add(&loop, &times, begin_ns);
    }
    mc_bench_report_trace(report, b->options, b->trace);
    mc_bench_report_series(report, "cpu", &times);
    mc_bench_report_end(report, result);
    return result == MC_OK ? mc_flat_pane_init(&b->pane, b->tree, error) : result;
}

// From a step in the trace to the columns of the pane.
static mc_result show(bench_tree *b, uint32_t step, uint32_t root, bool keeps_before,
                      mc_error *error) {
    mc_result result = mc_trace_read_counts(b->trace, step, b->options->metric, b->values, error);
    if (result == MC_OK) mc_flat_pane_show(&b->pane, b->values, root, 0, keeps_before);
    return result;
}

static void color(bench_tree *b) {
    mc_flat_color_desc desc = {
        .theme = &b->theme, .nodes = mc_trace_get_nodes(b->trace), .solid_entry = MC_NONE};
    mc_flat_color(b->tree, &desc, b->pane.now.colors);
}

static mc_result build(bench_tree *b, double blend, mc_error *error) {
    mc_flat_rect rect = {0, 0, b->options->width, b->options->height};
    mc_flat_plane plane = mc_flat_pane_get_plane(&b->pane, blend, b->form, rect, 1, NULL);
    uint32_t texels =
        mc_strips_choose_texels(mc_flat_plane_get_most_length(&plane), b->form == MC_FLAT_SUNBURST);
    mc_result result = mc_flat_pane_build(&b->pane, blend, b->form, texels, &b->strips, error);
    if (result != MC_OK) return result;
    b->plane = mc_flat_pane_get_plane(&b->pane, blend, b->form, rect, 1, &b->strips);
    b->version++;
    return MC_OK;
}

static mc_result draw(bench_tree *b, uint32_t hovered, mc_error *error) {
    static const float blue[3] = {0.13f, 0.45f, 0.93f};
    mc_flat_mark mark;
    bool is_marked = mc_flat_pane_get_mark(&b->pane, &b->plane, hovered, blue, 2, &mark);
    mc_flat_scene flat = {.planes = &b->plane,
                          .marks = &mark,
                          .plane_count = 1,
                          .mark_count = is_marked,
                          .sums = b->strips.sums,
                          .spans = b->strips.spans,
                          .sum_count = mc_strips_get_sum_count(&b->strips),
                          .span_count = mc_strips_get_span_count(&b->strips),
                          .version = b->version};
    mc_scene scene = {.theme = b->theme, .flat = &flat};
    scene.hovered = scene.selected = MC_STRUCTURE_NONE;
    return mc_renderer_draw_image(b->renderer, &scene, b->options->width, b->options->height,
                                  error);
}

typedef enum bench_case { HOVER, FRAME, STEP, DRILL, CASE_COUNT } bench_case;

// The entry with the most children: what is drilled into.
static uint32_t find_widest(const mc_tree *tree) {
    uint32_t widest = 0;
    for (uint32_t i = 0; i < tree->count; i++)
        if (tree->child_count[i] > tree->child_count[widest]) widest = i;
    return widest;
}

static mc_result run(bench_tree *b, bench_case which, uint32_t round, mc_error *error) {
    mc_result result = MC_OK;
    uint32_t steps = mc_trace_get_step_count(b->trace);
    if (which == FRAME) {
        b->version++; // as if strips had changed
    } else if (which == STEP) {
        result = show(b, round % steps, 0, true, error);
        if (result == MC_OK) result = build(b, 1, error);
    } else if (which == DRILL) {
        mc_flat_pane_show(&b->pane, b->values, round % 2 ? b->widest : 0, 0, true);
        result = build(b, 0.05, error);
    }
    return result == MC_OK ? draw(b, round % b->tree->count, error) : result;
}

static mc_result measure_case(bench_tree *b, mc_bench_report *report, bench_case which,
                              const char *name, mc_error *error) {
    mc_bench_series times = {0}, cpu = {0};
    mc_bench_report_begin(report, name);
    mc_result result = show(b, 0, 0, false, error);
    if (result == MC_OK) color(b);
    if (result == MC_OK) result = build(b, 1, error);
    mc_bench_loop loop = mc_bench_make_loop(b->options, 3, 31);
    for (uint32_t i = 0; result == MC_OK && mc_bench_loop_next(&loop); i++) {
        double begin_cpu_s = mc_bench_get_cpu_s();
        uint64_t begin_ns = mc_clock_now_ns();
        result = run(b, which, i, error);
        if (!mc_bench_loop_counts(&loop)) continue;
        mc_bench_series_add(&times, mc_bench_get_ms(begin_ns, mc_clock_now_ns()));
        mc_bench_series_add(&cpu, (mc_bench_get_cpu_s() - begin_cpu_s) * 1e3);
    }
    mc_bench_report_trace(report, b->options, b->trace);
    mc_bench_report_parameter(report, "width", b->options->width);
    mc_bench_report_parameter(report, "height", b->options->height);
    mc_bench_report_parameter(report, "texels", b->strips.texel_count);
    mc_bench_report_series(report, "frame", &times);
    mc_bench_report_series(report, "cpu", &cpu);
    mc_bench_report_end(report, result);
    return result;
}

// ---- many small ones

typedef struct small_trees {
    mc_flat_plane planes[SMALL_COUNT];
    float *sums, *spans;
    size_t sum_capacity, span_capacity, sum_count, span_count; // texels
} small_trees;

static mc_result add_small(bench_tree *b, small_trees *small, uint32_t index, mc_error *error) {
    double width = (double)b->options->width / SMALL_COLUMNS;
    double height = (double)b->options->height / SMALL_ROWS;
    uint32_t column = index % SMALL_COLUMNS, row = index / SMALL_COLUMNS;
    double x = column * width, y = row * height;
    mc_flat_rect rect = {x + 4, y + 4, x + width - 4, y + height - 4};
    uint32_t steps = mc_trace_get_step_count(b->trace);
    mc_result result = show(b, index % steps, 0, false, error);
    if (result == MC_OK) color(b);
    mc_flat_plane plane = mc_flat_pane_get_plane(&b->pane, 1, b->form, rect, 1, NULL);
    uint32_t texels =
        mc_strips_choose_texels(mc_flat_plane_get_most_length(&plane), b->form == MC_FLAT_SUNBURST);
    if (result == MC_OK)
        result = mc_flat_pane_build(&b->pane, 1, b->form, texels, &b->strips, error);
    if (result != MC_OK) return result;
    size_t sums = mc_strips_get_sum_count(&b->strips);
    size_t spans = mc_strips_get_span_count(&b->strips);
    if (!mc_reserve(&small->sums, &small->sum_capacity, (small->sum_count + sums) * 4,
                    sizeof *small->sums) ||
        !mc_reserve(&small->spans, &small->span_capacity, (small->span_count + spans) * 2,
                    sizeof *small->spans))
        return mc_error_out_of_memory(error);
    memcpy(small->sums + small->sum_count * 4, b->strips.sums, sums * 4 * sizeof *small->sums);
    memcpy(small->spans + small->span_count * 2, b->strips.spans, spans * 2 * sizeof *small->spans);
    plane = mc_flat_pane_get_plane(&b->pane, 1, b->form, rect, 1, &b->strips);
    plane.first_sum = (uint32_t)small->sum_count;
    plane.first_span = (uint32_t)small->span_count;
    small->planes[index] = plane;
    small->sum_count += sums;
    small->span_count += spans;
    return MC_OK;
}

static mc_result draw_small(bench_tree *b, const small_trees *small, mc_error *error) {
    mc_flat_scene flat = {.planes = small->planes,
                          .plane_count = SMALL_COUNT,
                          .sums = small->sums,
                          .spans = small->spans,
                          .sum_count = (uint32_t)small->sum_count,
                          .span_count = (uint32_t)small->span_count,
                          .version = ++b->version};
    mc_scene scene = {.theme = b->theme, .flat = &flat};
    scene.hovered = scene.selected = MC_STRUCTURE_NONE;
    return mc_renderer_draw_image(b->renderer, &scene, b->options->width, b->options->height,
                                  error);
}

static mc_result measure_small(bench_tree *b, mc_bench_report *report, const char *name,
                               mc_error *error) {
    mc_bench_series times = {0}, cpu = {0}, making = {0};
    small_trees small = {.sum_count = 0};
    mc_result result = MC_OK;
    mc_bench_report_begin(report, name);
    for (uint32_t i = 0; i < SMALL_COUNT && result == MC_OK; i++) {
        uint64_t begin_ns = mc_clock_now_ns();
        result = add_small(b, &small, i, error);
        mc_bench_series_add(&making, mc_bench_get_ms(begin_ns, mc_clock_now_ns()));
    }
    mc_bench_loop loop = mc_bench_make_loop(b->options, 3, 31);
    while (result == MC_OK && mc_bench_loop_next(&loop)) {
        double begin_cpu_s = mc_bench_get_cpu_s();
        uint64_t begin_ns = mc_clock_now_ns();
        result = draw_small(b, &small, error);
        if (!mc_bench_loop_counts(&loop)) continue;
        mc_bench_series_add(&times, mc_bench_get_ms(begin_ns, mc_clock_now_ns()));
        mc_bench_series_add(&cpu, (mc_bench_get_cpu_s() - begin_cpu_s) * 1e3);
    }
    mc_bench_report_trace(report, b->options, b->trace);
    mc_bench_report_series(report, "frame", &times);
    mc_bench_report_series(report, "cpu", &cpu);
    mc_bench_report_series(report, "make one", &making);
    mc_bench_report_end(report, result);
    mc_free(small.sums);
    mc_free(small.spans);
    return result;
}

static mc_result measure(bench_tree *b, mc_bench_report *report, mc_error *error) {
    static const char *const names[2][CASE_COUNT] = {
        {"sunburst, hover", "sunburst, frame", "sunburst, step to step", "sunburst, into a branch"},
        {"icicle, hover", "icicle, frame", "icicle, step to step", "icicle, into a branch"}};
    mc_result result = measure_order(b, report, error);
    if (result == MC_OK) b->widest = find_widest(b->tree);
    for (uint32_t form = 0; form < 2; form++) {
        b->form = form == 0 ? MC_FLAT_SUNBURST : MC_FLAT_ICICLE;
        for (bench_case which = HOVER; result == MC_OK && which < CASE_COUNT; which++)
            result = measure_case(b, report, which, names[form][which], error);
        if (result == MC_OK)
            result = measure_small(
                b, report, form == 0 ? "40 small sunbursts, frame" : "40 small icicles, frame",
                error);
    }
    return result;
}

int mc_bench_tree(const mc_bench_options *options, mc_bench_report *report) {
    bench_tree b = {.options = options};
    mc_error error = {0};
    int code = mc_bench_open(options, &b.trace);
    if (code == MC_EXIT_OK && init(&b, &error) != MC_OK) code = mc_command_fail(&error);
    if (code == MC_EXIT_OK) {
        mc_bench_report_print_machine(report, options->commit, mc_gpu_get_device_name(b.gpu),
                                      mc_gpu_get_driver_name(b.gpu));
        if (measure(&b, report, &error) != MC_OK) code = mc_command_fail(&error);
    }
    deinit(&b);
    return code;
}
