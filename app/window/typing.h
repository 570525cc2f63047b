// typing.h - typing in text fields, and the clipboard.
//
// The functions return whether the event was for a text field. Used by the main thread.
#pragma once
#include "app/window/viewer_state.h"

bool mc_viewer_ends_typing(const mc_window_event *event); // and acts on what was typed
bool mc_viewer_type(mc_viewer *viewer, const mc_window_event *event);
void mc_viewer_connect_clipboard(mc_viewer *viewer);
