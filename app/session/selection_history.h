// selection_history.h - goes back and forward through earlier selections; `way` is -1 or 1.
//
// A part of the session, used by its thread.
#pragma once
#include "app/session/session.h"

bool mc_session_can_revisit(const mc_session *session, int way);
void mc_session_revisit(mc_session *session, int way);
