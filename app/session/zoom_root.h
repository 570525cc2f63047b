// zoom_root.h - shows one district alone as the city.
//
// A part of the session, used by its thread.
#pragma once
#include "app/session/session.h"

bool mc_session_can_be_root(const mc_session *session); // the selection, or the district around it
void mc_session_make_root(mc_session *session);
void mc_session_leave_root(mc_session *session); // to the parent district
void mc_session_set_root(mc_session *session, uint32_t node);
// After a new layout: brings the selection into view.
void mc_session_frame_due(mc_session *session);
