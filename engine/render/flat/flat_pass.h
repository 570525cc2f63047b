// flat_pass.h - draws sunbursts and icicles from strips of texels (engine/tree/strips.h).
//
// The cost of a frame depends on its pixels, not on the number of nodes. Strips are copied to the
// device, and planes drawn, only when they change; outlines of segments are drawn on top. Each
// pixel computes smooth edges itself, so one sample per pixel suffices. Threads: the renderer's.
#pragma once
#include "engine/render/core/bindings.h"
#include "engine/render/core/target.h"
#include "engine/render/flat/flat_picture.h"

typedef struct mc_flat_buffers {
    mc_buffer planes, marks, sums, spans;
    uint64_t version; // of what is in sums and spans; 0: nothing
} mc_flat_buffers;

typedef struct mc_flat_pass {
    mc_descriptor_sets sets;
    VkPipelineLayout layout;
    mc_pipeline *insides[MC_FLAT_SHAPE_COUNT]; // for what lies within rows
    mc_pipeline *wholes[MC_FLAT_SHAPE_COUNT];  // for any place
    mc_pipeline *marks;
    mc_flat_buffers buffers[MC_FRAME_COUNT];
    mc_flat_picture picture;
    bool is_current; // the picture, for the frame that was prepared
} mc_flat_pass;

// Makes what a zeroed pass needs for drawing, unless it is there: a driver takes some 20 ms for its
// shaders, which those who look at a city don't wait for. On failure the pass is zeroed.
mc_result mc_flat_pass_need(mc_flat_pass *pass, mc_gpu *gpu, const mc_bindings *bindings,
                            mc_error *error);
void mc_flat_pass_destroy(mc_flat_pass *pass, const mc_gpu *gpu);

// Copies into the frame's buffers, which the GPU must not be using. The target's size, all of which
// will be filled: beside the planes with `background`, sRGB-encoded.
mc_result mc_flat_pass_prepare(mc_flat_pass *pass, mc_frames *frames, const mc_bindings *bindings,
                               const mc_frame *frame, const mc_flat_scene *scene,
                               const float background[3], uint32_t width, uint32_t height,
                               mc_error *error);
// The whole picture of the target, which is not being rendered to.
void mc_flat_pass_record(const mc_flat_pass *pass, const mc_gpu *gpu, const mc_bindings *bindings,
                         const mc_frame *frame, const mc_flat_scene *scene,
                         const mc_target *target);
