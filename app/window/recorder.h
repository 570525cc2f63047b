// recorder.h - records a running Java program into a file, which the window follows.
//
// `memcity record` does it, as another process. Used by the main thread.
#pragma once
#include "app/window/viewer_state.h"

// `references`: heap dumps, who holds what, too. Says what went wrong. A recording that goes on is
// not touched.
void mc_viewer_begin_recording(mc_viewer *viewer, uint32_t pid, const char *path, bool references);
void mc_viewer_stop_recording(mc_viewer *viewer); // it finishes its file
void mc_viewer_poll_recording(mc_viewer *viewer); // once a turn, while there is one
void mc_viewer_end_recording(mc_viewer *viewer);  // with the window
