// outline_pass.h - draws rims around single boxes, or their lower parts: the hovered one, the
// selected ones, and what comes with them.
#pragma once
#include "engine/render/core/bindings.h"

typedef struct mc_outline_pass {
    mc_pipeline *visible, *hidden; // where the box is seen; everywhere
} mc_outline_pass;

mc_result mc_outline_pass_create(mc_outline_pass *pass, mc_gpu *gpu, const mc_bindings *bindings,
                                 mc_error *error);
void mc_outline_pass_destroy(mc_outline_pass *pass);

typedef struct mc_outline {
    uint32_t box;   // MC_NONE: nothing is drawn
    float width;    // of the silhouette, pixels
    float color[3]; // sRGB-encoded
    float through;  // opacity of what opaque boxes in front would hide
    float glow;     // how far it reaches, pixels; shows through as well
    float share;    // of its height, from the floor: 1 is all of it
    float fill;     // opacity over the walls of that part; less shows through
} mc_outline;

// Between mc_target_record_begin_rims() and end_rims, with the frame's set bound: rims are as sharp
// as text, and others don't have the city drawn anew.
void mc_outline_pass_record(const mc_outline_pass *pass, const mc_gpu *gpu,
                            const mc_bindings *bindings, VkCommandBuffer commands,
                            const mc_outline *outline);
