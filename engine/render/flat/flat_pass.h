// flat_pass.h - draws sunbursts and icicles from strips of texels (engine/tree/strips.h).
//
// What a frame costs depends on its pixels, not on how many nodes there are; strips are copied to
// the device when they change. Threads: the renderer's.
#pragma once
#include "engine/render/core/bindings.h"
#include "engine/scene/flat_scene.h"

typedef struct mc_flat_buffers {
    mc_buffer planes, marks, sums, spans;
    uint64_t version; // of what is in sums and spans; 0: nothing
} mc_flat_buffers;

typedef struct mc_flat_pass {
    VkDescriptorSetLayout set_layout;
    VkPipelineLayout layout;
    VkDescriptorPool pool;
    VkDescriptorSet sets[MC_FRAME_COUNT];
    VkPipeline planes[MC_FLAT_FORM_COUNT], marks;
    mc_flat_buffers buffers[MC_FRAME_COUNT];
} mc_flat_pass;

// Makes what a zeroed pass needs for drawing, unless it is there: a driver takes some 20 ms for its
// shaders, which those who look at a city don't wait for. On failure the pass is zeroed.
mc_result mc_flat_pass_need(mc_flat_pass *pass, mc_gpu *gpu, const mc_bindings *bindings,
                            uint32_t samples, mc_error *error);
void mc_flat_pass_destroy(mc_flat_pass *pass, const mc_gpu *gpu);

// Copies into the frame's buffers, which the GPU must not be using.
mc_result mc_flat_pass_prepare(mc_flat_pass *pass, mc_frames *frames, const mc_frame *frame,
                               const mc_flat_scene *scene, mc_error *error);
// Inside rendering to a target of that size, all of which it fills: beside the planes with
// `background`, sRGB-encoded.
void mc_flat_pass_record(const mc_flat_pass *pass, const mc_gpu *gpu, const mc_bindings *bindings,
                         const mc_frame *frame, const mc_flat_scene *scene,
                         const float background[3], uint32_t width, uint32_t height);
