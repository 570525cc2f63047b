// turn.h - a session from its beginning to its end, turn by turn.
//
// Whoever shows it says what there is to point at (session->input), begins a turn, does what the
// user wants (action.h), ends the turn, and, if frames are due, prepares one and draws it.
//
// A part of the session, used by its thread.
#pragma once
#include "app/session/session.h"

mc_result mc_session_create(const mc_session_desc *desc, mc_session **session, mc_error *error);
void mc_session_destroy(mc_session *session); // NULL is fine
void mc_session_begin(mc_session *session);   // opens what the desc says

void mc_session_begin_turn(mc_session *session, uint64_t now_ns);
void mc_session_end_turn(mc_session *session);
void mc_session_prepare_frame(mc_session *session);

bool mc_session_is_idle(const mc_session *session); // nothing that was begun is still to come
bool mc_session_is_animating(const mc_session *session);
// Until the next turn is worth it; `is_seen`: frames are drawn.
double mc_session_get_wait_s(const mc_session *session, bool is_seen);
