// video.h - a video of what is shown, made by another run of this program.
//
// Used by the main thread.
#pragma once
#include "app/window/viewer_state.h"

void mc_viewer_toggle_video(mc_viewer *viewer);
void mc_viewer_poll_video(mc_viewer *viewer);
void mc_viewer_end_video(mc_viewer *viewer); // stops it
