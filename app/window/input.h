// input.h - handles keys and pointer.
//
// Used by the main thread.
#pragma once
#include "app/window/viewer_state.h"

void mc_viewer_handle_events(mc_viewer *viewer);
bool mc_viewer_is_over_picture(const mc_viewer *viewer); // not over a panel, nor dragging
