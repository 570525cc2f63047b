// city_pass.h - draws boxes (districts and buildings) as the three faces that can face the eye.
//
// Opaque boxes write depth; translucent ones are blended in the order of their list and do not.
#pragma once
#include "engine/render/city/draw_lists.h"
#include "engine/render/city/kept_boxes.h"
#include "engine/render/core/bindings.h"

typedef struct mc_city_pass {
    mc_pipeline *translucent;
    // Without and with rays of light.
    mc_pipeline *opaque[MC_LIGHT_KIND_COUNT];
    mc_pipeline *depth; // of opaque ones, before they are drawn with rays of light
    mc_pipeline *districts[MC_LIGHT_KIND_COUNT]; // from the last one on, which is before others
                                                 // that it meets
    mc_pipeline *bounds; // rectangles around translucent ones; with one sample a pixel
    mc_buffer indices, bounds_indices; // of MC_DRAW_CHUNK boxes
} mc_city_pass;

mc_result mc_city_pass_create(mc_city_pass *pass, mc_gpu *gpu, const mc_bindings *bindings,
                              uint32_t samples, mc_error *error);
void mc_city_pass_destroy(mc_city_pass *pass, const mc_gpu *gpu);

// Inside rendering, with the frame's set bound. `light_kind`: MC_LIGHT_* (light_pass.h), as what
// is translucent never is. `by_bounds`: a pixel finds out by itself where it
// sees a box, within the rectangle around the box's pixels, which a software driver is done with
// sooner than with six triangles of a few pixels each. With one sample a pixel.
void mc_city_pass_record_opaque(const mc_city_pass *pass, const mc_gpu *gpu,
                                const mc_bindings *bindings, VkCommandBuffer commands,
                                const mc_draw_plan *plan, uint32_t building_count,
                                uint32_t district_count, uint32_t light_kind);
void mc_city_pass_record_translucent(const mc_city_pass *pass, const mc_gpu *gpu,
                                     const mc_bindings *bindings, VkCommandBuffer commands,
                                     const mc_draw_plan *plan, bool by_bounds);

// The same for boxes that the GPU has chosen: large opaque ones, districts among them, and
// translucent ones, which the cull pass has to know the same `by_bounds` of.
void mc_city_pass_record_kept_opaque(const mc_city_pass *pass, const mc_gpu *gpu,
                                     const mc_bindings *bindings, VkCommandBuffer commands,
                                     const mc_kept_boxes *kept, uint32_t light_kind);
void mc_city_pass_record_kept_translucent(const mc_city_pass *pass, const mc_gpu *gpu,
                                          const mc_bindings *bindings, VkCommandBuffer commands,
                                          const mc_kept_boxes *kept, bool by_bounds);
