// start.h - the start page of an empty window: recent files, and programs to record.
//
// Used by the main thread.
#pragma once
#include "app/window/viewer_state.h"

void mc_viewer_update_start(mc_viewer *viewer);       // once a turn
bool mc_viewer_start_key(mc_viewer *viewer, int key); // true: it was for a row of it
// Seconds until it looks for programs again.
double mc_viewer_get_start_wait_s(const mc_viewer *viewer);
void mc_viewer_open_sample(mc_viewer *viewer);
void mc_viewer_take_start_row(mc_viewer *viewer, uint32_t row);
