// child_options.h - what a child process has to be told of the window's trace, as options.
//
// Used by the main thread.
#pragma once
#include "app/window/viewer_state.h"

#define MC_CHILD_OPTIONS_MOST 20

// Adds to `arguments`, of which there are `count`, what the window was started with and no view
// says; returns how many there are then.
uint32_t mc_viewer_add_child_options(const mc_viewer *viewer, const char **arguments,
                                     uint32_t count);
