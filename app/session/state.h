// state.h - the state as JSON, for scripts and tests.
//
// A part of the session, used by its thread.
#pragma once
#include "app/session/session.h"

// Appends the members of a JSON object, without the braces.
void mc_session_append_state(const mc_session *session, mc_text *out);
