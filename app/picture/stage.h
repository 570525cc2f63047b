// stage.h - draws a city on a GPU without a window: a session that shows an open trace, framed, and
// drawn step by step.
//
// Shared by `memcity render`, `video`, `report` and `gate`. Threads: the main thread.
#pragma once
#include "app/picture/picture_overlay.h"
#include "app/views/painter/view_painter.h"

typedef struct mc_stage_desc {
    const char *const *paths;
    uint32_t path_count;
    mc_trace *trace;  // if not NULL, an open trace, which init takes over; paths then only name it
    bool keeps_trace; // ... and which the caller keeps
    const char *note; // a sentence for the legend; NULL: none
    const mc_input_options *input; // NULL: nothing can be demolished
    const mc_picture_options *picture;
    uint32_t width, height;
} mc_stage_desc;

typedef struct mc_stage {
    mc_stage_desc desc;
    const mc_picture_options *picture;
    mc_session_desc session_desc;
    mc_session *session;
    mc_city_view *view;
    mc_dataset *dataset;
    const mc_trace *trace;
    const mc_city *city;
    mc_selection selection, demolished; // from the first step on
    mc_error error;                     // of what the session misses; MC_OK: nothing
    mc_gpu *gpu;
    mc_renderer *renderer;
    mc_view_versions uploaded;
    mc_picture_overlay *overlay; // NULL: nothing is written over the picture
    bool has_step;               // one has been set
    uint32_t width, height;
    uint8_t *pixels; // the last picture: RGBA, width * height * 4 bytes
} mc_stage;

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
int mc_stage_draw(mc_stage *stage, float blend);

// A picture's size from --size: whole pixels, within what a device can do.
int mc_stage_check_size(const double size[2], uint32_t *width, uint32_t *height);
