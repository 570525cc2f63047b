// state.h - the state as JSON, for scripts and tests.
//
// A part of the session, used by its thread.
#pragma once
#include "app/print/print.h"
#include "app/session/session.h"

// Puts the members of an object that is open.
void mc_session_put_state(const mc_session *session, mc_print *print);
