// strand_pass.h - draws thin frustums by compute shaders where there are many of them, on software
// drivers, which spend most of their time on pixels that long, thin triangles don't cover.
//
// A strand consists of pieces that are straight in the picture. They are sorted by tiles of 8x8
// pixels; pieces behind one that covers a whole tile are dropped there. Every pixel gets the
// nearest piece that covers it, and the nearest whose outline crosses it; pieces behind those two
// are dropped. Strands behind boxes or thick frustums show through. One sample a pixel only.
// Threads: the renderer's.
#pragma once
#include "engine/render/core/bindings.h"

// Frustums one after the other, with mc_frustum.first_piece and piece_count.
typedef struct mc_strands {
    uint32_t first, count, piece_count;
    uint64_t item_count; // pieces of tiles at most, about
    float top;           // none is higher, world units, about
    bool are_wide;       // some may cover a tile
} mc_strands;

typedef struct mc_strand_pass {
    const mc_bindings *bindings;
    // Made when they are needed first, which most cities never do. Of sort, the second ones are for
    // wide strands.
    mc_pipeline *cut, *sort[MC_STRAND_FILL + 1][2], *make_room, *splat, *resolve;
    VkSampler sampler;
    mc_descriptor_sets sets; // set 1: depth of all else
    VkPipelineLayout layout; // VK_NULL_HANDLE: the device can't do it
    mc_buffer pixels, pieces, words;
    // Of the frame that was prepared last.
    mc_strands strands;
    uint32_t tile_count, capacity; // items that there is room for
} mc_strand_pass;

// Reports no error where the device lacks 64-bit atomics or `samples` is not 1: it can't draw then.
// `bindings` stay the caller's, and where they are.
mc_result mc_strand_pass_create(mc_strand_pass *pass, mc_gpu *gpu, const mc_bindings *bindings,
                                uint32_t samples, mc_error *error);
void mc_strand_pass_destroy(mc_strand_pass *pass, const mc_gpu *gpu);

// Can so many pieces be drawn into a picture of this size?
bool mc_strand_pass_can_draw(const mc_strand_pass *pass, const mc_gpu *gpu, uint64_t piece_count,
                             uint32_t width, uint32_t height);
// Makes room for them, and pipelines the first time. Without any nothing is recorded.
mc_result mc_strand_pass_prepare(mc_strand_pass *pass, mc_frames *frames, const mc_strands *strands,
                                 uint32_t width, uint32_t height, mc_error *error);

// Outside rendering, with the frame's set bound for compute, once the boxes are made.
void mc_strand_pass_record(const mc_strand_pass *pass, const mc_gpu *gpu,
                           const mc_bindings *bindings, VkCommandBuffer commands);
// Inside rendering that has begun deep (target.h), with the frame's set bound, after all boxes and
// other frustums. `depth`: of those. `through`: opacity of what they hide.
void mc_strand_pass_record_resolve(const mc_strand_pass *pass, const mc_gpu *gpu,
                                   const mc_bindings *bindings, const mc_frame *frame,
                                   VkImageView depth, float through);
