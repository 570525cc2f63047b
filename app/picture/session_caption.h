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

// The trace's name, and the part of it that is shown.
void mc_session_append_title(const mc_session *session, mc_text *out);
// "80.7 MiB  ·  step 25 of 0–26  ·  0:12.3": of `total`, in the metric. `mapping` as in
// mc_caption_moment.
void mc_session_append_moment(const mc_session *session, uint64_t total, const char *mapping,
                              mc_text *out);
// The walk in words, what the search found, what falls, `note` (may be NULL), what is selected, or
// how ends of two traces differ.
void mc_session_append_note(const mc_session *session, const char *note, mc_text *out);
