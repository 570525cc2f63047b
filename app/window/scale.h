// scale.h - how large text and controls are.
//
// Used by the main thread.
#pragma once
#include "app/window/viewer_state.h"

float mc_viewer_get_scale(const mc_viewer *viewer);
void mc_viewer_update_scale(mc_viewer *viewer);          // to that
void mc_viewer_change_scale(mc_viewer *viewer, int way); // 1, -1, or 0: as the screen asks for
