// scale.h - the scale of text and controls, and of lines in the picture.
//
// Used by the main thread.
#pragma once
#include "app/window/viewer_state.h"

float mc_viewer_get_pixel_scale(const mc_viewer *viewer); // of lines: the screen's, or --scale
float mc_viewer_get_scale(const mc_viewer *viewer);       // of text: that, times the user's scale
void mc_viewer_update_scale(mc_viewer *viewer);           // text to that
void mc_viewer_change_scale(mc_viewer *viewer, int way);  // 1, -1, or 0: as the screen asks for
