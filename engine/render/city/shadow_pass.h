// shadow_pass.h - soft contact shadows on the ground: around the city, and around each building.
//
// Only for cities small enough for single buildings to be seen; for larger ones shadows would cost
// much and show little.
#pragma once
#include "engine/render/core/bindings.h"

#define MC_SHADOW_CITY_REACH 0.12f // of the city's shadow, share of its mean side

typedef struct mc_shadow_pass {
    mc_pipeline *pipeline;
} mc_shadow_pass;

mc_result mc_shadow_pass_create(mc_shadow_pass *pass, mc_gpu *gpu, const mc_bindings *bindings,
                                uint32_t samples, mc_error *error);
void mc_shadow_pass_destroy(mc_shadow_pass *pass);
// Inside rendering, with the frame's set bound, after all that is opaque and the background.
// `opacity`: where a building's wall meets the ground.
void mc_shadow_pass_record(const mc_shadow_pass *pass, const mc_gpu *gpu,
                           const mc_bindings *bindings, VkCommandBuffer commands, float opacity,
                           uint32_t building_count, uint32_t district_count);
