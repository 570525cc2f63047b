// stage.h - draws a trace on a GPU without a window: a session that shows an open trace, framed,
// and drawn step by step. A sunburst or icicle can be an SVG document instead, without a GPU.
//
// Shared by `memcity render`, `video`, `tree`, `timeline`, `report` and `gate`. Threads: the main
// thread.
#pragma once
#include "app/picture/stage_state.h"

// The stage stays where it is; what `desc` points to but the input must outlive it. Returns
// MC_EXIT_OK, or the exit code after saying why not. Deinit in either case.
int mc_stage_init(mc_stage *stage, const mc_stage_desc *desc);
void mc_stage_deinit(mc_stage *stage);

// Changes the theme from the next mc_stage_draw() on.
void mc_stage_set_dark(mc_stage *stage, bool is_dark);
void mc_stage_turn(mc_stage *stage, double angle_rad); // the camera, around the city
// Shows `step`; shapes blend from the step shown before.
int mc_stage_set_step(mc_stage *stage, uint32_t step);
// Draws into stage->pixels; `blend` as in mc_update_params.
int mc_stage_draw(mc_stage *stage, double blend);
// Makes the view's sheet, or what mc_flat_view_get_figure() shows, without drawing it.
int mc_stage_prepare(mc_stage *stage, double blend);

// A picture's size from --size: whole pixels, within what a device can do.
int mc_stage_check_size(const double size[2], uint32_t *width, uint32_t *height);
