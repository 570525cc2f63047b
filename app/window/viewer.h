// viewer.h - `memcity TRACE`: the window, from opening the trace until it is closed.
//
// Opening and layout run in a background thread; the window stays responsive. Threads: call from
// the main thread (GLFW's rule), once at a time.
#pragma once
#include "app/window/viewer_desc.h"

mc_viewer_desc mc_viewer_desc_default(void);

// Runs until the window is closed. Messages go to stderr. Returns the program's exit code:
// MC_EXIT_OK; MC_EXIT_BAD_INPUT if the requested trace could not be opened and no other one was;
// MC_EXIT_FAILED if this machine can't show a window (no display, no Vulkan device) or something
// broke.
int mc_viewer_run(const mc_viewer_desc *desc);
