// live_output.h - the output of a live recording: a growing .mct file, and a window that follows
// it.
//
// Threads: the main thread.
#pragma once
#include "engine/store/mct/mct.h"
#include "engine/store/mct/mct_claim.h"
#include <limits.h>
#include <sys/types.h>

// Zero-initialise but for `claim.lock`, which is -1; open, finish, end.
typedef struct mc_live_output {
    char path[PATH_MAX];
    mc_mct_claim claim;
    mc_mct_writer *writer; // steps go here
    uint32_t step_count;   // as who adds them counts
} mc_live_output;

// Makes the file at `path`, which is copied. MC_ERROR_IO: it can't be made, or there is a recording
// already.
mc_result mc_live_output_open(mc_live_output *output, const char *path, mc_error *error);
// Finishes the file, if it has any step.
mc_result mc_live_output_finish(mc_live_output *output, mc_error *error);
void mc_live_output_end(mc_live_output *output);

// ---- the window

// Zero-initialise.
typedef struct mc_live_window {
    pid_t pid;    // 0: none
    bool is_gone; // the user has closed it, or it could not be opened
} mc_live_window;

// Starts `memcity view` once; the arguments end with NULL.
void mc_live_window_open(mc_live_window *window, const char *const *arguments);
void mc_live_window_watch(mc_live_window *window); // poll it now and then
void mc_live_window_wait(mc_live_window *window);  // until it was closed, or an interrupt
