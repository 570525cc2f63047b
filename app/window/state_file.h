// state_file.h - the state file, which scripts and tests read.
//
// Used by the main thread.
#pragma once
#include "app/window/viewer_state.h"

void mc_viewer_append_state(const mc_viewer *viewer, mc_text *out); // one object
void mc_viewer_write_report(mc_viewer *viewer);                     // if something has changed
