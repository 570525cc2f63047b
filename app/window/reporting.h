// reporting.h - writes a report of what the window shows, in a child process, and opens it.
//
// Used by the main thread.
#pragma once
#include "app/window/viewer_state.h"

void mc_viewer_toggle_reporting(mc_viewer *viewer); // begins it, or stops it
void mc_viewer_poll_reporting(mc_viewer *viewer);   // once a turn, while there is one
void mc_viewer_end_reporting(mc_viewer *viewer);    // with the window
