// refine_pass.h - antialiasing by accumulation: the mean, in linear light, of several drawings of
// one scene, each shifted by a fraction of a pixel.
//
// Costs a pass over the picture per drawing, and one per mean that is shown. Threads: the
// renderer's.
#pragma once
#include "engine/gpu/descriptors.h"
#include "engine/gpu/pipeline.h"
#include "engine/render/core/target.h"

typedef struct mc_refine_pass {
    mc_descriptor_sets sets; // per frame: of the picture, and of the mean
    VkPipelineLayout layout;
    mc_pipeline *add, *show;
} mc_refine_pass;

mc_result mc_refine_pass_create(mc_refine_pass *pass, mc_gpu *gpu, mc_error *error);
void mc_refine_pass_destroy(mc_refine_pass *pass, const mc_gpu *gpu);

// By how much drawing `round` is moved, in pixels; the first one is not. Any number of them is
// spread evenly over a pixel.
void mc_refine_get_shift(uint32_t round, float shift[2]);

// Outside rendering, with a target that has a mean: the drawing in its colour becomes the mean's
// part `round` (0: its first).
void mc_refine_pass_record(const mc_refine_pass *pass, const mc_gpu *gpu, const mc_frame *frame,
                           const mc_target *target, uint32_t round);
// The mean as it is becomes the target's colour, whatever that was.
void mc_refine_pass_record_show(const mc_refine_pass *pass, const mc_gpu *gpu,
                                const mc_frame *frame, const mc_target *target);
