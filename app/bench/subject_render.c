// Drawing: the first picture, and orbits around the city.
#include "app/bench/bench_scene.h"
#include "engine/base/clock.h"

#define TRANSLUCENT_OPACITY 0.4f

typedef struct bench_orbit {
    const char *name;
    bool edges;
    double translucent_share; // of the buildings: those that grew the least
    bool as_window;           // and nothing of the above
} bench_orbit;

static const bench_orbit orbits[] = {
    {"orbit, opaque", false, 0, false},
    {"orbit, opaque, edges", true, 0, false},
    {"orbit, 20 % translucent", false, 0.2, false},
    {"orbit, all translucent", false, 1, false},
    {"orbit, as in the window", false, 0, true},
};

static void report_parameters(mc_bench_report *report, const mc_bench_options *options,
                              const mc_bench_scene *scene) {
    mc_bench_report_trace(report, options, scene->trace);
    mc_bench_report_parameter(report, "buildings", scene->city->building_count);
    mc_bench_report_parameter(report, "width", options->width);
    mc_bench_report_parameter(report, "height", options->height);
}

static void report_once(mc_bench_report *report, const char *name, double value_ms) {
    mc_bench_series series = {0};
    mc_bench_series_add(&series, value_ms);
    mc_bench_report_series(report, name, &series);
    mc_bench_series_deinit(&series);
}

// From a trace to its city's picture, once, as at the start of the program; a trace that is
// generated is there already.
static mc_result measure_first_picture(const mc_bench_options *options, mc_bench_report *report,
                                       mc_bench_scene *scene, mc_error *error) {
    mc_bench_report_begin(report, "first picture");
    uint64_t begin_ns = mc_clock_now_ns();
    mc_result result = mc_bench_scene_set_step(scene, 1, error);
    uint64_t set_ns = mc_clock_now_ns();
    if (result == MC_OK)
        result = mc_bench_scene_draw(scene, options, MC_BENCH_ORBIT_BEGIN_RAD, error);
    if (result != MC_OK) return result;
    double draw_ms = mc_bench_get_ms(set_ns, mc_clock_now_ns());
    double upload_ms = scene->city_upload_ms + mc_bench_get_ms(begin_ns, set_ns);
    double open_ms = options->path_count > 0 ? scene->open_ms : 0;
    report_parameters(report, options, scene);
    report_once(report, "total", open_ms + scene->city_ms + scene->gpu_ms + upload_ms + draw_ms);
    if (options->path_count > 0) report_once(report, "open", open_ms);
    report_once(report, "city", scene->city_ms);
    report_once(report, "device", scene->gpu_ms);
    report_once(report, "upload", upload_ms);
    report_once(report, "draw", draw_ms);
    mc_bench_report_end(report, MC_OK);
    return result;
}

static void set_up(mc_bench_scene *scene, const bench_orbit *orbit) {
    double opaque = (1 - orbit->translucent_share) * scene->city->building_count;
    scene->scene.edges = orbit->edges;
    scene->scene.params.flags = MC_UPDATE_COLOR_BY_GROWTH;
    if (orbit->translucent_share > 0) scene->scene.params.flags |= MC_UPDATE_OPACITY_BY_GROWTH;
    scene->scene.params.opaque_count = (uint32_t)opaque;
    scene->scene.params.opacity = TRANSLUCENT_OPACITY;
    if (orbit->as_window) mc_bench_scene_open_as_window(scene);
}

static mc_result measure_orbit(const mc_bench_options *options, mc_bench_report *report,
                               mc_bench_scene *scene, const bench_orbit *orbit, mc_error *error) {
    mc_bench_series frame = {0}, gpu = {0}, cpu = {0};
    set_up(scene, orbit);
    mc_bench_report_begin(report, orbit->name);
    mc_result result = MC_OK;
    mc_bench_loop loop = mc_bench_make_loop(options, 3, MC_BENCH_ORBIT_FRAMES);
    while (result == MC_OK && mc_bench_loop_next(&loop)) {
        double azimuth_rad = mc_bench_get_orbit_rad(mc_bench_loop_get_run(&loop));
        double begin_cpu_s = mc_bench_get_cpu_s();
        uint64_t begin_ns = mc_clock_now_ns();
        result = mc_bench_scene_draw(scene, options, azimuth_rad, error);
        uint64_t end_ns = mc_clock_now_ns();
        if (!mc_bench_loop_counts(&loop)) continue;
        mc_bench_series_add(&frame, mc_bench_get_ms(begin_ns, end_ns));
        mc_bench_series_add(&cpu, (mc_bench_get_cpu_s() - begin_cpu_s) * 1e3);
        mc_bench_series_add(&gpu, mc_renderer_get_times(scene->renderer).draw_ms);
    }
    report_parameters(report, options, scene);
    mc_bench_report_series(report, "frame", &frame);
    mc_bench_report_series(report, "gpu_draw", &gpu);
    mc_bench_report_series(report, "cpu", &cpu);
    mc_bench_report_end(report, result);
    mc_bench_series_deinit(&frame);
    mc_bench_series_deinit(&cpu);
    mc_bench_series_deinit(&gpu);
    return result;
}

static mc_result measure(const mc_bench_options *options, mc_bench_report *report,
                         mc_bench_scene *scene, mc_error *error) {
    mc_result result = measure_first_picture(options, report, scene, error);
    for (size_t i = 0; result == MC_OK && i < sizeof orbits / sizeof *orbits; i++)
        result = measure_orbit(options, report, scene, &orbits[i], error);
    if (result != MC_OK || !options->picture) return result;
    set_up(scene, &orbits[0]);
    return mc_bench_scene_write_picture(scene, options, error);
}

int mc_bench_render(const mc_bench_options *options, mc_bench_report *report) {
    return mc_bench_scene_run(options, report, measure);
}
