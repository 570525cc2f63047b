// enlarge_pass.h - enlarges a picture of half the resolution to the full one, for slow cities while
// the camera moves.
//
// Interpolates between the four nearest colours as they are encoded, which a software driver does
// in integers. Threads: the renderer's.
#pragma once
#include "engine/gpu/descriptors.h"
#include "engine/gpu/pipeline.h"
#include "engine/render/core/target.h"

typedef struct mc_enlarge_pass {
    VkSampler samplers[2]; // between pixels, the nearest
    mc_descriptor_sets sets;
    VkPipelineLayout layout;
    mc_pipeline *depth, *color;
} mc_enlarge_pass;

mc_result mc_enlarge_pass_create(mc_enlarge_pass *pass, mc_gpu *gpu, mc_error *error);
void mc_enlarge_pass_destroy(mc_enlarge_pass *pass, const mc_gpu *gpu);

// Parts of the larger picture.
typedef struct mc_enlarge_areas {
    VkRect2D depth; // no width: nothing has depth
    VkRect2D color; // less than the whole picture: what is beside it is the target's backdrop
} mc_enlarge_areas;

// Outside rendering: colour and depth of `small`, which are textures, become those of `target`.
// Both have one sample a pixel and show the same.
void mc_enlarge_pass_record(const mc_enlarge_pass *pass, const mc_gpu *gpu, const mc_frame *frame,
                            const mc_target *small, mc_target *target,
                            const mc_enlarge_areas *areas);
