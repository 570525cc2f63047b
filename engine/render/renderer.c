#include "engine/render/renderer.h"

#include "engine/base/clock.h"
#include "engine/base/hash.h"
#include "engine/base/memory.h"
#include "engine/gpu/device.h"
#include "engine/gpu/pipeline.h"
#include "engine/gpu/swapchain.h"
#include "engine/render/core/frame_uniforms.h"
#include "engine/render/renderer_area.h"
#include "engine/render/renderer_city.h"
#include <stddef.h>
#include <string.h>

// Timestamps of a frame: its beginning, then the end of each part.
enum { TIME_BEGIN, TIME_UPDATE, TIME_DRAW, TIME_UI, TIME_COUNT };

// From so many buildings on the compute rasteriser is chosen at the cost of three of four samples.
enum { LEAST_COMPUTE_COUNT_SOFTWARE = 1024, LEAST_COMPUTE_COUNT = 2000000 };

// The largest number of samples up to `wanted` that colour and depth can have.
static uint32_t choose_samples(const mc_gpu *gpu, uint32_t wanted) {
    VkSampleCountFlags supported =
        gpu->limits.framebufferColorSampleCounts & gpu->limits.framebufferDepthSampleCounts;
    bool has_four = (supported & VK_SAMPLE_COUNT_4_BIT) && !(gpu->without & MC_GPU_SAMPLES);
    return wanted >= 4 && has_four ? 4 : 1;
}

mc_renderer_desc mc_renderer_choose(const mc_gpu *gpu, mc_rasterizer rasterizer,
                                    uint32_t building_count, uint32_t samples, bool is_window) {
    uint32_t least = mc_gpu_is_software(gpu) ? LEAST_COMPUTE_COUNT_SOFTWARE : LEAST_COMPUTE_COUNT;
    bool compute =
        rasterizer == MC_RASTERIZER_COMPUTE ||
        (rasterizer == MC_RASTERIZER_AUTO && gpu->has_int64_atomics && building_count >= least);
    bool is_slow = is_window && mc_gpu_is_software(gpu) && rasterizer != MC_RASTERIZER_RASTER;
    uint32_t at_once = compute || is_slow ? 1 : choose_samples(gpu, samples);
    return (mc_renderer_desc){at_once, rasterizer, (samples + at_once - 1) / at_once};
}

mc_result mc_renderer_create(mc_gpu *gpu, const mc_renderer_desc *desc, mc_renderer **out,
                             mc_error *error) {
    mc_result result = MC_OK;
    mc_renderer *renderer = mc_alloc_zero(1, sizeof *renderer);
    if (!renderer) return mc_error_out_of_memory(error);
    renderer->gpu = gpu;
    renderer->samples = choose_samples(gpu, desc->samples);
    renderer->rasterizer = desc->rasterizer;
    renderer->rounds = desc->rounds > 1 ? desc->rounds : 1;
    mc_renderer_set_effort(renderer, 1, MC_LIGHT_RAY_COUNT);
    MC_TRY(mc_frames_init(&renderer->frames, gpu, error));
    MC_TRY(mc_bindings_init(&renderer->bindings, gpu, error));
    MC_TRY(mc_box_windows_init(&renderer->windows, gpu, &renderer->bindings, error));
    for (uint32_t i = 0; i < MC_FRAME_COUNT; i++) {
        MC_TRY(mc_buffer_create(gpu, sizeof(mc_update_params), VK_BUFFER_USAGE_STORAGE_BUFFER_BIT,
                                MC_MEMORY_DYNAMIC, "update parameters", &renderer->param_buffers[i],
                                error));
    }
    for (uint32_t i = 0; i < 2 * MC_FRAME_COUNT; i++)
        MC_TRY(mc_buffer_create(gpu, sizeof(mc_frame_uniforms), VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT,
                                MC_MEMORY_DYNAMIC, "frame uniforms", &renderer->uniforms[i],
                                error));
    MC_TRY(mc_style_buffers_init(&renderer->styles, gpu, error));
    MC_TRY(mc_update_pass_create(&renderer->update, gpu, &renderer->windows, error));
    MC_TRY(
        mc_splat_pass_create(&renderer->splat, gpu, &renderer->bindings, renderer->samples, error));
    MC_TRY(mc_cull_pass_create(&renderer->cull, gpu, &renderer->bindings, error));
    MC_TRY(mc_light_pass_create(&renderer->light, gpu, &renderer->bindings, error));
    MC_TRY(mc_glass_pass_create(&renderer->glass, gpu, &renderer->bindings, &renderer->windows,
                                error));
    MC_TRY(mc_layer_pass_create(&renderer->layers, gpu, &renderer->bindings, renderer->samples,
                                error));
    MC_TRY(
        mc_city_pass_create(&renderer->city, gpu, &renderer->bindings, renderer->samples, error));
    MC_TRY(mc_background_pass_create(&renderer->background, gpu, &renderer->bindings,
                                     renderer->samples, error));
    MC_TRY(mc_shadow_pass_create(&renderer->shadow, gpu, &renderer->bindings, renderer->samples,
                                 error));
    MC_TRY(mc_frustum_pass_create(&renderer->frustum, gpu, &renderer->bindings, renderer->samples,
                                  error));
    MC_TRY(mc_outline_pass_create(&renderer->outline, gpu, &renderer->bindings, error));
    if (renderer->rounds > 1) MC_TRY(mc_refine_pass_create(&renderer->refine, gpu, error));
    if (renderer->samples == 1) MC_TRY(mc_enlarge_pass_create(&renderer->enlarge, gpu, error));
    MC_TRY(mc_beacon_pass_create(&renderer->beacon, gpu, &renderer->bindings, renderer->samples,
                                 error));
    MC_TRY(mc_ui_pass_create(&renderer->ui, gpu, &renderer->bindings, error));
    MC_TRY(mc_renderer_set_city(renderer, NULL, error));
    *out = renderer;
    return MC_OK;
fail:
    mc_renderer_destroy(renderer);
    return result;
}

void mc_renderer_destroy(mc_renderer *renderer) {
    if (!renderer) return;
    mc_gpu *gpu = renderer->gpu;
    mc_target_retire(&renderer->window, &renderer->frames);
    mc_target_retire(&renderer->image, &renderer->frames);
    mc_target_retire(&renderer->half, &renderer->frames);
    mc_draw_lists_retire(&renderer->lists, &renderer->frames);
    mc_city_buffers_retire(&renderer->buffers, &renderer->frames);
    mc_kept_boxes_retire(&renderer->kept, &renderer->frames);
    mc_style_buffers_retire(&renderer->styles, &renderer->frames);
    mc_transition_buffer_retire(&renderer->transition, &renderer->frames);
    mc_frames_retire_buffer(&renderer->frames, &renderer->glass_boxes);
    mc_frames_deinit(&renderer->frames); // the device is idle from here on
    mc_ui_pass_destroy(&renderer->ui, gpu);
    mc_refine_pass_destroy(&renderer->refine, gpu);
    mc_enlarge_pass_destroy(&renderer->enlarge, gpu);
    mc_flat_pass_destroy(&renderer->flat, gpu);
    mc_beacon_pass_destroy(&renderer->beacon);
    mc_outline_pass_destroy(&renderer->outline);
    mc_frustum_pass_destroy(&renderer->frustum, gpu);
    mc_shadow_pass_destroy(&renderer->shadow);
    mc_background_pass_destroy(&renderer->background);
    mc_city_pass_destroy(&renderer->city, gpu);
    mc_layer_pass_destroy(&renderer->layers, gpu);
    mc_light_pass_destroy(&renderer->light, gpu);
    mc_glass_pass_destroy(&renderer->glass);
    mc_cull_pass_destroy(&renderer->cull);
    mc_splat_pass_destroy(&renderer->splat, gpu);
    mc_update_pass_destroy(&renderer->update);
    for (uint32_t i = 0; i < 2 * MC_FRAME_COUNT; i++)
        mc_buffer_destroy(gpu, &renderer->uniforms[i]);
    for (uint32_t i = 0; i < MC_FRAME_COUNT; i++)
        mc_buffer_destroy(gpu, &renderer->param_buffers[i]);
    mc_box_windows_deinit(&renderer->windows, gpu);
    mc_bindings_deinit(&renderer->bindings, gpu);
    mc_free(renderer);
}

mc_result mc_renderer_set_city(mc_renderer *renderer, const mc_city *city, mc_error *error) {
    mc_result result = MC_OK;
    mc_city_buffers buffers = {0};
    mc_draw_lists lists = {0};
    mc_kept_boxes kept = {0};
    mc_transition_buffer transition = {0};
    mc_buffer glass_boxes = {0};
    MC_TRY(mc_city_buffers_init(&buffers, renderer->gpu, city, error));
    MC_TRY(mc_draw_lists_init(&lists, renderer->gpu, city, error));
    MC_TRY(mc_kept_boxes_init(&kept, renderer->gpu, buffers.building_count, buffers.slab_count,
                              error));
    MC_TRY(mc_glass_buffer_create(renderer->gpu, city, &glass_boxes, error));
    MC_TRY(mc_transition_buffer_init(&transition, renderer->gpu, city, error));
    mc_city_buffers_retire(&renderer->buffers, &renderer->frames);
    mc_draw_lists_retire(&renderer->lists, &renderer->frames);
    mc_kept_boxes_retire(&renderer->kept, &renderer->frames);
    mc_transition_buffer_retire(&renderer->transition, &renderer->frames);
    (void)mc_style_buffers_set(&renderer->styles, &renderer->frames, NULL, 0, NULL);
    renderer->buffers = buffers;
    renderer->lists = lists;
    renderer->kept = kept;
    renderer->transition = transition;
    mc_frames_retire_buffer(&renderer->frames, &renderer->glass_boxes);
    renderer->glass_boxes = glass_boxes;
    renderer->markers = (mc_city_markers){0};
    renderer->updated = false;
    renderer->still = (still_picture){0};
    renderer->pace = (mc_pace){0};
    renderer->light.key = renderer->glass_key = 0;
    mc_layer_pass_forget(&renderer->layers);
    return MC_OK;
fail:
    mc_city_buffers_retire(&buffers, &renderer->frames);
    mc_draw_lists_retire(&lists, &renderer->frames);
    mc_kept_boxes_retire(&kept, &renderer->frames);
    mc_frames_retire_buffer(&renderer->frames, &glass_boxes);
    return result;
}

mc_result mc_renderer_set_styles(mc_renderer *renderer, const mc_building_style *styles,
                                 mc_error *error) {
    uint32_t count = renderer->buffers.building_count;
    mc_result result =
        mc_style_buffers_set(&renderer->styles, &renderer->frames, styles, count, error);
    if (result == MC_OK) mc_draw_lists_set_styles(&renderer->lists, styles);
    return result;
}

mc_result mc_renderer_set_counts(mc_renderer *renderer, const uint64_t *from, const uint64_t *to,
                                 mc_error *error) {
    return mc_city_buffers_set_counts(&renderer->buffers, &renderer->frames, from, to, error);
}

mc_result mc_renderer_advance_counts(mc_renderer *renderer, const uint64_t *to, mc_error *error) {
    return mc_city_buffers_advance_counts(&renderer->buffers, &renderer->frames, to, error);
}

mc_result mc_renderer_set_ui_texture(mc_renderer *renderer, const uint8_t *coverage, uint32_t width,
                                     uint32_t height, mc_error *error) {
    return mc_ui_pass_set_texture(&renderer->ui, &renderer->frames, coverage, width, height, error);
}

static void bind_sets(mc_renderer *renderer, const mc_frame *frame, bool is_small) {
    uint32_t set = mc_bindings_get_set(frame, is_small);
    const mc_city_buffers *buffers = &renderer->buffers;
    const mc_kept_boxes *kept = &renderer->kept;
    const mc_buffer *visible = &renderer->splat.visible;
    const mc_layer_pass *layers = &renderer->layers;
    const mc_strand_pass *strands = &renderer->frustum.strands;
    const mc_buffer *used[MC_BINDING_COUNT] = {
        [MC_BINDING_FRAME] = &renderer->uniforms[set],
        [MC_BINDING_BOXES] = &buffers->boxes,
        [MC_BINDING_COLORS] = &buffers->colors,
        [MC_BINDING_STATICS] = &buffers->statics,
        [MC_BINDING_FROM] = &buffers->slots[buffers->from].buffer,
        [MC_BINDING_TO] = &buffers->slots[buffers->to].buffer,
        [MC_BINDING_LISTS] = &renderer->lists.buffers[frame->index],
        [MC_BINDING_VISIBLE] = visible,
        [MC_BINDING_KEPT] = &kept->list,
        [MC_BINDING_DRAWS] = &kept->draws,
        [MC_BINDING_SCAN] = &kept->scan,
        [MC_BINDING_PARAMS] = &renderer->param_buffers[frame->index],
        [MC_BINDING_STYLES] = mc_style_buffers_get(&renderer->styles),
        [MC_BINDING_BEFORE] = renderer->transition.has_boxes ? &renderer->transition.boxes : NULL,
        [MC_BINDING_FRUSTUMS] = mc_frustum_pass_get_buffer(&renderer->frustum, frame->index),
        [MC_BINDING_HEIGHTS] = &renderer->light.heights,
        [MC_BINDING_CHANGED] = &buffers->slots[buffers->to].changed,
        [MC_BINDING_HEIGHT_TEXELS] = &renderer->light.heights,
        [MC_BINDING_GLASS] = &renderer->glass_boxes,
        [MC_BINDING_LAYERS] = &layers->slots,
        [MC_BINDING_LAYER_HEADS] = &layers->words,
        [MC_BINDING_LAYER_NODES] = &layers->nodes,
        [MC_BINDING_LAYER_TEXELS] = &layers->slots,
        [MC_BINDING_LAYER_WORD_TEXELS] = &layers->words,
        [MC_BINDING_STRAND_PIXELS] = &strands->pixels,
        [MC_BINDING_STRAND_PIECES] = &strands->pieces,
        [MC_BINDING_STRAND_WORDS] = &strands->words,
        [MC_BINDING_STRAND_PIXEL_TEXELS] = &strands->pixels,
        [MC_BINDING_STRAND_PIECE_TEXELS] = &strands->pieces,
        [MC_BINDING_STRAND_WORD_TEXELS] = &strands->words,
        [MC_BINDING_BOX_TEXELS] = &buffers->boxes,
        [MC_BINDING_COLOR_TEXELS] = &buffers->colors,
        [MC_BINDING_STATIC_TEXELS] = &buffers->statics,
        [MC_BINDING_FROM_TEXELS] = &buffers->slots[buffers->from].buffer,
        [MC_BINDING_TO_TEXELS] = &buffers->slots[buffers->to].buffer,
        [MC_BINDING_VISIBLE_TEXELS] = visible,
        [MC_BINDING_GLASS_TEXELS] = &renderer->glass_boxes,
        [MC_BINDING_STYLE_TEXELS] = mc_style_buffers_get(&renderer->styles),
        [MC_BINDING_BEFORE_TEXELS] =
            renderer->transition.has_boxes ? &renderer->transition.boxes : NULL,
    };
    mc_bindings_write(&renderer->bindings, renderer->gpu, set, used);
    if (!is_small)
        mc_box_windows_write(&renderer->windows, renderer->gpu, frame->index, &buffers->boxes,
                             &buffers->colors);
}

// Sunbursts and icicles instead.
static void record_flat(const mc_renderer *renderer, mc_frame *frame, const mc_scene *scene,
                        const mc_target *target) {
    mc_frame_record_timestamp(frame);
    mc_frame_record_timestamp(frame); // there is nothing to update
    mc_flat_pass_record(&renderer->flat, renderer->gpu, &renderer->bindings, frame, scene->flat,
                        target);
}

// What a frame does for its city.
typedef struct city_drawing {
    bool draws;     // else the mean is shown as it is
    bool refines;   // what is drawn becomes a part of the mean
    bool is_half;   // at half the resolution, and not refined
    bool is_lit;    // by rays of light
    bool is_hidden; // only a part of the mean: neither it nor what comes over it is seen
    uint32_t round; // which
    uint32_t round_count;
    uint32_t ray_count; // of each kind, in this drawing
    uint64_t key;       // of the scene; see get_key()
} city_drawing;

static mc_frame_uniforms get_uniforms(const mc_renderer *renderer, const mc_scene *scene,
                                      const mc_target *target, const city_drawing *drawing) {
    float shift[2] = {0};
    if (drawing->refines && drawing->draws) mc_refine_get_shift(drawing->round, shift);
    mc_frame_uniforms uniforms = mc_frame_uniforms_get(scene, target->width, target->height,
                                                       renderer->buffers.building_count, shift);
    mc_glass_set_boxes(&uniforms, scene, &renderer->lists);
    if (drawing->is_lit)
        mc_light_set(&uniforms, renderer->lists.city, drawing->round, drawing->round_count,
                     drawing->ray_count);
    return uniforms;
}

// Hashes all that the picture of a city depends on, but what comes over it. Whatever a new pass
// reads has to go into it.
static uint64_t get_key(const mc_renderer *renderer, const mc_scene *scene,
                        const mc_target *target) {
    const city_drawing plain = {.draws = true};
    mc_frame_uniforms uniforms = get_uniforms(renderer, scene, target, &plain);
    mc_update_params params = mc_renderer_get_params(renderer, &scene->params);
    uint64_t versions[] = {renderer->buffers.counts_version, renderer->styles.version};
    uint64_t key = mc_hash_bytes(&uniforms, sizeof uniforms, 1);
    key = mc_hash_bytes(&params, sizeof params, key);
    key = mc_hash_bytes(versions, sizeof versions, key);
    key = mc_hash_bytes(&scene->theme.shadow, sizeof scene->theme.shadow, key);
    if (scene->beacons) {
        const mc_beacons *beacons = scene->beacons;
        key = mc_hash_bytes(beacons, offsetof(mc_beacons, items), key);
        key = mc_hash_bytes(beacons->items, beacons->count * sizeof *beacons->items, key);
    }
    if (scene->markers) key = mc_hash_bytes(scene->markers, sizeof *scene->markers, key);
    return mc_hash_bytes(scene->frustums, scene->frustum_count * sizeof *scene->frustums, key);
}

static uint32_t divide_rays(uint32_t rays, uint32_t rounds) {
    return rays > rounds ? rays / rounds : 1;
}

// A scene that moves is drawn once a frame; from the second frame of the same one on, drawings add
// up, from the one that is shown already.
static city_drawing get_drawing(const mc_renderer *renderer, const mc_scene *scene, uint64_t key) {
    const still_picture *still = &renderer->still;
    if (renderer->rounds == 1 || scene->flat || key != still->key)
        return (city_drawing){.draws = true};
    return (city_drawing){.draws = still->rounds < renderer->rounds,
                          .refines = true,
                          .is_lit = scene->light && renderer->lists.city,
                          .round = still->rounds,
                          .round_count = renderer->rounds,
                          .ray_count = divide_rays(MC_LIGHT_RAY_COUNT, renderer->rounds),
                          .key = key};
}

// Everything of a frame but where the picture goes: from here on nothing can fail but a pipeline
// that is built, which is for good.
static void record_picture(mc_renderer *renderer, mc_frame *frame, const mc_scene *scene,
                           const mc_ui_draw *ui, mc_target *target, const city_drawing *drawing) {
    VkCommandBuffer commands = frame->commands;
    mc_frame_uniforms uniforms = get_uniforms(renderer, scene, target, drawing);
    memcpy(renderer->uniforms[frame->index].mapped, &uniforms, sizeof uniforms);
    bind_sets(renderer, frame, false);
    if (drawing->is_half) {
        const mc_target *half = &renderer->half;
        mc_frame_uniforms small = get_uniforms(renderer, scene, half, drawing);
        small.frustum_look[1] *= (float)half->width / (float)target->width; // enlarged, as wide
        memcpy(renderer->uniforms[mc_bindings_get_set(frame, true)].mapped, &small, sizeof small);
        bind_sets(renderer, frame, true);
    }
    if (scene->flat) {
        record_flat(renderer, frame, scene, target);
    } else if (drawing->draws) {
        if (drawing->is_hidden && drawing->round > 0)
            target->area = mc_renderer_get_area(renderer, scene, target);
        const mc_light_use light = {drawing->is_lit ? &uniforms : NULL, drawing->key};
        mc_renderer_record_city(renderer, frame, scene, target, drawing->is_half, &light);
        if (drawing->refines)
            mc_refine_pass_record(&renderer->refine, renderer->gpu, frame, target, drawing->round);
        target->area = (VkRect2D){0};
        if (drawing->is_hidden) return;
        if (drawing->refines)
            mc_refine_pass_record_show(&renderer->refine, renderer->gpu, frame, target);
    } else {
        mc_frame_record_timestamp(frame);
        mc_frame_record_timestamp(frame); // nothing is updated
        mc_refine_pass_record_show(&renderer->refine, renderer->gpu, frame, target);
    }
    if (!scene->flat) {
        mc_renderer_bind(renderer, frame, VK_PIPELINE_BIND_POINT_GRAPHICS, false);
        mc_renderer_record_rims(renderer, commands, scene, target);
    }
    mc_frame_record_timestamp(frame);
    if (ui && ui->command_count > 0) {
        mc_target_record_begin_ui(target, commands);
        mc_ui_pass_record(&renderer->ui, renderer->gpu, &renderer->bindings, frame, ui,
                          target->width, target->height);
        mc_target_record_end_ui(target, commands);
    }
    mc_frame_record_timestamp(frame);
    mc_target_record_finish(target, commands);
}

static mc_result prepare_target(mc_renderer *renderer, mc_target *target, uint32_t width,
                                uint32_t height, mc_error *error) {
    mc_frames *frames = &renderer->frames;
    mc_result result = mc_target_resize(target, frames, width, height, renderer->samples, error);
    // A software driver copies it in a fraction of the time that it takes to draw it.
    if (result == MC_OK && renderer->samples == 1 && mc_gpu_is_software(renderer->gpu))
        result = mc_target_prepare_backdrop(target, renderer->gpu, error);
    if (result != MC_OK || renderer->rasterizer == MC_RASTERIZER_RASTER ||
        !mc_splat_pass_can_draw(&renderer->splat, renderer->gpu, renderer->kept.box_count, width,
                                height))
        return result;
    return mc_splat_pass_prepare(&renderer->splat, frames, width, height, error);
}

// Few and seldom others: compared as they are.
static mc_result prepare_markers(mc_renderer *renderer, const mc_city_markers *markers,
                                 mc_error *error) {
    static const mc_city_markers none;
    if (!markers) markers = &none;
    // There is no padding, and unused ones are zeroed.
    // NOLINTNEXTLINE(bugprone-suspicious-memory-comparison)
    if (memcmp(markers, &renderer->markers, sizeof *markers) == 0) return MC_OK;
    mc_result result =
        mc_city_buffers_set_markers(&renderer->buffers, &renderer->frames, markers, error);
    if (result == MC_OK) renderer->markers = *markers;
    return result;
}

// What the passes need of a scene, in the frame's buffers. `drawn` is what buildings are drawn to,
// the target or a smaller one.
static mc_result prepare_passes(mc_renderer *renderer, const mc_frame *frame, const mc_scene *scene,
                                const mc_ui_draw *ui, const mc_target *target,
                                const mc_target *drawn, mc_error *error) {
    uint32_t box_count = renderer->buffers.building_count + renderer->buffers.slab_count;
    // Triangles are taken to be as fast on a GPU.
    bool by_strands =
        renderer->rasterizer == MC_RASTERIZER_COMPUTE ||
        (renderer->rasterizer != MC_RASTERIZER_RASTER && mc_gpu_is_software(renderer->gpu));
    const mc_target *crossed = mc_renderer_has_crowd(scene) ? drawn : target;
    const mc_frustum_picture picture = {crossed->width, crossed->height, by_strands};
    mc_result result = prepare_markers(renderer, scene->markers, error);
    // What an incomplete drawing is a part of is drawn anew.
    mc_layer_pass_finish(&renderer->layers, frame);
    if (renderer->layers.has_left_out) renderer->still = (still_picture){0};
    if (result == MC_OK && !scene->flat &&
        mc_renderer_get_least_layers(renderer, &scene->params, drawn) < UINT32_MAX)
        result = mc_layer_pass_prepare(&renderer->layers, &renderer->frames, &renderer->bindings,
                                       drawn->width, drawn->height, error);
    if (result == MC_OK)
        result = mc_frustum_pass_prepare(&renderer->frustum, &renderer->frames, frame, scene,
                                         renderer->lists.city, box_count, &picture, error);
    if (result == MC_OK && scene->flat)
        result = mc_flat_pass_need(&renderer->flat, renderer->gpu, &renderer->bindings, error);
    if (result == MC_OK && scene->flat)
        result = mc_flat_pass_prepare(&renderer->flat, &renderer->frames, &renderer->bindings,
                                      frame, scene->flat, scene->theme.background_top,
                                      target->width, target->height, error);
    if (result == MC_OK && ui)
        result = mc_ui_pass_prepare(&renderer->ui, &renderer->frames, frame, ui, error);
    return result;
}

// Gives a target of that size a smaller one beside it.
static mc_result prepare_half(mc_renderer *renderer, uint32_t width, uint32_t height,
                              mc_error *error) {
    return prepare_target(renderer, &renderer->half, (width + 1) / 2, (height + 1) / 2, error);
}

// Once all is done: false if something was left out for lack of memory, for which there is room
// now.
static bool is_whole(mc_renderer *renderer) {
    for (uint32_t i = 0; i < MC_FRAME_COUNT; i++)
        mc_layer_pass_finish(&renderer->layers, &renderer->frames.items[i]);
    bool has_left_out = renderer->layers.has_left_out;
    renderer->layers.has_left_out = false;
    return !has_left_out;
}

// Draws into the image of our own and waits; `rgba` may be NULL.
static mc_result draw_image(mc_renderer *renderer, const mc_scene *scene, const mc_ui_draw *ui,
                            uint32_t width, uint32_t height, uint32_t rounds, bool is_half,
                            bool is_lit, uint8_t *rgba, mc_error *error) {
    mc_result result = MC_OK;
    mc_frames *frames = &renderer->frames;
    mc_target *target = &renderer->image;
    const mc_target *drawn = is_half ? &renderer->half : target;
    mc_frame *frame;
    if (scene->flat) rounds = 1;
    MC_TRY(prepare_target(renderer, target, width, height, error));
    if (is_half) MC_TRY(prepare_half(renderer, width, height, error));
    if (rounds > 1) MC_TRY(mc_target_prepare_mean(target, renderer->gpu, error));
    if (rgba) MC_TRY(mc_target_prepare_readback(target, renderer->gpu, error));
    do {
        for (uint32_t round = 0; round < rounds; round++) {
            bool is_last = round + 1 == rounds;
            const mc_ui_draw *over = is_last ? ui : NULL;
            city_drawing drawing = {.draws = true,
                                    .refines = rounds > 1,
                                    .is_half = is_half,
                                    .is_lit = is_lit && scene->light && !scene->flat &&
                                              renderer->lists.city,
                                    .is_hidden = !is_last,
                                    .round = round,
                                    .round_count = rounds,
                                    .ray_count = divide_rays(renderer->image_rays, rounds),
                                    .key = get_key(renderer, scene, target)};
            MC_TRY(mc_frames_begin(frames, &frame, error));
            renderer->kinds[frame->index] = DRAWN_NOT;
            MC_TRY(prepare_passes(renderer, frame, scene, over, target, drawn, error));
            record_picture(renderer, frame, scene, over, target, &drawing);
            MC_TRY(mc_pipelines_check(renderer->gpu, error));
            if (is_last && rgba) mc_target_record_readback(target, frame->commands);
            MC_TRY(mc_frames_submit(frames, frame, VK_NULL_HANDLE, VK_NULL_HANDLE, error));
        }
        MC_TRY(mc_frames_wait(frames, frames->submitted, error));
    } while (!is_whole(renderer));
    if (rgba) mc_target_read(target, rgba);
fail:
    return result;
}

mc_result mc_renderer_render_image(mc_renderer *renderer, const mc_scene *scene,
                                   const mc_ui_draw *ui, uint32_t width, uint32_t height,
                                   uint8_t *rgba, mc_error *error) {
    return draw_image(renderer, scene, ui, width, height, renderer->image_rounds, false, true, rgba,
                      error);
}

void mc_renderer_set_effort(mc_renderer *renderer, uint32_t part, uint32_t rays) {
    assert(part > 0 && rays > 0);
    renderer->image_rounds = renderer->rounds > part ? renderer->rounds / part : 1;
    renderer->image_rays = rays;
}

mc_result mc_renderer_draw_image(mc_renderer *renderer, const mc_scene *scene, uint32_t width,
                                 uint32_t height, mc_error *error) {
    return draw_image(renderer, scene, NULL, width, height, 1, false, false, NULL, error);
}

mc_result mc_renderer_draw_moving(mc_renderer *renderer, const mc_scene *scene, uint32_t width,
                                  uint32_t height, uint8_t *rgba, mc_error *error) {
    bool is_half = renderer->enlarge.color && !scene->flat;
    return draw_image(renderer, scene, NULL, width, height, 1, is_half, false, rgba, error);
}

void mc_renderer_set_moving(mc_renderer *renderer, mc_moving moving) {
    renderer->moving = moving;
}

// What the window's frame will draw; `target` has its size.
static city_drawing choose_drawing(mc_renderer *renderer, const mc_scene *scene,
                                   const mc_target *target, uint64_t key) {
    city_drawing drawing = get_drawing(renderer, scene, key);
    bool wants_half = mc_pace_wants_half(&renderer->pace, renderer->moving, &scene->view,
                                         target->width, target->height, mc_clock_now_ns());
    if (wants_half && renderer->enlarge.color && !scene->flat && renderer->lists.city)
        return (city_drawing){.draws = true, .is_half = true};
    return drawing;
}

// What the frame whose turn it is again had taken.
static void note_cost(mc_renderer *renderer, const mc_frame *frame) {
    drawn_kind *kind = &renderer->kinds[frame->index];
    if (*kind != DRAWN_NOT)
        mc_pace_note(&renderer->pace, *kind == DRAWN_HALF, mc_renderer_get_times(renderer).draw_ms);
    *kind = DRAWN_NOT;
}

mc_result mc_renderer_render_frame(mc_renderer *renderer, mc_swapchain *swapchain,
                                   const mc_scene *scene, const mc_ui_draw *ui, bool *skipped,
                                   mc_error *error) {
    mc_result result = MC_OK;
    mc_frames *frames = &renderer->frames;
    mc_target *target = &renderer->window;
    mc_frame *frame;
    mc_swapchain_image image;
    bool drawable;
    uint32_t width, height;
    *skipped = true;
    MC_TRY(mc_swapchain_prepare(swapchain, &drawable, &width, &height, error));
    if (!drawable) return MC_OK;
    MC_TRY(prepare_target(renderer, target, width, height, error));
    uint64_t key = get_key(renderer, scene, target);
    city_drawing drawing = choose_drawing(renderer, scene, target, key);
    if (drawing.refines) MC_TRY(mc_target_prepare_mean(target, renderer->gpu, error));
    if (drawing.is_half) MC_TRY(prepare_half(renderer, width, height, error));
    MC_TRY(mc_frames_begin(frames, &frame, error));
    note_cost(renderer, frame);
    MC_TRY(prepare_passes(renderer, frame, scene, ui, target,
                          drawing.is_half ? &renderer->half : target, error));
    MC_TRY(mc_swapchain_acquire(swapchain, frame->acquired, &image, error));
    if (!image.image) return MC_OK;
    record_picture(renderer, frame, scene, ui, target, &drawing);
    MC_TRY(mc_pipelines_check(renderer->gpu, error));
    renderer->still = (still_picture){.key = key};
    renderer->was_half = drawing.is_half;
    if (drawing.draws && !scene->flat && renderer->lists.city)
        renderer->kinds[frame->index] = drawing.is_half ? DRAWN_HALF : DRAWN_WHOLE;
    if (drawing.refines) renderer->still.rounds = drawing.round + (drawing.draws ? 1 : 0);
    renderer->can_refine = !scene->flat && renderer->lists.city;
    mc_target_record_copy(target, frame->commands, image.image, image.format);
    MC_TRY(mc_frames_submit(frames, frame, frame->acquired, image.finished, error));
    MC_TRY(mc_swapchain_present(swapchain, &image, error));
    *skipped = false;
fail:
    return result;
}

mc_result mc_renderer_wait(mc_renderer *renderer, uint32_t most_pending, mc_error *error) {
    uint64_t submitted = renderer->frames.submitted;
    uint64_t serial = submitted > most_pending ? submitted - most_pending : 0;
    return mc_frames_wait(&renderer->frames, serial, error);
}

uint32_t mc_renderer_count_pending(const mc_renderer *renderer) {
    return (uint32_t)(renderer->frames.submitted - renderer->frames.completed);
}

bool mc_renderer_is_refining(const mc_renderer *renderer) {
    return renderer->can_refine && renderer->rounds > 1 &&
           renderer->still.rounds < renderer->rounds;
}

bool mc_renderer_build_next(mc_renderer *renderer) {
    return mc_pipelines_build_next(renderer->gpu);
}

enum { FIRST_PIPELINES = 19 };

bool mc_renderer_build_first(mc_renderer *renderer, const mc_first_picture *picture) {
    bool has_rays = divide_rays(MC_LIGHT_RAY_COUNT, renderer->rounds) > 1;
    uint32_t light = !picture->light ? MC_LIGHT_NONE : has_rays ? MC_LIGHT_MARCHED : MC_LIGHT_SWEPT;
    uint32_t resolve = light * 2 + (picture->edges ? 1u : 0u);
    bool splats =
        renderer->samples == 1 && renderer->splat.splat &&
        (renderer->rasterizer == MC_RASTERIZER_COMPUTE ||
         (renderer->rasterizer == MC_RASTERIZER_AUTO && mc_gpu_is_software(renderer->gpu)));
    mc_pipeline *const pipelines[FIRST_PIPELINES] = {
        renderer->update.pipelines[0],
        renderer->glass.marks,
        renderer->glass.choose,
        renderer->cull.scan,
        renderer->cull.compact,
        splats ? renderer->splat.splat : NULL,
        splats ? renderer->splat.resolve[resolve] : NULL,
        splats ? renderer->city.bounds : renderer->city.translucent,
        picture->light ? renderer->light.small : NULL,
        picture->light ? renderer->light.large : NULL,
        light == MC_LIGHT_SWEPT ? renderer->light.sun : NULL,
        renderer->city.opaque[light],
        renderer->city.districts[light],
        picture->light && mc_gpu_is_software(renderer->gpu) ? renderer->city.depth : NULL,
        renderer->background.pipeline,
        renderer->shadow.pipeline,
        renderer->refine.add,
        renderer->refine.show,
        renderer->ui.pipeline,
    };
    for (int i = 0; i < FIRST_PIPELINES; i++)
        if (mc_pipeline_build(pipelines[i])) return true;
    return false;
}

bool mc_renderer_is_half(const mc_renderer *renderer) {
    return renderer->was_half;
}

uint32_t mc_renderer_get_drawings(const mc_renderer *renderer) {
    return renderer->still.rounds > 0 ? renderer->still.rounds : 1;
}

static void record_copy(VkCommandBuffer commands, const mc_buffer *source, const mc_buffer *target,
                        VkDeviceSize target_offset, VkDeviceSize size) {
    VkBufferCopy region = {.dstOffset = target_offset, .size = size};
    vkCmdCopyBuffer(commands, source->handle, target->handle, 1, &region);
}

mc_result mc_renderer_read_boxes(mc_renderer *renderer, const mc_update_params *params,
                                 mc_box *boxes, mc_color *colors, mc_error *error) {
    mc_result result = MC_OK;
    mc_gpu *gpu = renderer->gpu;
    mc_frames *frames = &renderer->frames;
    mc_frame *frame;
    mc_buffer readback = {0};
    size_t count = renderer->buffers.building_count;
    if (count == 0) return MC_OK;
    size_t boxes_size = count * sizeof *boxes, colors_size = count * sizeof *colors;
    MC_TRY(mc_buffer_create(gpu, boxes_size + colors_size, VK_BUFFER_USAGE_TRANSFER_DST_BIT,
                            MC_MEMORY_READBACK, "boxes readback", &readback, error));
    MC_TRY(mc_frames_begin(frames, &frame, error));
    mc_update_params used = mc_renderer_get_params(renderer, params);
    renderer->updated = false; // what a picture has turned to glass is not of the params
    bind_sets(renderer, frame, false);
    mc_renderer_record_update(renderer, frame, &used);
    MC_TRY(mc_pipelines_check(gpu, error));
    record_copy(frame->commands, &renderer->buffers.boxes, &readback, 0, boxes_size);
    record_copy(frame->commands, &renderer->buffers.colors, &readback, boxes_size, colors_size);
    mc_buffer_record_barrier(frame->commands, VK_PIPELINE_STAGE_2_COPY_BIT,
                             VK_ACCESS_2_TRANSFER_WRITE_BIT, VK_PIPELINE_STAGE_2_HOST_BIT,
                             VK_ACCESS_2_HOST_READ_BIT);
    MC_TRY(mc_frames_submit(frames, frame, VK_NULL_HANDLE, VK_NULL_HANDLE, error));
    MC_TRY(mc_frames_wait(frames, frame->serial, error));
    const char *mapped = readback.mapped;
    if (boxes) memcpy(boxes, mapped, boxes_size);
    if (colors) memcpy(colors, mapped + boxes_size, colors_size);
fail:
    mc_frames_retire_buffer(frames, &readback);
    return result;
}

mc_renderer_times mc_renderer_get_times(const mc_renderer *renderer) {
    const mc_frames *frames = &renderer->frames;
    if (frames->timestamp_count < TIME_COUNT) return (mc_renderer_times){0};
    const double *at = frames->timestamps_ms;
    return (mc_renderer_times){.update_ms = at[TIME_UPDATE] - at[TIME_BEGIN],
                               .draw_ms = at[TIME_DRAW] - at[TIME_UPDATE],
                               .ui_ms = at[TIME_UI] - at[TIME_DRAW]};
}
