// zoom_root.h - the city of one district alone.
//
// A part of the session, used by its thread.
#pragma once
#include "app/session/session.h"

bool mc_session_can_be_root(const mc_session *session); // the selection, or the district around it
void mc_session_make_root(mc_session *session);
void mc_session_leave_root(mc_session *session); // to the district around
void mc_session_set_root(mc_session *session, uint32_t node);
void mc_session_frame_due(mc_session *session); // after another layout
