// renderer_city.h - how a renderer draws a city: which pass draws what, and in which order; for the
// renderer alone.
//
// Threads: the renderer's. Recording can't fail; everything it needs is prepared before.
#pragma once
#include "engine/render/renderer_state.h"

// As the buffers are: how many boxes there are, and no styles where there are none.
mc_update_params mc_renderer_get_params(const mc_renderer *renderer,
                                        const mc_update_params *params);
// From how many translucent buildings on they are drawn as layers; UINT32_MAX: never. On a GPU,
// blending in hardware is taken to be as fast.
uint32_t mc_renderer_get_least_layers(const mc_renderer *renderer, const mc_update_params *params,
                                      const mc_target *target);

// Binds the frame's set; `is_small`: that of the picture of half the size.
void mc_renderer_bind(const mc_renderer *renderer, const mc_frame *frame, VkPipelineBindPoint point,
                      bool is_small);
// Records the update pass unless the boxes are already what it would make.
void mc_renderer_record_update(mc_renderer *renderer, const mc_frame *frame,
                               const mc_update_params *params);
// Are there so many frustums that they are a part of the picture of half the size?
bool mc_renderer_has_crowd(const mc_scene *scene);
// The city, from its columns to the target, with what light it has; `is_half`: by way of a picture
// of half the size, but for what stands over it, unless that is a crowd.
void mc_renderer_record_city(mc_renderer *renderer, mc_frame *frame, const mc_scene *scene,
                             mc_target *target, bool is_half, const mc_light_use *light);
// What comes over the city.
void mc_renderer_record_rims(const mc_renderer *renderer, VkCommandBuffer commands,
                             const mc_scene *scene, const mc_target *target);
