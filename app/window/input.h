// input.h - what keys and pointer do.
//
// Used by the main thread.
#pragma once
#include "app/window/viewer_state.h"

void mc_viewer_handle_events(mc_viewer *viewer);
bool mc_viewer_is_over_picture(const mc_viewer *viewer); // the pointer is, and free to point
