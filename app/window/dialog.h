// dialog.h - the window's dialogs, such as open, bookmarks and save as.
//
// Used by the main thread.
#pragma once
#include "app/window/viewer_state.h"

void mc_viewer_open_dialog(mc_viewer *viewer, mc_dialog_kind kind);
bool mc_viewer_close_dialog(mc_viewer *viewer);        // false: it was not open
bool mc_viewer_dialog_key(mc_viewer *viewer, int key); // true: it was for the dialog
void mc_viewer_take_dialog(mc_viewer *viewer);         // what Enter does
void mc_viewer_take_dialog_entry(mc_viewer *viewer, uint32_t index);
// Asks how to record a program, and into which file.
void mc_viewer_ask_recording(mc_viewer *viewer, const mc_program *program);
// Asks whether to make a video; `what` says how much that is.
void mc_viewer_ask_video(mc_viewer *viewer, const char *what);
// Rename or delete a bookmark; deleting has to be confirmed by a second call.
void mc_viewer_rename_dialog_entry(mc_viewer *viewer, uint32_t index);
void mc_viewer_delete_dialog_entry(mc_viewer *viewer, uint32_t index);
void mc_viewer_update_dialog(mc_viewer *viewer); // after a frame of the UI
void mc_viewer_end_dialog(mc_viewer *viewer);
