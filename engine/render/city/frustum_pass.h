// frustum_pass.h - references as cones from roof to roof, with arrows along them.
//
// A cone is a ribbon that faces the eye and is shaded as if it were round: two triangles each, a
// few more for an arc. Its ends are read from the boxes, so that it follows whatever moves them
// (engine/city/frustum.h is the same on the CPU). What opaque boxes hide shows through faintly.
// Threads: the renderer's.
#pragma once
#include "engine/render/core/bindings.h"

typedef struct mc_frustum_pass {
    VkPipeline visible, hidden; // where nothing is in front; everywhere
    mc_buffer buffers[MC_FRAME_COUNT];
    uint32_t straight_count, arc_count; // of the frame that was prepared last
} mc_frustum_pass;

mc_result mc_frustum_pass_create(mc_frustum_pass *pass, mc_gpu *gpu, const mc_bindings *bindings,
                                 uint32_t samples, mc_error *error);
void mc_frustum_pass_destroy(mc_frustum_pass *pass, const mc_gpu *gpu);

// Copies the frustums into the frame's buffer, which the GPU must not be using. Those whose ends
// are not among `box_count` boxes are left out.
mc_result mc_frustum_pass_prepare(mc_frustum_pass *pass, mc_frames *frames, const mc_frame *frame,
                                  const mc_frustum *frustums, uint32_t count, uint32_t box_count,
                                  mc_error *error);
const mc_buffer *mc_frustum_pass_get_buffer(const mc_frustum_pass *pass, uint32_t frame_index);

// Inside rendering, with the frame's set bound, after all boxes.
void mc_frustum_pass_record(const mc_frustum_pass *pass, const mc_gpu *gpu,
                            const mc_bindings *bindings, VkCommandBuffer commands);
