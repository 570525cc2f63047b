// viewer.h - `memcity TRACE`: the window, from opening the trace until it is closed.
//
// Opening and laying out run in a background thread; the window answers all the while.
// Threads: call from the main thread (GLFW's rule), once at a time.
#pragma once
#include "app/window/viewer_desc.h"

mc_viewer_desc mc_viewer_desc_default(void);

// Runs until the window is closed. Messages go to stderr. Returns the program's exit code:
// MC_EXIT_OK; MC_EXIT_BAD_INPUT if what was asked for could not be opened and nothing else was;
// MC_EXIT_FAILED if this machine can't show a window (no display, no Vulkan device) or something
// broke.
int mc_viewer_run(const mc_viewer_desc *desc);
