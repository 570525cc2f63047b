// time_window.h - the hint to leave out a final release of memory, which hides earlier growth.
//
// A part of the session, used by its thread.
#pragma once
#include "app/session/session.h"

// Whether to show the hint.
bool mc_session_has_hint(const mc_session *session);
bool mc_session_leaves_out_release(const mc_session *session); // the window ends before the release
void mc_session_follow_hint(mc_session *session); // leaves the release out, or takes it in again
