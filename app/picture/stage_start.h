// stage_start.h - what a stage needs beside the trace, made ready while that is opened and laid
// out.
//
// Threads: begin and end in one; what is made is the caller's from the end on. In between a thread
// of its own has it.
#pragma once
#include "app/picture/picture_options.h"
#include "app/ui/ui.h"
#include "engine/render/renderer.h"
#include <pthread.h>
#include <stdatomic.h>

typedef struct mc_stage_start {
    const mc_picture_options *picture;
    bool is_city;     // which a renderer may be guessed for, before it is known how large it is
    float text_scale; // of the UI; 0: none is needed
    // What was made; NULL: nothing. The results say why the device or the UI is not there.
    mc_gpu *gpu;
    mc_renderer *renderer;
    mc_renderer_desc renderer_desc;
    mc_ui *ui;
    mc_result gpu_result, ui_result;
    mc_error gpu_error, ui_error;
    // The rest is its own.
    atomic_bool is_over, has_ui;
    pthread_t thread;
    bool has_thread;
} mc_stage_start;

// Of a zeroed one whose first fields are filled in.
void mc_stage_start_begin(mc_stage_start *start);
// Waits for what is being made and, if they are needed, makes the device and the UI: they are there
// then, unless that failed. The renderer is there if there was time.
void mc_stage_start_end(mc_stage_start *start, bool is_needed);
