// session_caption.h - the overlay of a session's picture: names, legend and caption, which the
// window shows in panels around it.
//
// Used by the session's thread.
#pragma once
#include "app/session/session.h"
#include "app/ui/ui.h"

// A frame of the UI. Names are left out as in the window, the rest where its panels are hidden.
// `draw` is valid until the next frame.
void mc_session_draw_caption(mc_session *session, mc_ui *ui, uint32_t width, uint32_t height,
                             mc_ui_draw *draw);
