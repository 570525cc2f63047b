// video.h - makes a video of what the window shows, in a child process.
//
// Used by the main thread.
#pragma once
#include "app/window/viewer_state.h"

void mc_viewer_toggle_video(mc_viewer *viewer);
void mc_viewer_poll_video(mc_viewer *viewer);
void mc_viewer_end_video(mc_viewer *viewer); // stops it
