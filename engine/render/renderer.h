// renderer.h - draws a city: static columns once, a step as one buffer of counts, then pictures.
//
// The update pass (compute) turns columns and counts into boxes and colours. Buildings and
// districts are drawn as cuboids whose vertices are pulled from those buffers or, if small and
// many, by compute rasterisers into the same picture (splat_pass.h, layer_pass.h). No CPU work per
// building when time or the camera moves, except the painter's order of translucent buildings if
// the layer pass is not used; it is recomputed when the eye crosses a cut. Threads: one thread owns
// a renderer and its mc_gpu.
#pragma once
#include "engine/gpu/gpu.h"
#include "engine/render/core/pace.h"
#include "engine/render/core/rasterizer.h"
#include "engine/render/core/ui_draw.h"
#include "engine/scene/scene.h"

typedef struct mc_renderer mc_renderer;

typedef struct mc_renderer_desc {
    uint32_t samples; // 1 or 4 per pixel
    mc_rasterizer rasterizer;
    // A city is drawn so many times, each time moved by a part of a pixel, and the mean is shown: a
    // picture at once, a window with as many frames of the same scene. 0 and 1: once.
    uint32_t rounds;
} mc_renderer_desc;

#define MC_RENDERER_STILL_SAMPLES 16u // of a picture, and of a window in which nothing moves

// What suits a city of that many buildings. `samples`: of a pixel, 1 or more, by several rounds
// where the device has not as many at once; of a window when nothing moves. The compute rasteriser
// has one sample a pixel. MC_RASTERIZER_AUTO takes it
// - on a software device from 1,024 buildings on, where four samples, and rays of light for each
//   triangle, would cost two to ten times as much (windows have one sample there in any case),
// - on a GPU from 2,000,000 on, where the triangle units fall behind.
mc_renderer_desc mc_renderer_choose(const mc_gpu *gpu, mc_rasterizer rasterizer,
                                    uint32_t building_count, uint32_t samples, bool is_window);

mc_result mc_renderer_create(mc_gpu *gpu, const mc_renderer_desc *desc, mc_renderer **renderer,
                             mc_error *error);
void mc_renderer_destroy(mc_renderer *renderer); // waits for the device; NULL is fine

// Uploads the static columns, and where everything was before (city->before), so that it can
// transition from there: params.transition. The city must stay alive until another one is set
// (NULL: none); it has no styles at first.
mc_result mc_renderer_set_city(mc_renderer *renderer, const mc_city *city, mc_error *error);

// Styles of the buildings (engine/city/style.h), copied; NULL: none. Flags of params that need them
// are left out of account until then.
mc_result mc_renderer_set_styles(mc_renderer *renderer, const mc_building_style *styles,
                                 mc_error *error);

// The counts of the step shown before and of the step now, columns over buildings; copied. For a
// step at rest pass the same twice.
mc_result mc_renderer_set_counts(mc_renderer *renderer, const uint64_t *from, const uint64_t *to,
                                 mc_error *error);

// One step on: what was `to` becomes `from` and is not copied again.
mc_result mc_renderer_advance_counts(mc_renderer *renderer, const uint64_t *to, mc_error *error);

// The UI's font atlas: one byte of coverage a pixel. Copied.
mc_result mc_renderer_set_ui_texture(mc_renderer *renderer, const uint8_t *coverage, uint32_t width,
                                     uint32_t height, mc_error *error);

// Draws into an image of our own and reads it back: 8-bit sRGB RGBA, width * height * 4 bytes, rows
// from the top.
mc_result mc_renderer_render_image(mc_renderer *renderer, const mc_scene *scene,
                                   const mc_ui_draw *ui, uint32_t width, uint32_t height,
                                   uint8_t *rgba, mc_error *error);

// How much the images that follow cost: the mean of 1/part of the renderer's rounds, at least one,
// and how many rays of light a pixel has in all of these. At first 1 and 16. What is shown smaller,
// or for a part of a second, needs less.
void mc_renderer_set_effort(mc_renderer *renderer, uint32_t part, uint32_t rays);

// The same, drawn once and without reading back: returns once the GPU is done, for benchmarks.
mc_result mc_renderer_draw_image(mc_renderer *renderer, const mc_scene *scene, uint32_t width,
                                 uint32_t height, mc_error *error);

// As draw_image() what a window shows while the camera moves, at half the resolution; `rgba` may be
// NULL. The same as draw_image() with several samples a pixel.
mc_result mc_renderer_draw_moving(mc_renderer *renderer, const mc_scene *scene, uint32_t width,
                                  uint32_t height, uint8_t *rgba, mc_error *error);

// When the window's city is drawn at half the resolution (pace.h): at first MC_MOVING_AUTO.
void mc_renderer_set_moving(mc_renderer *renderer, mc_moving moving);

// Draws into the next image of the swapchain and presents it. *skipped is set, and nothing drawn,
// while the window has no area or the swapchain is being rebuilt. `ui` may be NULL.
mc_result mc_renderer_render_frame(mc_renderer *renderer, mc_swapchain *swapchain,
                                   const mc_scene *scene, const mc_ui_draw *ui, bool *skipped,
                                   mc_error *error);

// Waits until at most so many frames are in flight.
mc_result mc_renderer_wait(mc_renderer *renderer, uint32_t most_pending, mc_error *error);
// How many frames of the window are not known to have been drawn.
uint32_t mc_renderer_count_pending(const mc_renderer *renderer);

// Whether the window's last frame would become finer with another one of the same scene. What is
// hovered or selected may change meanwhile, as may the UI: both come over the city.
bool mc_renderer_is_refining(const mc_renderer *renderer);

// For when nothing else is to be done: builds one of what frames so far did without, as long as a
// driver takes for one pipeline; false: there is no more. What is first selected or hovered then
// comes at once.
bool mc_renderer_build_next(mc_renderer *renderer);
// For when a city is on its way: the same for what a picture of it needs that has this look and no
// more. On a software device, of a large city.
typedef struct mc_first_picture {
    bool edges, light;
} mc_first_picture;
bool mc_renderer_build_first(mc_renderer *renderer, const mc_first_picture *picture);
// Whether the window's last frame was at half the resolution.
bool mc_renderer_is_half(const mc_renderer *renderer);
// How many drawings the picture of the window's last frame is the mean of; 1 while anything moves.
uint32_t mc_renderer_get_drawings(const mc_renderer *renderer);

// Runs the update pass for `params` and reads back what it wrote, for tests and `memcity city
// --gpu`. Either may be NULL.
mc_result mc_renderer_read_boxes(mc_renderer *renderer, const mc_update_params *params,
                                 mc_box *boxes, mc_color *colors, mc_error *error);

// GPU time of the last finished frame's passes, in ms (0 where the device has no timestamps).
typedef struct mc_renderer_times {
    double update_ms, draw_ms, ui_ms;
} mc_renderer_times;
mc_renderer_times mc_renderer_get_times(const mc_renderer *renderer);
