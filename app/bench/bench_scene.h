// bench_scene.h - the city that the drawing benchmarks show: the scene and the camera of the web
// peers in bench/peers/, so that both draw the same.
//
// Side 10 sqrt(leaves), paddingOuter 1, paddingInner 0.5, districts of height 1; one sample a
// pixel, no edges, everything opaque unless said; field of view 45 degrees, the eye 1.5 sides from
// the centre, 0.6 rad above the ground. Threads: the main thread.
#pragma once
#include "app/bench/subjects.h"
#include "engine/render/renderer.h"
#include "engine/scene/camera.h"
#include "engine/scene/step_stream.h"

typedef struct mc_bench_scene {
    mc_trace *trace;
    mc_city *city;
    mc_gpu *gpu;
    mc_renderer *renderer;
    mc_camera camera;
    mc_scene scene;
    bool is_moving; // drawn at half the resolution, as while the camera moves
    mc_step_stream *steps;
    const uint64_t *from, *to; // counts of the two steps got last, one a building; the stream's
    // Opening the trace (or making it) and the city; the device and the renderer; the upload.
    double open_ms, city_ms, gpu_ms, city_upload_ms;
} mc_bench_scene;

// Returns MC_EXIT_OK, or the exit code after saying why not. Deinit in either case.
int mc_bench_scene_init(mc_bench_scene *scene, const mc_bench_options *options);
void mc_bench_scene_deinit(mc_bench_scene *scene);

// Gets the counts of a step (any number: steps start over) as `to`; what was there becomes `from`.
mc_result mc_bench_scene_get_step(mc_bench_scene *scene, uint32_t step, mc_error *error);

// Shows a step at rest.
mc_result mc_bench_scene_set_step(mc_bench_scene *scene, uint32_t step, mc_error *error);

// Draws from an azimuth of the peers' orbit and waits for the picture.
mc_result mc_bench_scene_draw(mc_bench_scene *scene, const mc_bench_options *options,
                              double azimuth_rad, mc_error *error);

// What a case was about: the trace, the city, the picture's size.
void mc_bench_scene_report(const mc_bench_scene *scene, const mc_bench_options *options,
                           mc_bench_report *report);

// A case: the peers' orbit around the scene as it is, a frame after the other.
mc_result mc_bench_scene_measure_orbit(mc_bench_scene *scene, const mc_bench_options *options,
                                       mc_bench_report *report, const char *name, mc_error *error);

// Writes the last step, from the orbit's start, as a PNG file.
mc_result mc_bench_scene_write_picture(mc_bench_scene *scene, const mc_bench_options *options,
                                       mc_error *error);

// The city as it opens in the window: with edges, all but the ten buildings that grew the most
// translucent.
void mc_bench_scene_open_as_window(mc_bench_scene *scene);

// A subject: `measure` with a scene of its own, after a line on the machine. Returns an exit code
// after saying what went wrong.
int mc_bench_scene_run(const mc_bench_options *options, mc_bench_report *report,
                       mc_result (*measure)(const mc_bench_options *options,
                                            mc_bench_report *report, mc_bench_scene *scene,
                                            mc_error *error));

#define MC_BENCH_ORBIT_BEGIN_RAD 0.7
#define MC_BENCH_ORBIT_FRAMES 30
double mc_bench_get_orbit_rad(uint32_t frame);

mc_city_desc mc_bench_get_city_desc(const mc_bench_options *options, const mc_trace *trace);
// `azimuth_rad` as the peers count it: from the x axis towards z.
mc_camera mc_bench_get_camera(const mc_bench_options *options, const mc_city *city,
                              double azimuth_rad);
