// export.h - copies text to the clipboard, and saves pictures.
//
// Used by the main thread.
#pragma once
#include "app/session/tables.h"
#include "app/window/viewer_state.h"

void mc_viewer_copy(mc_viewer *viewer, mc_session_copy what);
void mc_viewer_save_picture(mc_viewer *viewer, bool with_panels); // of the next frame
void mc_viewer_take_picture(mc_viewer *viewer, const mc_scene *scene, const mc_ui_draw *draw);
