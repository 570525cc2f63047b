// beacon_pass.h - columns of light over small buildings (engine/scene/beacons.h), seen through
// everything.
#pragma once
#include "engine/render/core/bindings.h"
#include "engine/scene/scene.h"

typedef struct mc_beacon_pass {
    mc_pipeline *pipeline;
} mc_beacon_pass;

mc_result mc_beacon_pass_create(mc_beacon_pass *pass, mc_gpu *gpu, const mc_bindings *bindings,
                                uint32_t samples, mc_error *error);
void mc_beacon_pass_destroy(mc_beacon_pass *pass);

// Inside rendering, with the frame's set bound, after all that is solid. `beacons` may be NULL.
void mc_beacon_pass_record(const mc_beacon_pass *pass, const mc_gpu *gpu,
                           const mc_bindings *bindings, VkCommandBuffer commands,
                           const mc_beacons *beacons);
