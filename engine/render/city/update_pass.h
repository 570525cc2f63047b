// update_pass.h - the compute pass that turns columns and counts into boxes and colours.
#pragma once
#include "engine/render/city/box_windows.h"

typedef struct mc_update_pass {
    mc_pipeline *pipelines[8]; // with or without styles, gliding, a selection of several
} mc_update_pass;

mc_result mc_update_pass_create(mc_update_pass *pass, mc_gpu *gpu, const mc_box_windows *windows,
                                mc_error *error);
void mc_update_pass_destroy(mc_update_pass *pass);

// `params` are in the frame's buffer already. Waits for the drawing of earlier frames and makes the
// result visible to drawing and to copies.
// `is_in_transition`: districts are written, too. This must be so while params.transition is below
// 1, and once more. `changed_count`: only so many buildings are written, which the current counts'
// list has, of one window and without a transition; MC_NONE: all are.
void mc_update_pass_record(const mc_update_pass *pass, const mc_gpu *gpu,
                           const mc_bindings *bindings, const mc_box_windows *windows,
                           const mc_frame *frame, const mc_update_params *params,
                           bool is_in_transition, uint32_t changed_count);
