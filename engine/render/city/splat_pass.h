// splat_pass.h - draws small opaque boxes by a compute shader. Wide cities spend most of their time
// on these, because triangle hardware, and a software driver even more so, is slow at boxes of a
// few pixels.
//
// Every pixel of the visibility buffer gets the nearest face; the resolve then writes its colour
// and depth, before anything else is drawn. Boxes that are too large are kept for the city pass;
// those that cover no pixel centre are dropped. One sample a pixel only. Threads: the renderer's.
#pragma once
#include "engine/render/city/kept_boxes.h"
#include "engine/render/core/bindings.h"

typedef struct mc_splat_pass {
    // VK_NULL_HANDLE: the device can't do it. Resolves: without and with edges, without and with
    // rays of light.
    mc_pipeline *splat, *resolve[2 * MC_LIGHT_KIND_COUNT];
    mc_pipeline *sieve; // the splat where most boxes lie between pixel centres;
    mc_buffer visible;
    uint32_t epoch; // of the last frame that used the buffer; 0: it must be cleared first
} mc_splat_pass;

// Makes no pipelines, and reports no error, where the device lacks 64-bit atomics or `samples` is
// not 1.
mc_result mc_splat_pass_create(mc_splat_pass *pass, mc_gpu *gpu, const mc_bindings *bindings,
                               uint32_t samples, mc_error *error);
void mc_splat_pass_destroy(mc_splat_pass *pass, const mc_gpu *gpu);

// Of its shader, for so many boxes.
static inline uint32_t mc_splat_get_group_count(uint32_t box_count) {
    const uint32_t boxes = MC_SPLAT_GROUP_SIZE * MC_SPLAT_BOXES;
    return (box_count + boxes - 1) / boxes;
}

// Can boxes of this number be drawn so into a picture of this size?
bool mc_splat_pass_can_draw(const mc_splat_pass *pass, const mc_gpu *gpu, uint32_t box_count,
                            uint32_t width, uint32_t height);

// Can the device bind the visibility buffer of a picture of this size?
bool mc_splat_pass_has_room(const mc_gpu *gpu, uint32_t width, uint32_t height);

// Makes the visibility buffer large enough.
mc_result mc_splat_pass_prepare(mc_splat_pass *pass, mc_frames *frames, uint32_t width,
                                uint32_t height, mc_error *error);

// Outside rendering, between the reset and the finish of `kept`, with the frame's set bound for
// compute.
void mc_splat_pass_record(mc_splat_pass *pass, const mc_gpu *gpu, const mc_bindings *bindings,
                          const mc_kept_boxes *kept, uint32_t width, uint32_t height,
                          uint32_t light_kind, VkCommandBuffer commands);
// First thing inside rendering, with the frame's set bound. `low` and `high` are around all boxes,
// as seen from the eye: what is outside costs nothing. `edges`: along the borders of boxes;
// `light_kind`: MC_LIGHT_* (light_pass.h).
void mc_splat_pass_record_resolve(const mc_splat_pass *pass, const mc_gpu *gpu,
                                  const mc_bindings *bindings, VkCommandBuffer commands,
                                  const float low[3], const float high[3], bool edges,
                                  uint32_t light_kind);
