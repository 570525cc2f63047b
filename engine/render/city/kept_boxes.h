// kept_boxes.h - the boxes that the GPU selects for the city pass: their lists, and the indirect
// draws over them.
//
// The splat pass keeps opaque boxes that are too large for it, in any order; the cull pass keeps
// translucent buildings that may be visible, in the order of the frame's list. Threads: the
// renderer's.
#pragma once
#include "engine/gpu/frame.h"
#include "shaders/shared/frame_types.h"

typedef struct mc_kept_boxes {
    uint32_t box_count, building_count;
    mc_buffer list;  // opaque boxes, then from box_count on translucent ones
    mc_buffer draws; // mc_indirect_head, then draws of the opaque and of the translucent ones
    mc_buffer none;  // the draws of empty lists
    mc_buffer scan;  // of the cull pass: per block of buildings a count, then a bit a building
} mc_kept_boxes;

// For a city of that many boxes. On failure `kept` is zeroed.
mc_result mc_kept_boxes_init(mc_kept_boxes *kept, mc_gpu *gpu, uint32_t building_count,
                             uint32_t district_count, mc_error *error);
void mc_kept_boxes_retire(mc_kept_boxes *kept, mc_frames *frames);

// Empties both lists, or that of opaque ones alone, once earlier frames have drawn them; compute
// shaders may then fill them.
void mc_kept_boxes_record_reset(const mc_kept_boxes *kept, bool keeps_translucent,
                                VkCommandBuffer commands);
// Makes what compute shaders wrote visible to drawing.
void mc_kept_boxes_record_finish(VkCommandBuffer commands);

// The draws of one list in the buffer of draws: the city pass's source of the list's boxes.
typedef struct mc_kept_draws {
    uint32_t first_draw, draw_count;
    uint32_t first_box; // in the list
} mc_kept_draws;
mc_kept_draws mc_kept_boxes_get_opaque(const mc_kept_boxes *kept);
mc_kept_draws mc_kept_boxes_get_translucent(const mc_kept_boxes *kept);
