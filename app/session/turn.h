// turn.h - creates, runs and destroys a session; it runs in turns.
//
// The host sets the input (host.h), begins a turn, runs the user's actions (action.h) and ends the
// turn. If frames are due, it prepares one and draws it.
//
// A part of the session, used by its thread.
#pragma once
#include "app/session/session.h"

mc_result mc_session_create(const mc_session_desc *desc, mc_session **session, mc_error *error);
void mc_session_destroy(mc_session *session); // NULL is fine
void mc_session_begin(mc_session *session);   // opens what the desc says

void mc_session_begin_turn(mc_session *session, uint64_t now_ns);
void mc_session_go_on(mc_session *session); // it was to end, and does not
void mc_session_end_turn(mc_session *session);
void mc_session_prepare_frame(mc_session *session);

bool mc_session_is_idle(const mc_session *session); // nothing is pending
bool mc_session_is_animating(const mc_session *session);
// Seconds until the next turn is needed; `is_seen`: frames are drawn.
double mc_session_get_wait_s(const mc_session *session, bool is_seen);
