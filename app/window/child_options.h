// child_options.h - what a child process has to be told of the window: a view, and options.
//
// Used by the main thread.
#pragma once
#include "app/window/viewer_state.h"

#define MC_CHILD_OPTIONS_MOST 20

// Adds to `arguments`, of which there are `count`, what the window was started with and no view
// says; returns how many there are then. `draws`: on a device.
uint32_t mc_viewer_add_child_options(const mc_viewer *viewer, bool draws, const char **arguments,
                                     uint32_t count);

// Writes what is shown to a file of its own that only this user can read. On failure *path stays
// NULL; else remove it when the child has ended.
mc_result mc_viewer_write_view(const mc_viewer *viewer, char **path, mc_error *error);
void mc_viewer_remove_view(char *path); // NULL: nothing
