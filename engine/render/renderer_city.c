#include "engine/render/renderer_city.h"

#include "engine/base/hash.h"
#include "engine/gpu/device.h"
#include "engine/render/renderer_area.h"
#include <math.h>
#include <string.h>

// From so many boxes on the splat and the cull pass are worth what they cost.
enum { LEAST_SPLAT_COUNT = 8192, LEAST_CULL_COUNT = 8192 };
// With rays of light, which triangles of a software driver have for whole blocks of pixels.
enum { LEAST_LIT_SPLAT_COUNT = 512 };

// From so many translucent buildings on layers are faster than blending in order, if most are small
// and a quarter of all; from so many on in any case.
enum { LEAST_LAYER_COUNT = 40000, SURE_LAYER_COUNT = 80000 };

// Up to so many pixels of an average building's side, where the city is nearest, translucent ones
// are faster drawn as the rectangles around them.
#define MOST_BOUNDS_SIDE 20.0f

mc_update_params mc_renderer_get_params(const mc_renderer *renderer,
                                        const mc_update_params *params) {
    mc_update_params got = *params;
    got.building_count = got.box_count = renderer->buffers.building_count;
    if (renderer->transition.has_boxes)
        got.box_count += renderer->buffers.district_count;
    else
        got.transition = 1.0f;
    if (!renderer->styles.has_styles) got.flags &= ~MC_UPDATE_STYLE_FLAGS;
    return got;
}

// How many buildings the boxes on the GPU may be other for: those whose counts differ between the
// two steps, if all else is as it was but how far it is from one to the other. MC_NONE: all.
static uint32_t count_changed(const mc_renderer *renderer, const mc_update_params *params) {
    const mc_city_buffers *buffers = &renderer->buffers;
    mc_update_params before = renderer->params;
    uint64_t version = renderer->counts_version;
    bool is_next = buffers->counts_version == version + 1 && before.blend == 1.0f;
    before.blend = params->blend;
    bool is_known = renderer->updated && renderer->is_settled &&
                    buffers->building_count <= renderer->windows.size &&
                    (is_next || buffers->counts_version == version) &&
                    renderer->styles.version == renderer->style_version &&
                    (params->flags & MC_UPDATE_STYLE_FLAGS) == 0 && params->transition >= 1.0f &&
                    // NOLINTNEXTLINE(bugprone-suspicious-memory-comparison)
                    memcmp(params, &before, sizeof before) == 0;
    return is_known ? buffers->slots[buffers->to].changed_count : MC_NONE;
}

void mc_renderer_record_update(mc_renderer *renderer, const mc_frame *frame,
                               const mc_update_params *params) {
    mc_city_buffers *buffers = &renderer->buffers;
    bool same = renderer->updated && buffers->counts_version == renderer->counts_version &&
                renderer->styles.version == renderer->style_version &&
                // Bits decide: the pass may run once too often, never too seldom.
                // NOLINTNEXTLINE(bugprone-suspicious-memory-comparison)
                memcmp(params, &renderer->params, sizeof *params) == 0;
    if (same) return;
    // Where a transition ends, districts are written once more.
    bool has_glided = renderer->updated && renderer->params.transition < 1.0f;
    bool is_in_transition = params->transition < 1.0f || has_glided;
    memcpy(renderer->param_buffers[frame->index].mapped, params, sizeof *params);
    uint32_t changed_count = count_changed(renderer, params);
    if (changed_count == MC_NONE)
        renderer->is_settled = params->blend == 1.0f && params->transition >= 1.0f;
    mc_update_pass_record(&renderer->update, renderer->gpu, &renderer->bindings, &renderer->windows,
                          frame, params, is_in_transition, changed_count);
    mc_city_buffers_mark_use(buffers, renderer->frames.submitted + 1);
    mc_style_buffers_mark_use(&renderer->styles, renderer->frames.submitted + 1);
    renderer->updated = true;
    renderer->glass_key = 0;
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

// What comes with the selection: thin, and of what is a part of its building the walls.
static void record_unit(const mc_renderer *renderer, VkCommandBuffer commands,
                        const mc_scene *scene) {
    mc_outline outline = {.width = 1.6f * scene->pixel_scale, .through = 0.45f};
    memcpy(outline.color, scene->theme.selection_outline, sizeof outline.color);
    for (uint32_t i = 0; i < scene->unit_count; i++) {
        outline.box = get_box(renderer, scene->unit[i].structure);
        outline.share = scene->unit[i].share;
        outline.fill = outline.share < 1 ? 0.5f : 0.0f;
        mc_outline_pass_record(&renderer->outline, renderer->gpu, &renderer->bindings, commands,
                               &outline);
    }
}

void mc_renderer_record_rims(const mc_renderer *renderer, VkCommandBuffer commands,
                             const mc_scene *scene, const mc_target *target) {
    float scale = scene->pixel_scale;
    mc_outline hovered = {.box = get_box(renderer, scene->hovered),
                          .width = 2.0f * scale,
                          .through = 0.3f,
                          .share = 1.0f};
    mc_outline selected = {.box = get_box(renderer, scene->selected),
                           .width = 3.0f * scale,
                           .through = 0.75f,
                           .glow = 10.0f * scale,
                           .share = 1.0f};
    if (is_selected(scene, scene->hovered)) hovered.box = MC_NONE;
    memcpy(hovered.color, scene->theme.hover_outline, sizeof hovered.color);
    memcpy(selected.color, scene->theme.selection_outline, sizeof selected.color);
    if (hovered.box == MC_NONE && selected.box == MC_NONE && scene->unit_count == 0) return;
    mc_target_record_begin_rims(target, commands);
    record_unit(renderer, commands, scene);
    mc_outline_pass_record(&renderer->outline, renderer->gpu, &renderer->bindings, commands,
                           &hovered);
    for (uint32_t i = 0; i <= scene->more_selected_count; i++) {
        selected.box = get_box(renderer, i == 0 ? scene->selected : scene->more_selected[i - 1]);
        mc_outline_pass_record(&renderer->outline, renderer->gpu, &renderer->bindings, commands,
                               &selected);
    }
    mc_target_record_end_rims(target, commands);
}

// Which boxes the splat and the cull pass take from the city pass.
typedef struct raster_plan {
    mc_draw_plan lists;
    bool splat, cull, layers, glass;
    bool bounds;   // what is translucent and has no layers: see city_pass.h
    bool outlines; // some buildings are drawn as such
} raster_plan;

static uint32_t get_least_layer_count(uint32_t building_count) {
    uint32_t least = building_count / 4;
    return least < LEAST_LAYER_COUNT ? LEAST_LAYER_COUNT
                                     : (least > SURE_LAYER_COUNT ? SURE_LAYER_COUNT : least);
}

uint32_t mc_renderer_get_least_layers(const mc_renderer *renderer, const mc_update_params *params,
                                      const mc_target *target) {
    bool always = renderer->rasterizer == MC_RASTERIZER_COMPUTE;
    bool never = renderer->rasterizer == MC_RASTERIZER_RASTER;
    uint32_t count = renderer->buffers.building_count;
    bool pays = count >= LEAST_LAYER_COUNT && mc_gpu_is_software(renderer->gpu) &&
                !renderer->layers.has_large;
    bool fades = params->flags &
                 (MC_UPDATE_OPACITY_BY_GROWTH | MC_UPDATE_DIM_UNMARKED | MC_UPDATE_FADE_FALLEN);
    bool can = !never && (always || pays) && fades &&
               mc_layer_pass_can_draw(&renderer->layers, renderer->gpu, count, target->width,
                                      target->height);
    return !can ? UINT32_MAX : always ? 1 : get_least_layer_count(count);
}

static bool has_small_buildings(const mc_renderer *renderer, const mc_scene *scene,
                                const mc_target *target) {
    const vec4 *view = scene->view.view_projection;
    float low[3], high[3], away[3];
    mc_renderer_get_bounds(renderer, scene, low, high);
    for (int i = 0; i < 3; i++)
        away[i] = fmaxf(fmaxf(low[i], -high[i]), 0.0f);
    const mc_city *city = renderer->lists.city;
    float side = sqrtf(city->width * city->depth / (float)renderer->buffers.building_count);
    float scale = glm_vec3_norm((vec3){view[0][1], view[1][1], view[2][1]});
    float pixels = side * scale * 0.5f * (float)target->height;
    return pixels <= MOST_BOUNDS_SIDE * glm_vec3_norm(away);
}

// Only where triangles take long and nothing else was asked for.
static bool draws_bounds(const mc_renderer *renderer, const mc_scene *scene,
                         const mc_draw_plan *lists, const mc_target *target) {
    return renderer->city.bounds && lists->translucent_count > 0 &&
           renderer->rasterizer != MC_RASTERIZER_RASTER && mc_gpu_is_software(renderer->gpu) &&
           has_small_buildings(renderer, scene, target);
}

static raster_plan get_raster_plan(const mc_renderer *renderer, const mc_scene *scene,
                                   const mc_update_params *params, const mc_draw_plan *lists,
                                   uint32_t least_layers, const mc_target *target,
                                   uint32_t light_kind) {
    bool always = renderer->rasterizer == MC_RASTERIZER_COMPUTE;
    bool never = renderer->rasterizer == MC_RASTERIZER_RASTER || renderer->samples > 1;
    uint32_t opaque_count = lists->opaque_count + renderer->buffers.slab_count;
    bool can_splat =
        !never && mc_splat_pass_can_draw(&renderer->splat, renderer->gpu, renderer->kept.box_count,
                                         target->width, target->height);
    bool pays_early = light_kind != MC_LIGHT_NONE && mc_gpu_is_software(renderer->gpu);
    uint32_t least_splat = pays_early ? LEAST_LIT_SPLAT_COUNT : LEAST_SPLAT_COUNT;
    bool layers = lists->translucent_count >= least_layers && !lists->has_glass;
    bool can_cull = !never && lists->translucent_count > 0 && !layers && !lists->has_glass;
    return (raster_plan){.lists = *lists,
                         .splat = can_splat && (always || opaque_count >= least_splat),
                         .cull =
                             can_cull && (always || lists->translucent_count >= LEAST_CULL_COUNT),
                         .layers = layers,
                         .glass = lists->has_glass,
                         .bounds = !layers && draws_bounds(renderer, scene, lists, target),
                         .outlines = (params->flags & MC_UPDATE_FADE_FALLEN) != 0};
}

void mc_renderer_bind(const mc_renderer *renderer, const mc_frame *frame, VkPipelineBindPoint point,
                      bool is_small) {
    const mc_bindings *bindings = &renderer->bindings;
    vkCmdBindDescriptorSets(frame->commands, point, bindings->layout, 0, 1,
                            &bindings->sets.items[mc_bindings_get_set(frame, is_small)], 0, NULL);
}

// Splats and culls, before rendering. `key`: of the scene, 0 if others are drawn in between.
static void record_choices(mc_renderer *renderer, const mc_frame *frame, const raster_plan *plan,
                           const mc_update_params *params, const mc_target *target, bool is_small,
                           uint32_t light_kind, uint64_t key) {
    mc_gpu *gpu = renderer->gpu;
    VkCommandBuffer commands = frame->commands;
    mc_renderer_bind(renderer, frame, VK_PIPELINE_BIND_POINT_COMPUTE, is_small);
    if (!plan->splat && !plan->cull && !plan->layers && !plan->glass) return;
    // Drawings of one scene differ by parts of a pixel: they have the first one's glass.
    bool has_glass = plan->glass && key != 0 && key == renderer->glass_key;
    renderer->glass_key = plan->glass ? key : 0;
    mc_kept_boxes_record_reset(&renderer->kept, has_glass, commands);
    if (plan->glass && !has_glass) {
        uint32_t count = renderer->buffers.building_count;
        mc_glass_pass_record(&renderer->glass, gpu, &renderer->bindings, &renderer->windows,
                             &renderer->glass_boxes, params, frame);
        mc_cull_pass_record_compact(&renderer->cull, gpu, &renderer->bindings, &renderer->kept,
                                    count, plan->bounds, commands);
    }
    if (plan->splat)
        mc_splat_pass_record(&renderer->splat, gpu, &renderer->bindings, &renderer->kept,
                             target->width, target->height, light_kind, commands);
    if (plan->cull)
        mc_cull_pass_record(&renderer->cull, gpu, &renderer->bindings, &renderer->kept,
                            plan->lists.translucent_count, plan->splat ? renderer->splat.epoch : 0,
                            plan->bounds, commands);
    if (plan->cull)
        mc_layer_pass_record_watch(&renderer->layers, frame, &renderer->kept, target->width,
                                   target->height);
    if (plan->layers)
        mc_layer_pass_record(&renderer->layers, gpu, &renderer->bindings, frame,
                             renderer->buffers.building_count,
                             plan->splat ? renderer->splat.epoch : 0, plan->outlines);
    mc_kept_boxes_record_finish(commands);
}

static void record_boxes(const mc_renderer *renderer, const mc_frame *frame, const mc_scene *scene,
                         const mc_target *target, const raster_plan *plan, uint32_t light_kind) {
    mc_gpu *gpu = renderer->gpu;
    VkCommandBuffer commands = frame->commands;
    const mc_bindings *bindings = &renderer->bindings;
    if (plan->splat) {
        float low[3], high[3];
        mc_renderer_get_bounds(renderer, scene, low, high);
        mc_splat_pass_record_resolve(&renderer->splat, gpu, bindings, commands, low, high,
                                     scene->edges, light_kind);
        mc_city_pass_record_kept_opaque(&renderer->city, gpu, bindings, commands, &renderer->kept,
                                        light_kind);
    } else {
        mc_city_pass_record_opaque(&renderer->city, gpu, bindings, commands, &plan->lists,
                                   renderer->buffers.building_count, renderer->buffers.slab_count,
                                   light_kind);
    }
    if (!target->backdrop.handle) mc_background_pass_record(&renderer->background, gpu, commands);
    mc_shadow_pass_record(&renderer->shadow, gpu, bindings, commands, scene->theme.shadow,
                          renderer->buffers.building_count, renderer->buffers.district_count);
    if (plan->layers) {
        mc_target_record_begin_deep(target, commands);
        mc_layer_pass_record_resolve(&renderer->layers, gpu, bindings, frame, target->depth.view);
        mc_target_record_end_deep(target, commands);
    } else if (plan->cull || plan->glass)
        mc_city_pass_record_kept_translucent(&renderer->city, gpu, bindings, commands,
                                             &renderer->kept, plan->bounds);
    else
        mc_city_pass_record_translucent(&renderer->city, gpu, bindings, commands, &plan->lists,
                                        plan->bounds);
}

bool mc_renderer_has_crowd(const mc_scene *scene) {
    return scene->frustum_count >= MC_FRUSTUM_CROWD;
}

static void record_frustums(const mc_renderer *renderer, const mc_frame *frame,
                            const mc_target *target) {
    mc_frustum_pass_record(&renderer->frustum, renderer->gpu, &renderer->bindings, frame, target);
}

// What comes over the city; ends rendering.
static void record_over(const mc_renderer *renderer, const mc_frame *frame, const mc_scene *scene,
                        const mc_target *target, bool has_frustums) {
    if (has_frustums) record_frustums(renderer, frame, target);
    mc_beacon_pass_record(&renderer->beacon, renderer->gpu, &renderer->bindings, frame->commands,
                          scene->beacons);
    mc_target_record_end(target, frame->commands);
}

// Makes the target's picture of what is behind the city if it shows another one. With its set
// bound.
static void record_backdrop(const mc_renderer *renderer, const mc_frame *frame,
                            const mc_theme *theme, mc_target *target) {
    VkCommandBuffer commands = frame->commands;
    uint64_t key = mc_hash_bytes(theme->background_top, sizeof theme->background_top, 1);
    key = mc_hash_bytes(theme->background_bottom, sizeof theme->background_bottom, key) | 1;
    if (key == target->backdrop_key) return;
    mc_target_record_begin(target, commands);
    mc_background_pass_record(&renderer->background, renderer->gpu, commands);
    mc_target_record_end(target, commands);
    mc_target_record_keep(target, commands);
    target->backdrop_key = key;
}

// Begins with what is behind the city, where that is copied from a picture of it.
static void record_begin(const mc_renderer *renderer, const mc_frame *frame, const mc_scene *scene,
                         mc_target *target, bool is_small) {
    mc_renderer_bind(renderer, frame, VK_PIPELINE_BIND_POINT_GRAPHICS, is_small);
    if (!target->backdrop.handle) {
        mc_target_record_begin(target, frame->commands);
        return;
    }
    record_backdrop(renderer, frame, &scene->theme, target);
    mc_target_record_begin_kept(target, frame->commands);
}

// From the picture of half the size, which is drawn, to the whole one, with the depth that what
// comes over it is tested against.
static void record_enlarged(mc_renderer *renderer, mc_frame *frame, const mc_scene *scene,
                            mc_target *target, bool has_crowd) {
    mc_target *half = &renderer->half;
    VkRect2D all = {{0, 0}, {target->width, target->height}};
    bool has_frustums = scene->frustum_count > 0 && !has_crowd;
    bool has_beacons = scene->beacons && scene->beacons->count > 0;
    mc_enlarge_areas areas = {.depth = all, .color = all};
    if (!has_frustums) areas.depth = mc_renderer_get_rims_area(renderer, scene, target);
    if (has_beacons && areas.depth.extent.width == 0) // they are tested against nothing
        areas.depth.extent = (VkExtent2D){1, 1};
    mc_target_record_end(half, frame->commands);
    mc_target_record_to_textures(half, frame->commands);
    mc_renderer_bind(renderer, frame, VK_PIPELINE_BIND_POINT_GRAPHICS, false);
    if (target->backdrop.handle && !has_crowd) {
        areas.color = mc_renderer_get_city_area(renderer, scene, target);
        record_backdrop(renderer, frame, &scene->theme, target);
    }
    mc_enlarge_pass_record(&renderer->enlarge, renderer->gpu, frame, half, target, &areas);
    if (!has_frustums && !has_beacons) return;
    mc_target_record_begin_rims(target, frame->commands);
    mc_renderer_bind(renderer, frame, VK_PIPELINE_BIND_POINT_GRAPHICS, false);
    record_over(renderer, frame, scene, target, has_frustums);
}

void mc_renderer_record_city(mc_renderer *renderer, mc_frame *frame, const mc_scene *scene,
                             mc_target *target, bool is_half, const mc_light_use *light) {
    mc_target *drawn = is_half ? &renderer->half : target;
    VkCommandBuffer commands = frame->commands;
    mc_update_params params = mc_renderer_get_params(renderer, &scene->params);
    uint32_t least_layers = mc_renderer_get_least_layers(renderer, &params, drawn);
    mc_draw_plan lists = mc_draw_lists_prepare(&renderer->lists, frame->index, &params,
                                               scene->view.eye, least_layers);
    uint32_t light_kind = mc_light_get_kind(light);
    raster_plan plan =
        get_raster_plan(renderer, scene, &params, &lists, least_layers, drawn, light_kind);
    mc_frame_record_timestamp(frame);
    mc_renderer_record_update(renderer, frame, &params);
    mc_frame_record_timestamp(frame);
    bool is_half_crowd = is_half && mc_renderer_has_crowd(scene);
    mc_renderer_bind(renderer, frame, VK_PIPELINE_BIND_POINT_COMPUTE, is_half_crowd);
    mc_frustum_pass_record_strands(&renderer->frustum, renderer->gpu, &renderer->bindings,
                                   commands);
    record_choices(renderer, frame, &plan, &params, drawn, is_half, light_kind,
                   is_half ? 0 : light->key);
    mc_light_pass_record(&renderer->light, renderer->gpu, &renderer->bindings, light,
                         renderer->buffers.building_count, commands);
    record_begin(renderer, frame, scene, drawn, is_half);
    record_boxes(renderer, frame, scene, drawn, &plan, light_kind);
    if (!is_half) {
        record_over(renderer, frame, scene, target, true);
        return;
    }
    if (is_half_crowd) record_frustums(renderer, frame, drawn);
    record_enlarged(renderer, frame, scene, target, is_half_crowd);
}
