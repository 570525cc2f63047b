// cull_pass.h - reduces the list of translucent buildings to those that may be visible: that cover
// a pixel centre and are not behind what the splat pass drew. The order, back to front, is kept.
//
// A compaction by prefix sums in three compute dispatches. One sample a pixel only. Threads: the
// renderer's.
#pragma once
#include "engine/render/city/kept_boxes.h"
#include "engine/render/core/bindings.h"

typedef struct mc_cull_pass {
    mc_pipeline *mark, *scan, *compact;
} mc_cull_pass;

mc_result mc_cull_pass_create(mc_cull_pass *pass, mc_gpu *gpu, const mc_bindings *bindings,
                              mc_error *error);
void mc_cull_pass_destroy(mc_cull_pass *pass);

// Shortens the frame's list of `count` entries to those that another pass has marked. Otherwise as
// below.
void mc_cull_pass_record_compact(const mc_cull_pass *pass, const mc_gpu *gpu,
                                 const mc_bindings *bindings, const mc_kept_boxes *kept,
                                 uint32_t count, bool by_bounds, VkCommandBuffer commands);

// Of the first `count` entries of the frame's list. `epoch` is of the visibility buffer if the
// splat pass has been recorded before, else 0; `by_bounds` is as in city_pass.h. Outside rendering,
// between the reset and the finish of `kept`, with the frame's set bound for compute.
void mc_cull_pass_record(const mc_cull_pass *pass, const mc_gpu *gpu, const mc_bindings *bindings,
                         const mc_kept_boxes *kept, uint32_t count, uint32_t epoch, bool by_bounds,
                         VkCommandBuffer commands);
