// file_dialog.h - asks for a file by the desktop's own dialog: that of zenity or kdialog.
//
// A child process; what it says is a path. Used by the main thread.
#pragma once
#include "app/window/viewer_state.h"

void mc_viewer_browse(mc_viewer *viewer);        // asks; without such a program by our own dialog
void mc_viewer_poll_browsing(mc_viewer *viewer); // once a turn, while it is asked
void mc_viewer_end_browsing(mc_viewer *viewer);  // with the window
