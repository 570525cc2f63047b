// time_window.h - what was freed at the end, which hides what grew before.
//
// A part of the session, used by its thread.
#pragma once
#include "app/session/session.h"

// Whether to point that out.
bool mc_session_has_hint(const mc_session *session);
bool mc_session_leaves_out_release(const mc_session *session); // the window ends before it
void mc_session_follow_hint(mc_session *session); // leaves it out, or takes it in again
