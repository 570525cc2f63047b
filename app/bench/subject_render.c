// Drawing: the first picture, and orbits around the city.
#include "app/bench/bench_scene.h"
#include "engine/base/clock.h"

#define TRANSLUCENT_OPACITY 0.4f

typedef struct bench_orbit {
    const char *name;
    bool edges;
    double translucent_share; // of the buildings: those that grew the least
    bool as_window;           // and nothing of the above
    bool is_moving;           // at half the resolution
} bench_orbit;

static const bench_orbit orbits[] = {
    {"orbit, opaque", false, 0, false, false},
    {"orbit, opaque, edges", true, 0, false, false},
    {"orbit, 20 % translucent", false, 0.2, false, false},
    {"orbit, all translucent", false, 1, false, false},
    {"orbit, as in the window", false, 0, true, false},
    {"orbit, as in the papers", true, 1, false, false},
    {"orbit, opaque, edges, half", true, 0, false, true},
    {"orbit, as in the window, half", false, 0, true, true},
};

static void report_once(mc_bench_report *report, const char *name, double value_ms) {
    mc_bench_series series = {0};
    mc_bench_series_add(&series, value_ms);
    mc_bench_report_series(report, name, &series);
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
    mc_bench_scene_report(scene, options, report);
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
    scene->is_moving = orbit->is_moving;
    if (orbit->as_window) mc_bench_scene_open_as_window(scene);
}

static mc_result measure_orbit(const mc_bench_options *options, mc_bench_report *report,
                               mc_bench_scene *scene, const bench_orbit *orbit, mc_error *error) {
    set_up(scene, orbit);
    return mc_bench_scene_measure_orbit(scene, options, report, orbit->name, error);
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
