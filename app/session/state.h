// state.h - the state as JSON, for scripts and tests.
//
// A part of the session, used by its thread.
#pragma once
#include "app/session/session.h"

// Members of an object, without braces, that begin with a name.
void mc_session_append_state(const mc_session *session, mc_text *out);
