// recorder.h - records a running program into a file, which the window follows.
//
// A child process, `memcity record`, does the recording. Used by the main thread.
#pragma once
#include "app/window/viewer_state.h"

// `references`: records heap dumps, and so references, too. Reports errors. Does not touch a
// recording that already runs.
void mc_viewer_begin_recording(mc_viewer *viewer, const mc_program *program, const char *path,
                               bool references);
void mc_viewer_stop_recording(mc_viewer *viewer); // it finishes its file
void mc_viewer_poll_recording(mc_viewer *viewer); // once a turn, while there is one
void mc_viewer_end_recording(mc_viewer *viewer);  // with the window
