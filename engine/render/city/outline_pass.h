// outline_pass.h - rims around single boxes: what is hovered, what is selected.
#pragma once
#include "engine/render/core/bindings.h"

typedef struct mc_outline_pass {
    VkPipeline visible, hidden; // where the box is seen; everywhere
} mc_outline_pass;

mc_result mc_outline_pass_create(mc_outline_pass *pass, mc_gpu *gpu, const mc_bindings *bindings,
                                 uint32_t samples, mc_error *error);
void mc_outline_pass_destroy(mc_outline_pass *pass, const mc_gpu *gpu);

typedef struct mc_outline {
    uint32_t box;   // MC_NONE: nothing is drawn
    float width;    // of the silhouette, pixels
    float color[3]; // sRGB-encoded
    float through;  // opacity of what opaque boxes in front would hide
} mc_outline;

// Inside rendering, with the frame's set bound, after all boxes.
void mc_outline_pass_record(const mc_outline_pass *pass, const mc_gpu *gpu,
                            const mc_bindings *bindings, VkCommandBuffer commands,
                            const mc_outline *outline);
