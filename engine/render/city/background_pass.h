// background_pass.h - the gradient behind the city, drawn where nothing else was.
#pragma once
#include "engine/render/core/bindings.h"

typedef struct mc_background_pass {
    mc_pipeline *pipeline;
} mc_background_pass;

mc_result mc_background_pass_create(mc_background_pass *pass, mc_gpu *gpu,
                                    const mc_bindings *bindings, uint32_t samples, mc_error *error);
void mc_background_pass_destroy(mc_background_pass *pass);
// Inside rendering, with the frame's set bound.
void mc_background_pass_record(const mc_background_pass *pass, const mc_gpu *gpu,
                               VkCommandBuffer commands);
