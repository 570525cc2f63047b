// click.h - does what a click into the picture means.
//
// A part of the session, used by its thread.
#pragma once
#include "app/session/session.h"

// Position in pixels of the picture. A layout must be shown.
void mc_session_click(mc_session *session, double x, double y, bool is_double);
