// ui_pass.h - draws a UI toolkit's triangles over the finished picture.
//
// Threads: the renderer's.
#pragma once
#include "engine/render/core/bindings.h"
#include "engine/render/core/ui_draw.h"

typedef struct mc_ui_pass {
    mc_descriptor_sets sets;
    VkPipelineLayout layout;
    mc_pipeline *pipeline;
    VkSampler sampler;
    mc_image texture;
    mc_buffer vertices[MC_FRAME_COUNT], indices[MC_FRAME_COUNT];
} mc_ui_pass;

mc_result mc_ui_pass_create(mc_ui_pass *pass, mc_gpu *gpu, const mc_bindings *bindings,
                            mc_error *error);
void mc_ui_pass_destroy(mc_ui_pass *pass, const mc_gpu *gpu);

// Replaces the font atlas; the old one is retired. Waits for the upload.
mc_result mc_ui_pass_set_texture(mc_ui_pass *pass, mc_frames *frames, const uint8_t *coverage,
                                 uint32_t width, uint32_t height, mc_error *error);

// Copies the triangles into the frame's buffers, which the GPU must not be using.
mc_result mc_ui_pass_prepare(mc_ui_pass *pass, mc_frames *frames, const mc_frame *frame,
                             const mc_ui_draw *ui, mc_error *error);
// Inside rendering to the plain view of a target.
void mc_ui_pass_record(const mc_ui_pass *pass, const mc_gpu *gpu, const mc_bindings *bindings,
                       const mc_frame *frame, const mc_ui_draw *ui, uint32_t width,
                       uint32_t height);
