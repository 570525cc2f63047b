// reporting.h - writes a report of what the window shows, in a child process, and opens it.
//
// Used by the main thread.
#pragma once
#include "app/window/viewer_state.h"

// Begins it, or stops it. `is_page`: of the city itself, to walk through.
void mc_viewer_toggle_reporting(mc_viewer *viewer, bool is_page);
void mc_viewer_poll_reporting(mc_viewer *viewer); // once a turn, while there is one
void mc_viewer_end_reporting(mc_viewer *viewer);  // with the window
