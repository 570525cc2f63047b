#include "app/bench/bench_scene.h"

#include "app/png_file.h"
#include "engine/base/clock.h"
#include "engine/base/memory.h"
#include "engine/city/city_layout.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define PI 3.14159265358979323846
#define PLOT_SIDE 10.0 // of the average building
#define DISTRICT_HEIGHT 1.0f
#define ELEVATION_RAD 0.6
#define FOV_RAD (PI / 4)
#define DISTANCE_SHARE 1.5 // of the city's side

mc_city_desc mc_bench_get_city_desc(const mc_bench_options *options, const mc_trace *trace) {
    mc_city_desc desc = mc_city_desc_default(trace);
    double side = PLOT_SIDE * sqrt(mc_trace_get_nodes(trace)->leaf_count);
    desc.metric = options->metric;
    desc.treemap = (mc_treemap_desc){MC_TILING_SQUARIFY, MC_PADDING_HALF_STREETS, 1, side, side};
    return desc;
}

// The peers' districts are flat at any size of the city.
static void set_district_height(mc_city *city, float height) {
    city->district_height = height;
    city->highest_top = 0;
    for (uint32_t i = 0; i < city->district_count; i++) {
        city->district_base[i] = (float)city->district_level[i] * height;
        city->district_top[i] = city->district_base[i] + height;
    }
    for (uint32_t i = 0; i < city->building_count; i++) {
        uint32_t district = city->building_district[i];
        mc_plot plot = city->building_plot[i];
        float base = district == MC_NONE ? 0 : city->district_base[district] + height;
        float top = base + 2.0f * sqrtf((plot.x1 - plot.x0) * (plot.z1 - plot.z0));
        city->building_base[i] = base;
        if (top > city->highest_top) city->highest_top = top;
        if (district != MC_NONE && top > city->district_top[district])
            city->district_top[district] = top;
    }
    for (uint32_t i = city->district_count; i-- > 1;) {
        float *parent = &city->district_top[city->district_parent[i]];
        if (city->district_top[i] > *parent) *parent = city->district_top[i];
    }
}

mc_camera mc_bench_get_camera(const mc_bench_options *options, const mc_city *city,
                              double azimuth_rad) {
    mc_camera camera;
    mc_camera_bounds world = mc_camera_bounds_of_city(city);
    mc_camera_viewport viewport = {.width = options->width, .height = options->height};
    mc_camera_init(&camera, &world, viewport);
    camera.fov_rad = FOV_RAD;
    camera.smooth = false;
    mc_camera_pose pose = {.target = {city->width / 2, 0, city->depth / 2},
                           .distance = DISTANCE_SHARE * city->width,
                           .azimuth_rad = PI / 2 - azimuth_rad,
                           .elevation_rad = ELEVATION_RAD};
    camera.pose = pose;
    return camera;
}

double mc_bench_get_orbit_rad(uint32_t frame) {
    return MC_BENCH_ORBIT_BEGIN_RAD + 2 * PI * frame / MC_BENCH_ORBIT_FRAMES;
}

static mc_result create_gpu(mc_bench_scene *scene, const mc_bench_options *options,
                            mc_error *error) {
    mc_gpu_desc desc = {.device_name = options->device_name, .without = getenv("MEMCITY_WITHOUT")};
    mc_renderer_desc renderer_desc = {.samples = 1,
                                      .rasterizer = (mc_rasterizer)options->rasterizer};
    uint64_t begin_ns = mc_clock_now_ns();
    mc_result result = mc_gpu_create(&desc, &scene->gpu, error);
    if (result == MC_OK)
        result = mc_renderer_create(scene->gpu, &renderer_desc, &scene->renderer, error);
    scene->gpu_ms = mc_bench_get_ms(begin_ns, mc_clock_now_ns());
    begin_ns = mc_clock_now_ns();
    if (result == MC_OK) result = mc_renderer_set_city(scene->renderer, scene->city, error);
    scene->city_upload_ms = mc_bench_get_ms(begin_ns, mc_clock_now_ns());
    return result;
}

int mc_bench_scene_init(mc_bench_scene *scene, const mc_bench_options *options) {
    memset(scene, 0, sizeof *scene);
    uint64_t begin_ns = mc_clock_now_ns();
    int code = mc_bench_open(options, &scene->trace);
    if (code != MC_EXIT_OK) return code;
    uint64_t open_ns = mc_clock_now_ns();
    scene->open_ms = mc_bench_get_ms(begin_ns, open_ns);
    mc_error error = {0};
    mc_city_desc desc = mc_bench_get_city_desc(options, scene->trace);
    mc_result result = mc_city_create(scene->trace, &desc, NULL, &scene->city, &error);
    scene->city_ms = mc_bench_get_ms(open_ns, mc_clock_now_ns());
    if (result == MC_OK) {
        set_district_height(scene->city, DISTRICT_HEIGHT);
        mc_step_stream_desc steps = mc_step_stream_of_city(scene->city);
        result = mc_step_stream_create(scene->trace, &steps, &scene->steps, &error);
    }
    if (result == MC_OK) result = create_gpu(scene, options, &error);
    if (result != MC_OK) return mc_command_fail(&error);
    scene->camera = mc_bench_get_camera(options, scene->city, MC_BENCH_ORBIT_BEGIN_RAD);
    scene->scene = (mc_scene){.params = mc_update_params_default(scene->city),
                              .theme = mc_theme_get(false, MC_PALETTE_HEAT),
                              .hovered = MC_STRUCTURE_NONE,
                              .selected = MC_STRUCTURE_NONE,
                              .pixel_scale = 1};
    scene->scene.params.flags = MC_UPDATE_COLOR_BY_GROWTH;
    mc_theme_apply(&scene->scene.theme, &scene->scene.params);
    return MC_EXIT_OK;
}

void mc_bench_scene_deinit(mc_bench_scene *scene) {
    mc_step_stream_destroy(scene->steps);
    mc_renderer_destroy(scene->renderer);
    mc_gpu_destroy(scene->gpu);
    mc_city_destroy(scene->city);
    mc_trace_destroy(scene->trace);
    memset(scene, 0, sizeof *scene);
}

void mc_bench_scene_open_as_window(mc_bench_scene *scene) {
    mc_update_params usual = mc_update_params_default(scene->city);
    scene->scene.edges = true;
    scene->scene.params.flags = MC_UPDATE_COLOR_BY_GROWTH | MC_UPDATE_GLASS;
    scene->scene.params.opaque_count = usual.opaque_count;
    scene->scene.params.opacity = usual.opacity;
}

mc_result mc_bench_scene_get_step(mc_bench_scene *scene, uint32_t step, mc_error *error) {
    mc_step_counts now;
    step %= mc_trace_get_step_count(scene->trace);
    mc_result result = mc_step_stream_get(scene->steps, step, &now, error);
    if (result != MC_OK) return result;
    scene->from = scene->to ? scene->to : now.counts;
    scene->to = now.counts;
    return MC_OK;
}

mc_result mc_bench_scene_set_step(mc_bench_scene *scene, uint32_t step, mc_error *error) {
    mc_result result = mc_bench_scene_get_step(scene, step, error);
    if (result != MC_OK) return result;
    scene->scene.params.blend = 1;
    return mc_renderer_set_counts(scene->renderer, scene->to, scene->to, error);
}

mc_result mc_bench_scene_draw(mc_bench_scene *scene, const mc_bench_options *options,
                              double azimuth_rad, mc_error *error) {
    scene->camera.pose.azimuth_rad = PI / 2 - azimuth_rad;
    scene->scene.view = mc_camera_get_view(&scene->camera);
    if (scene->is_moving)
        return mc_renderer_draw_moving(scene->renderer, &scene->scene, options->width,
                                       options->height, NULL, error);
    return mc_renderer_draw_image(scene->renderer, &scene->scene, options->width, options->height,
                                  error);
}

void mc_bench_scene_report(const mc_bench_scene *scene, const mc_bench_options *options,
                           mc_bench_report *report) {
    mc_bench_report_trace(report, options, scene->trace);
    mc_bench_report_parameter(report, "buildings", scene->city->building_count);
    mc_bench_report_parameter(report, "width", options->width);
    mc_bench_report_parameter(report, "height", options->height);
}

mc_result mc_bench_scene_measure_orbit(mc_bench_scene *scene, const mc_bench_options *options,
                                       mc_bench_report *report, const char *name, mc_error *error) {
    mc_bench_series frame = {0}, gpu = {0}, cpu = {0};
    mc_bench_report_begin(report, name);
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
    mc_bench_scene_report(scene, options, report);
    mc_bench_report_series(report, "frame", &frame);
    mc_bench_report_series(report, "gpu_draw", &gpu);
    mc_bench_report_series(report, "cpu", &cpu);
    mc_bench_report_end(report, result);
    return result;
}

mc_result mc_bench_scene_write_picture(mc_bench_scene *scene, const mc_bench_options *options,
                                       mc_error *error) {
    uint8_t *pixels = mc_alloc((size_t)options->width * options->height, 4);
    if (!pixels) return mc_error_out_of_memory(error);
    scene->camera.pose.azimuth_rad = PI / 2 - MC_BENCH_ORBIT_BEGIN_RAD;
    scene->scene.view = mc_camera_get_view(&scene->camera);
    mc_result result =
        mc_bench_scene_set_step(scene, mc_trace_get_step_count(scene->trace) - 1, error);
    if (result == MC_OK)
        result = mc_renderer_render_image(scene->renderer, &scene->scene, NULL, options->width,
                                          options->height, pixels, error);
    if (result == MC_OK)
        result = mc_png_write(options->picture, pixels, options->width, options->height, error);
    mc_free(pixels);
    return result;
}

int mc_bench_scene_run(const mc_bench_options *options, mc_bench_report *report,
                       mc_result (*measure)(const mc_bench_options *options,
                                            mc_bench_report *report, mc_bench_scene *scene,
                                            mc_error *error)) {
    mc_bench_scene scene;
    mc_error error = {0};
    int code = mc_bench_scene_init(&scene, options);
    if (code == MC_EXIT_OK) {
        mc_bench_report_print_machine(report, options->commit, mc_gpu_get_device_name(scene.gpu),
                                      mc_gpu_get_driver_name(scene.gpu));
        if (measure(options, report, &scene, &error) != MC_OK) code = mc_command_fail(&error);
    }
    mc_bench_scene_deinit(&scene);
    return code;
}
