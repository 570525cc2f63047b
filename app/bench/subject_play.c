// Going from step to step: what each step costs before its picture is there (waiting for it to be
// read ahead, uploading it, drawing), and each picture on the way.
#include "app/bench/bench_scene.h"
#include "engine/base/clock.h"

#define TWEEN_FRAMES 16

typedef struct step_times {
    mc_bench_series total, wait, upload, frame, gpu_update;
} step_times;

static mc_result play_step(const mc_bench_options *options, mc_bench_scene *scene, uint32_t step,
                           bool counts, step_times *times, mc_error *error) {
    uint64_t begin_ns = mc_clock_now_ns();
    mc_result result = mc_bench_scene_get_step(scene, step, error);
    uint64_t read_ns = mc_clock_now_ns();
    scene->scene.params.blend = 1;
    if (result == MC_OK) result = mc_renderer_advance_counts(scene->renderer, scene->to, error);
    uint64_t set_ns = mc_clock_now_ns();
    if (result == MC_OK)
        result = mc_bench_scene_draw(scene, options, MC_BENCH_ORBIT_BEGIN_RAD, error);
    uint64_t end_ns = mc_clock_now_ns();
    if (!counts) return result;
    mc_bench_series_add(&times->total, mc_bench_get_ms(begin_ns, end_ns));
    mc_bench_series_add(&times->wait, mc_bench_get_ms(begin_ns, read_ns));
    mc_bench_series_add(&times->upload, mc_bench_get_ms(read_ns, set_ns));
    mc_bench_series_add(&times->frame, mc_bench_get_ms(set_ns, end_ns));
    mc_bench_series_add(&times->gpu_update, mc_renderer_get_times(scene->renderer).update_ms);
    return result;
}

static mc_result measure_steps(const mc_bench_options *options, mc_bench_report *report,
                               mc_bench_scene *scene, const char *name, mc_error *error) {
    step_times times = {0};
    mc_result result = MC_OK;
    mc_bench_report_begin(report, name);
    mc_bench_loop loop = mc_bench_make_loop(options, 3, 30);
    for (uint32_t step = 0; result == MC_OK && mc_bench_loop_next(&loop); step++)
        result = play_step(options, scene, step, mc_bench_loop_counts(&loop), &times, error);
    mc_bench_report_trace(report, options, scene->trace);
    mc_bench_report_parameter(report, "buildings", scene->city->building_count);
    mc_bench_report_parameter(report, "width", options->width);
    mc_bench_report_parameter(report, "height", options->height);
    mc_bench_report_series(report, "step", &times.total);
    mc_bench_report_series(report, "wait", &times.wait);
    mc_bench_report_series(report, "upload", &times.upload);
    mc_bench_report_series(report, "frame", &times.frame);
    mc_bench_report_series(report, "gpu_update", &times.gpu_update);
    mc_bench_memory memory = mc_bench_get_memory();
    mc_bench_report_number(report, "resident", memory.resident_bytes * 1e-6, "mb");
    mc_bench_report_number(report, "columns", (double)mc_trace_memory_size(scene->trace) * 1e-6,
                           "mb");
    mc_bench_report_end(report, result);
    return result;
}

// Between two steps nothing is read or uploaded; shapes move.
static mc_result measure_tween(const mc_bench_options *options, mc_bench_report *report,
                               mc_bench_scene *scene, const char *name, mc_error *error) {
    mc_bench_series frame = {0};
    mc_result result = MC_OK;
    mc_bench_report_begin(report, name);
    mc_bench_loop loop = mc_bench_make_loop(options, 2, 30);
    while (result == MC_OK && mc_bench_loop_next(&loop)) {
        uint32_t at = loop.begun_count % TWEEN_FRAMES;
        scene->scene.params.blend = (float)at / TWEEN_FRAMES;
        uint64_t begin_ns = mc_clock_now_ns();
        result = mc_bench_scene_draw(scene, options, MC_BENCH_ORBIT_BEGIN_RAD, error);
        mc_bench_loop_add(&loop, &frame, begin_ns);
    }
    mc_bench_report_trace(report, options, scene->trace);
    mc_bench_report_series(report, "frame", &frame);
    mc_bench_report_end(report, result);
    return result;
}

static mc_result measure(const mc_bench_options *options, mc_bench_report *report,
                         mc_bench_scene *scene, mc_error *error) {
    mc_result result = measure_steps(options, report, scene, "step to step", error);
    if (result == MC_OK) result = measure_tween(options, report, scene, "between two steps", error);
    if (result != MC_OK) return result;
    mc_bench_scene_open_as_window(scene);
    result = measure_steps(options, report, scene, "step to step, as in the window", error);
    if (result != MC_OK) return result;
    return measure_tween(options, report, scene, "between two steps, as in the window", error);
}

int mc_bench_play(const mc_bench_options *options, mc_bench_report *report) {
    return mc_bench_scene_run(options, report, measure);
}
