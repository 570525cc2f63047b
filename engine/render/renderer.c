#include "engine/render/renderer.h"

#include "engine/base/memory.h"
#include "engine/gpu/device.h"
#include "engine/gpu/swapchain.h"
#include "engine/render/city/background_pass.h"
#include "engine/render/city/city_buffers.h"
#include "engine/render/city/city_pass.h"
#include "engine/render/city/cull_pass.h"
#include "engine/render/city/draw_lists.h"
#include "engine/render/city/frustum_pass.h"
#include "engine/render/city/glide_buffer.h"
#include "engine/render/city/kept_boxes.h"
#include "engine/render/city/layer_pass.h"
#include "engine/render/city/outline_pass.h"
#include "engine/render/city/shadow_pass.h"
#include "engine/render/city/splat_pass.h"
#include "engine/render/city/style_buffers.h"
#include "engine/render/city/update_pass.h"
#include "engine/render/core/bindings.h"
#include "engine/render/core/frame_uniforms.h"
#include "engine/render/core/target.h"
#include "engine/render/core/ui_pass.h"
#include "engine/render/flat/flat_pass.h"
#include <math.h>
#include <string.h>

// Timestamps of a frame: its beginning, then the end of each part.
enum { TIME_BEGIN, TIME_UPDATE, TIME_DRAW, TIME_UI, TIME_COUNT };

// From so many boxes on the splat and the cull pass are worth what they cost.
enum { LEAST_SPLAT_COUNT = 8192, LEAST_CULL_COUNT = 8192, LEAST_LAYER_COUNT = 50000 };

// From so many buildings on the compute rasteriser is chosen at the cost of three of four samples.
enum { LEAST_COMPUTE_COUNT_SOFTWARE = 20000, LEAST_COMPUTE_COUNT = 2000000 };

struct mc_renderer {
    mc_gpu *gpu;
    uint32_t samples, supersampling;
    mc_rasterizer rasterizer;
    mc_frames frames;
    mc_bindings bindings;
    mc_buffer uniforms[MC_FRAME_COUNT], param_buffers[MC_FRAME_COUNT];
    mc_update_pass update;
    mc_splat_pass splat;
    mc_cull_pass cull;
    mc_layer_pass layers;
    mc_city_pass city;
    mc_background_pass background;
    mc_shadow_pass shadow;
    mc_frustum_pass frustum;
    mc_outline_pass outline;
    mc_flat_pass flat;
    mc_ui_pass ui;
    mc_city_buffers buffers;
    mc_style_buffers styles;
    mc_glide_buffer glide;
    mc_draw_lists lists;
    mc_kept_boxes kept;
    mc_city_markers markers; // that are in the buffers
    mc_target window, image;
    // What the boxes on the GPU were made of.
    bool updated;
    mc_update_params params;
    uint64_t counts_version, style_version;
};

// The largest number of samples up to `wanted` that colour and depth can have.
static uint32_t choose_samples(const mc_gpu *gpu, uint32_t wanted) {
    VkSampleCountFlags supported =
        gpu->limits.framebufferColorSampleCounts & gpu->limits.framebufferDepthSampleCounts;
    return wanted >= 4 && (supported & VK_SAMPLE_COUNT_4_BIT) ? 4 : 1;
}

mc_renderer_desc mc_renderer_choose(const mc_gpu *gpu, mc_rasterizer rasterizer,
                                    uint32_t building_count, uint32_t width, uint32_t height) {
    uint32_t least = mc_gpu_is_software(gpu) ? LEAST_COMPUTE_COUNT_SOFTWARE : LEAST_COMPUTE_COUNT;
    bool compute =
        rasterizer == MC_RASTERIZER_COMPUTE ||
        (rasterizer == MC_RASTERIZER_AUTO && gpu->has_int64_atomics && building_count >= least);
    bool is_window = width == 0;
    if (is_window) {
        bool is_slow = mc_gpu_is_software(gpu) && rasterizer != MC_RASTERIZER_RASTER;
        return (mc_renderer_desc){.samples = compute || is_slow ? 1 : 4, .rasterizer = rasterizer};
    }
    bool fits = gpu->has_int64_atomics && width <= gpu->limits.maxImageDimension2D / 2 &&
                height <= gpu->limits.maxImageDimension2D / 2 &&
                mc_splat_pass_has_room(gpu, width * 2, height * 2);
    if (!compute) return (mc_renderer_desc){.samples = 4, .rasterizer = rasterizer};
    if (fits) return (mc_renderer_desc){1, rasterizer, 2};
    bool insists = rasterizer == MC_RASTERIZER_COMPUTE;
    return (mc_renderer_desc){.samples = insists ? 1 : 4, .rasterizer = rasterizer};
}

mc_result mc_renderer_create(mc_gpu *gpu, const mc_renderer_desc *desc, mc_renderer **out,
                             mc_error *error) {
    mc_result result = MC_OK;
    mc_renderer *renderer = mc_alloc_zero(1, sizeof *renderer);
    if (!renderer) return mc_error_out_of_memory(error);
    renderer->gpu = gpu;
    renderer->samples = choose_samples(gpu, desc->samples);
    renderer->rasterizer = desc->rasterizer;
    renderer->supersampling = desc->supersampling > 1 ? 2 : 1;
    MC_TRY(mc_frames_init(&renderer->frames, gpu, error));
    MC_TRY(mc_bindings_init(&renderer->bindings, gpu, error));
    for (uint32_t i = 0; i < MC_FRAME_COUNT; i++) {
        MC_TRY(mc_buffer_create(gpu, sizeof(mc_frame_uniforms), VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT,
                                MC_MEMORY_DYNAMIC, "frame uniforms", &renderer->uniforms[i],
                                error));
        MC_TRY(mc_buffer_create(gpu, sizeof(mc_update_params), VK_BUFFER_USAGE_STORAGE_BUFFER_BIT,
                                MC_MEMORY_DYNAMIC, "update parameters", &renderer->param_buffers[i],
                                error));
    }
    MC_TRY(mc_style_buffers_init(&renderer->styles, gpu, error));
    MC_TRY(mc_update_pass_create(&renderer->update, gpu, &renderer->bindings, error));
    MC_TRY(
        mc_splat_pass_create(&renderer->splat, gpu, &renderer->bindings, renderer->samples, error));
    MC_TRY(mc_cull_pass_create(&renderer->cull, gpu, &renderer->bindings, error));
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
    MC_TRY(mc_outline_pass_create(&renderer->outline, gpu, &renderer->bindings, renderer->samples,
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
    mc_draw_lists_retire(&renderer->lists, &renderer->frames);
    mc_city_buffers_retire(&renderer->buffers, &renderer->frames);
    mc_kept_boxes_retire(&renderer->kept, &renderer->frames);
    mc_style_buffers_retire(&renderer->styles, &renderer->frames);
    mc_glide_buffer_retire(&renderer->glide, &renderer->frames);
    mc_frames_deinit(&renderer->frames); // the device is idle from here on
    mc_ui_pass_destroy(&renderer->ui, gpu);
    mc_flat_pass_destroy(&renderer->flat, gpu);
    mc_outline_pass_destroy(&renderer->outline, gpu);
    mc_frustum_pass_destroy(&renderer->frustum, gpu);
    mc_shadow_pass_destroy(&renderer->shadow, gpu);
    mc_background_pass_destroy(&renderer->background, gpu);
    mc_city_pass_destroy(&renderer->city, gpu);
    mc_layer_pass_destroy(&renderer->layers, gpu);
    mc_cull_pass_destroy(&renderer->cull, gpu);
    mc_splat_pass_destroy(&renderer->splat, gpu);
    mc_update_pass_destroy(&renderer->update, gpu);
    for (uint32_t i = 0; i < MC_FRAME_COUNT; i++) {
        mc_buffer_destroy(gpu, &renderer->uniforms[i]);
        mc_buffer_destroy(gpu, &renderer->param_buffers[i]);
    }
    mc_bindings_deinit(&renderer->bindings, gpu);
    mc_free(renderer);
}

mc_result mc_renderer_set_city(mc_renderer *renderer, const mc_city *city, mc_error *error) {
    mc_result result = MC_OK;
    mc_city_buffers buffers = {0};
    mc_draw_lists lists = {0};
    mc_kept_boxes kept = {0};
    mc_glide_buffer glide = {0};
    MC_TRY(mc_city_buffers_init(&buffers, renderer->gpu, city, error));
    MC_TRY(mc_draw_lists_init(&lists, renderer->gpu, city, error));
    MC_TRY(mc_kept_boxes_init(&kept, renderer->gpu, buffers.building_count, buffers.slab_count,
                              error));
    MC_TRY(mc_glide_buffer_init(&glide, renderer->gpu, city, error));
    mc_city_buffers_retire(&renderer->buffers, &renderer->frames);
    mc_draw_lists_retire(&renderer->lists, &renderer->frames);
    mc_kept_boxes_retire(&renderer->kept, &renderer->frames);
    mc_glide_buffer_retire(&renderer->glide, &renderer->frames);
    (void)mc_style_buffers_set(&renderer->styles, &renderer->frames, NULL, 0, NULL);
    renderer->buffers = buffers;
    renderer->lists = lists;
    renderer->kept = kept;
    renderer->glide = glide;
    renderer->markers = (mc_city_markers){0};
    renderer->updated = false;
    return MC_OK;
fail:
    mc_city_buffers_retire(&buffers, &renderer->frames);
    mc_draw_lists_retire(&lists, &renderer->frames);
    mc_kept_boxes_retire(&kept, &renderer->frames);
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

static void bind(mc_renderer *renderer, const mc_frame *frame) {
    const mc_city_buffers *buffers = &renderer->buffers;
    const mc_kept_boxes *kept = &renderer->kept;
    const mc_buffer *visible = &renderer->splat.visible, *slots = &renderer->layers.slots;
    const mc_buffer *used[MC_BINDING_COUNT] = {
        [MC_BINDING_FRAME] = &renderer->uniforms[frame->index],
        [MC_BINDING_BOXES] = &buffers->boxes,
        [MC_BINDING_COLORS] = &buffers->colors,
        [MC_BINDING_STATICS] = &buffers->statics,
        [MC_BINDING_FROM] = &buffers->slots[buffers->from].buffer,
        [MC_BINDING_TO] = &buffers->slots[buffers->to].buffer,
        [MC_BINDING_LISTS] = &renderer->lists.buffers[frame->index],
        // Something must be bound also where there is no visibility buffer, and nothing reads it.
        [MC_BINDING_VISIBLE] = visible->handle ? visible : &kept->list,
        [MC_BINDING_KEPT] = &kept->list,
        [MC_BINDING_DRAWS] = &kept->draws,
        [MC_BINDING_SCAN] = &kept->scan,
        [MC_BINDING_PARAMS] = &renderer->param_buffers[frame->index],
        [MC_BINDING_STYLES] = mc_style_buffers_get(&renderer->styles),
        [MC_BINDING_BEFORE] = renderer->glide.has_boxes ? &renderer->glide.boxes : &kept->list,
        [MC_BINDING_FRUSTUMS] = mc_frustum_pass_get_buffer(&renderer->frustum, frame->index),
        [MC_BINDING_LAYERS] = slots->handle ? slots : &kept->list,
        [MC_BINDING_LAYER_HEADS] = slots->handle ? &renderer->layers.words : &kept->list,
        [MC_BINDING_LAYER_NODES] = slots->handle ? &renderer->layers.nodes : &kept->list,
        [MC_BINDING_LAYER_TEXELS] = slots->handle ? slots : &buffers->colors,
        [MC_BINDING_LAYER_WORD_TEXELS] = slots->handle ? &renderer->layers.words : &buffers->colors,
        [MC_BINDING_BOX_TEXELS] = &buffers->boxes,
        [MC_BINDING_COLOR_TEXELS] = &buffers->colors,
        [MC_BINDING_STATIC_TEXELS] = &buffers->statics,
        [MC_BINDING_FROM_TEXELS] = &buffers->slots[buffers->from].buffer,
        [MC_BINDING_TO_TEXELS] = &buffers->slots[buffers->to].buffer,
        [MC_BINDING_VISIBLE_TEXELS] = visible->handle ? visible : &buffers->colors,
    };
    mc_bindings_write(&renderer->bindings, renderer->gpu, frame->index, used);
}

static mc_update_params get_params(const mc_renderer *renderer, const mc_update_params *params) {
    mc_update_params got = *params;
    got.building_count = got.box_count = renderer->buffers.building_count;
    if (renderer->glide.has_boxes)
        got.box_count += renderer->buffers.district_count;
    else
        got.glide = 1.0f;
    if (!renderer->styles.has_styles) got.flags &= ~MC_UPDATE_STYLE_FLAGS;
    return got;
}

// Records the update pass unless the boxes are already what it would make.
static void record_update(mc_renderer *renderer, const mc_frame *frame,
                          const mc_update_params *params) {
    mc_city_buffers *buffers = &renderer->buffers;
    bool same = renderer->updated && buffers->counts_version == renderer->counts_version &&
                renderer->styles.version == renderer->style_version &&
                // Bits decide: the pass may run once too often, never too seldom.
                // NOLINTNEXTLINE(bugprone-suspicious-memory-comparison)
                memcmp(params, &renderer->params, sizeof *params) == 0;
    if (same) return;
    // Where a glide ends, districts are written once more.
    bool has_glided = renderer->updated && renderer->params.glide < 1.0f;
    bool is_gliding = params->glide < 1.0f || has_glided;
    memcpy(renderer->param_buffers[frame->index].mapped, params, sizeof *params);
    mc_update_pass_record(&renderer->update, renderer->gpu, &renderer->bindings, frame, params,
                          is_gliding);
    mc_city_buffers_mark_use(buffers, renderer->frames.submitted + 1);
    mc_style_buffers_mark_use(&renderer->styles, renderer->frames.submitted + 1);
    renderer->updated = true;
    renderer->params = *params;
    renderer->counts_version = buffers->counts_version;
    renderer->style_version = renderer->styles.version;
}

static uint32_t get_box(const mc_renderer *renderer, mc_structure structure) {
    const mc_city_buffers *buffers = &renderer->buffers;
    if (structure.building < buffers->building_count) return structure.building;
    if (structure.district < buffers->slab_count)
        return buffers->building_count + structure.district;
    return MC_NONE;
}

static bool is_same(mc_structure a, mc_structure b) {
    return a.building == b.building && a.district == b.district;
}

static bool is_selected(const mc_scene *scene, mc_structure structure) {
    bool is = is_same(scene->selected, structure);
    for (uint32_t i = 0; i < scene->more_selected_count; i++)
        is |= is_same(scene->more_selected[i], structure);
    return is;
}

static void record_outlines(const mc_renderer *renderer, VkCommandBuffer commands,
                            const mc_scene *scene, float scale) {
    mc_outline hovered = {
        .box = get_box(renderer, scene->hovered), .width = 1.5f * scale, .through = 0.3f};
    mc_outline selected = {.width = 3.0f * scale, .through = 0.75f};
    if (is_selected(scene, scene->hovered)) hovered.box = MC_NONE;
    memcpy(hovered.color, scene->theme.hover_outline, sizeof hovered.color);
    memcpy(selected.color, scene->theme.selection_outline, sizeof selected.color);
    mc_outline_pass_record(&renderer->outline, renderer->gpu, &renderer->bindings, commands,
                           &hovered);
    for (uint32_t i = 0; i <= scene->more_selected_count; i++) {
        selected.box = get_box(renderer, i == 0 ? scene->selected : scene->more_selected[i - 1]);
        mc_outline_pass_record(&renderer->outline, renderer->gpu, &renderer->bindings, commands,
                               &selected);
    }
}

// Which boxes the splat and the cull pass take from the city pass.
typedef struct raster_plan {
    mc_draw_plan lists;
    bool splat, cull, layers;
} raster_plan;

// On a GPU, blending in hardware is taken to be as fast.
static bool can_layer(const mc_renderer *renderer, uint32_t width, uint32_t height) {
    bool always = renderer->rasterizer == MC_RASTERIZER_COMPUTE;
    bool never = renderer->rasterizer == MC_RASTERIZER_RASTER;
    return (always || (!never && mc_gpu_is_software(renderer->gpu))) &&
           mc_layer_pass_can_draw(&renderer->layers, renderer->gpu,
                                  renderer->buffers.building_count, width, height);
}

static raster_plan get_raster_plan(const mc_renderer *renderer, const mc_draw_plan *lists,
                                   const mc_target *target) {
    bool always = renderer->rasterizer == MC_RASTERIZER_COMPUTE;
    bool never = renderer->rasterizer == MC_RASTERIZER_RASTER || renderer->samples > 1;
    uint32_t opaque_count = lists->opaque_count + renderer->buffers.slab_count;
    bool can_splat =
        !never && mc_splat_pass_can_draw(&renderer->splat, renderer->gpu, renderer->kept.box_count,
                                         target->width, target->height);
    bool layers = can_layer(renderer, target->width, target->height) &&
                  (always || lists->translucent_count >= LEAST_LAYER_COUNT);
    bool can_cull = !never && lists->translucent_count > 0 && !layers;
    return (raster_plan){.lists = *lists,
                         .splat = can_splat && (always || opaque_count >= LEAST_SPLAT_COUNT),
                         .cull = can_cull && (always || lists->translucent_count >= LEAST_CULL_COUNT),
                         .layers = layers && lists->translucent_count > 0};
}

// Splats and culls, before rendering.
static void record_choices(mc_renderer *renderer, const mc_frame *frame, const raster_plan *plan) {
    mc_gpu *gpu = renderer->gpu;
    VkCommandBuffer commands = frame->commands;
    if (!plan->splat && !plan->cull && !plan->layers) return;
    vkCmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_COMPUTE, renderer->bindings.layout, 0,
                            1, &renderer->bindings.sets[frame->index], 0, NULL);
    mc_kept_boxes_record_reset(&renderer->kept, commands);
    if (plan->splat)
        mc_splat_pass_record(&renderer->splat, gpu, &renderer->bindings, &renderer->kept, commands);
    if (plan->cull)
        mc_cull_pass_record(&renderer->cull, gpu, &renderer->bindings, &renderer->kept,
                            plan->lists.translucent_count, plan->splat ? renderer->splat.epoch : 0,
                            commands);
    if (plan->layers)
        mc_layer_pass_record(&renderer->layers, gpu, &renderer->bindings, frame,
                             renderer->buffers.building_count,
                             plan->splat ? renderer->splat.epoch : 0);
    mc_kept_boxes_record_finish(commands);
}

// What no box of the city ever leaves, as seen from the eye.
static void get_bounds(const mc_renderer *renderer, const mc_scene *scene, vec3 low, vec3 high) {
    const mc_city *city = renderer->lists.city;
    float margin = 1e-3f * (city->width > city->depth ? city->width : city->depth);
    float jump = scene->params.jump > 0.0f ? scene->params.jump : 0.0f;
    mc_camera_view view = scene->view;
    glm_vec3_zero(low);
    float front = city->depth;
    for (uint32_t i = 0; scene->markers && i < scene->markers->count; i++)
        front = fmaxf(front, scene->markers->boxes[i].footprint.z1);
    glm_vec3_copy((vec3){city->width, city->highest_top + jump, front}, high);
    if (renderer->glide.has_boxes && scene->params.glide < 1.0f) {
        mc_glide_buffer glide = renderer->glide;
        glm_vec3_minv(low, glide.low, low);
        glm_vec3_maxv(high, glide.high, high);
    }
    glm_vec3_adds(low, -margin, low);
    glm_vec3_adds(high, margin, high);
    glm_vec3_sub(low, view.eye, low);
    glm_vec3_sub(high, view.eye, high);
}

static void record_boxes(const mc_renderer *renderer, const mc_frame *frame, const mc_scene *scene,
                         const mc_target *target, const raster_plan *plan) {
    mc_gpu *gpu = renderer->gpu;
    VkCommandBuffer commands = frame->commands;
    const mc_bindings *bindings = &renderer->bindings;
    if (plan->splat) {
        float low[3], high[3];
        get_bounds(renderer, scene, low, high);
        mc_splat_pass_record_resolve(&renderer->splat, gpu, bindings, commands, low, high);
        mc_city_pass_record_kept_opaque(&renderer->city, gpu, bindings, commands, &renderer->kept);
    } else {
        mc_city_pass_record_opaque(&renderer->city, gpu, bindings, commands, &plan->lists,
                                   renderer->buffers.building_count, renderer->buffers.slab_count);
    }
    mc_background_pass_record(&renderer->background, gpu, commands);
    mc_shadow_pass_record(&renderer->shadow, gpu, bindings, commands, scene->theme.shadow,
                          renderer->buffers.building_count, renderer->buffers.district_count);
    if (plan->layers) {
        mc_target_record_begin_deep(target, commands);
        mc_layer_pass_record_resolve(&renderer->layers, gpu, bindings, frame, target->depth.view);
        mc_target_record_end_deep(target, commands);
    } else if (plan->cull)
        mc_city_pass_record_kept_translucent(&renderer->city, gpu, bindings, commands,
                                             &renderer->kept);
    else
        mc_city_pass_record_translucent(&renderer->city, gpu, bindings, commands, &plan->lists);
}

// The city, from its columns to the target.
static void record_city(mc_renderer *renderer, mc_frame *frame, const mc_scene *scene,
                        const mc_target *target, float scale) {
    mc_gpu *gpu = renderer->gpu;
    VkCommandBuffer commands = frame->commands;
    mc_update_params params = get_params(renderer, &scene->params);
    mc_draw_plan lists =
        mc_draw_lists_prepare(&renderer->lists, frame->index, &params, scene->view.eye);
    raster_plan plan = get_raster_plan(renderer, &lists, target);
    mc_frame_record_timestamp(frame);
    record_update(renderer, frame, &params);
    mc_frame_record_timestamp(frame);
    record_choices(renderer, frame, &plan);
    mc_target_record_begin(target, commands);
    vkCmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, renderer->bindings.layout, 0,
                            1, &renderer->bindings.sets[frame->index], 0, NULL);
    record_boxes(renderer, frame, scene, target, &plan);
    mc_frustum_pass_record(&renderer->frustum, gpu, &renderer->bindings, commands);
    record_outlines(renderer, commands, scene, scale);
    mc_target_record_end(target, commands);
}

// Sunbursts and icicles instead.
static void record_flat(const mc_renderer *renderer, mc_frame *frame, const mc_scene *scene,
                        const mc_target *target) {
    mc_frame_record_timestamp(frame);
    mc_frame_record_timestamp(frame); // there is nothing to update
    mc_flat_pass_record(&renderer->flat, renderer->gpu, &renderer->bindings, frame, scene->flat,
                        target);
}

// Everything of a frame but where the picture goes: from here on nothing can fail.
static void record_picture(mc_renderer *renderer, mc_frame *frame, const mc_scene *scene,
                           const mc_ui_draw *ui, const mc_target *target) {
    VkCommandBuffer commands = frame->commands;
    mc_frame_uniforms uniforms = mc_frame_uniforms_get(scene, target->width, target->height,
                                                       renderer->buffers.building_count);
    // Lines have widths in the pixels that are seen in the end.
    float scale = target == &renderer->image ? (float)renderer->supersampling : 1.0f;
    uniforms.ray_y[3] = scale;
    memcpy(renderer->uniforms[frame->index].mapped, &uniforms, sizeof uniforms);
    bind(renderer, frame);
    if (scene->flat)
        record_flat(renderer, frame, scene, target);
    else
        record_city(renderer, frame, scene, target, scale);
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

// What the passes need of a scene, in the frame's buffers.
static mc_result prepare_passes(mc_renderer *renderer, const mc_frame *frame, const mc_scene *scene,
                                const mc_ui_draw *ui, const mc_target *target, mc_error *error) {
    uint32_t box_count = renderer->buffers.building_count + renderer->buffers.slab_count;
    mc_result result = prepare_markers(renderer, scene->markers, error);
    (void)mc_layer_pass_finish(&renderer->layers, frame);
    if (result == MC_OK && can_layer(renderer, target->width, target->height))
        result = mc_layer_pass_prepare(&renderer->layers, &renderer->frames, target->width,
                                       target->height, error);
    if (result == MC_OK)
        result = mc_frustum_pass_prepare(&renderer->frustum, &renderer->frames, frame,
                                         scene->frustums, scene->frustum_count, box_count, error);
    if (result == MC_OK && scene->flat)
        result = mc_flat_pass_need(&renderer->flat, renderer->gpu, &renderer->bindings, error);
    if (result == MC_OK && scene->flat)
        result =
            mc_flat_pass_prepare(&renderer->flat, &renderer->frames, frame, scene->flat,
                                 scene->theme.background_top, target->width, target->height, error);
    if (result == MC_OK && ui)
        result = mc_ui_pass_prepare(&renderer->ui, &renderer->frames, frame, ui, error);
    return result;
}

// Draws into the image of our own and waits; `rgba` may be NULL.
static mc_result draw_image(mc_renderer *renderer, const mc_scene *scene, const mc_ui_draw *ui,
                            uint32_t width, uint32_t height, uint8_t *rgba, mc_error *error) {
    mc_result result = MC_OK;
    mc_frames *frames = &renderer->frames;
    mc_target *target = &renderer->image;
    mc_frame *frame;
    uint32_t scale = renderer->supersampling;
    assert(!ui || scale == 1);
    MC_TRY(prepare_target(renderer, target, width * scale, height * scale, error));
    if (rgba) MC_TRY(mc_target_prepare_readback(target, renderer->gpu, error));
    MC_TRY(mc_frames_begin(frames, &frame, error));
    MC_TRY(prepare_passes(renderer, frame, scene, ui, target, error));
    record_picture(renderer, frame, scene, ui, target);
    if (rgba) mc_target_record_readback(target, frame->commands);
    MC_TRY(mc_frames_submit(frames, frame, VK_NULL_HANDLE, VK_NULL_HANDLE, error));
    MC_TRY(mc_frames_wait(frames, frame->serial, error));
    if (rgba) mc_target_read(target, scale, rgba);
fail:
    return result;
}

mc_result mc_renderer_render_image(mc_renderer *renderer, const mc_scene *scene,
                                   const mc_ui_draw *ui, uint32_t width, uint32_t height,
                                   uint8_t *rgba, mc_error *error) {
    return draw_image(renderer, scene, ui, width, height, rgba, error);
}

mc_result mc_renderer_draw_image(mc_renderer *renderer, const mc_scene *scene, uint32_t width,
                                 uint32_t height, mc_error *error) {
    return draw_image(renderer, scene, NULL, width, height, NULL, error);
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
    MC_TRY(mc_frames_begin(frames, &frame, error));
    MC_TRY(prepare_passes(renderer, frame, scene, ui, target, error));
    MC_TRY(mc_swapchain_acquire(swapchain, frame->acquired, &image, error));
    if (!image.image) return MC_OK;
    record_picture(renderer, frame, scene, ui, target);
    mc_target_record_copy(target, frame->commands, image.image, image.format);
    MC_TRY(mc_frames_submit(frames, frame, frame->acquired, image.finished, error));
    MC_TRY(mc_swapchain_present(swapchain, &image, error));
    *skipped = false;
fail:
    return result;
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
    mc_update_params used = get_params(renderer, params);
    bind(renderer, frame);
    record_update(renderer, frame, &used);
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
