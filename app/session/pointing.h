// pointing.h - what the city looks like now, and what of it is under the pointer.
//
// A part of the session, used by its thread.
#pragma once
#include "app/session/session.h"

void mc_session_update_params(mc_session *session);
void mc_session_update_hover(mc_session *session);
// What a click at (x, y) does.
void mc_session_click(mc_session *session, double x, double y, bool is_double);
