// live_file.h - a growing recording: an .mct file, the user's or a temporary one, and a window that
// follows it.
//
// Threads: the main thread.
#pragma once
#include "app/record/live_output.h"
#include "engine/live/run_folder.h"

typedef struct mc_live_file_desc {
    const char *output; // NULL: a temporary file, and a window
    bool follow;        // a window, too
    bool quiet;         // nothing is said in the end
} mc_live_file_desc;

typedef struct mc_live_file {
    mc_live_file_desc desc;
    mc_run_folder folder; // none: the path was wanted
    mc_live_output output;
    mc_live_window window;
} mc_live_file;

// To be ended in any case. MC_ERROR_IO: it can't be made, or there is a recording already.
mc_result mc_live_file_begin(mc_live_file *file, const mc_live_file_desc *desc, mc_error *error);
// Commits what was added; the window opens with the first step.
mc_result mc_live_file_commit(mc_live_file *file, mc_error *error);
// Whether the user has closed the window and wanted no file. Poll it now and then.
bool mc_live_file_is_over(mc_live_file *file);
// Finishes the file, waits for the window, removes temporary files. `code` is what the exit code is
// if nothing went wrong: without a step it is MC_EXIT_FAILED.
int mc_live_file_end(mc_live_file *file, int code);
