// stage.h - draws a city on a GPU without a window: opens and lays out a trace, frames it, then
// draws it step by step.
//
// Shared by `memcity render`, `video`, `report` and `gate`. Threads: the main thread.
#pragma once
#include "app/picture/picture_highlights.h"
#include "app/picture/picture_overlay.h"
#include "engine/scene/camera.h"
#include "engine/scene/step_stream.h"

typedef struct mc_stage {
    mc_trace *trace;
    mc_city *city;
    mc_gpu *gpu;
    mc_renderer *renderer;
    mc_camera camera;
    mc_scene scene;
    mc_step_stream *steps;
    mc_picture_highlights highlights;
    mc_picture_names names;
    mc_beacons beacons;            // of the last picture
    mc_picture_overlay *overlay;   // NULL: nothing is written over the picture
    bool has_step;                 // one has been set
    uint32_t step;                 // that step, and the counts between which shapes blend
    const uint64_t *from, *counts; // the stream's
    uint32_t width, height;
    uint8_t *pixels; // the last picture: RGBA, width * height * 4 bytes
} mc_stage;

typedef struct mc_stage_desc {
    const char *const *paths;
    uint32_t path_count;
    mc_trace *trace;  // if not NULL, an open trace, which init takes over; paths then only name it
    const char *note; // a sentence for the legend; NULL: none
    const mc_input_options *input; // NULL: nothing can be demolished
    const mc_picture_options *picture;
    uint32_t width, height;
} mc_stage_desc;

// Returns MC_EXIT_OK, or the exit code after saying why not. Deinit in either case.
int mc_stage_init(mc_stage *stage, const mc_stage_desc *desc);
void mc_stage_deinit(mc_stage *stage);

// Applies a changed look from the next mc_stage_set_step() on; its mapping must not have changed.
void mc_stage_apply_look(mc_stage *stage);

// Shows `step`; shapes blend from the step shown before.
int mc_stage_set_step(mc_stage *stage, uint32_t step);
// Draws into stage->pixels; `blend` as in mc_update_params.
int mc_stage_draw(mc_stage *stage, float blend);

// A picture's size from --size: whole pixels, within what a device can do.
int mc_stage_check_size(const double size[2], uint32_t *width, uint32_t *height);
