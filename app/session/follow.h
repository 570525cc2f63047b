// follow.h - follows a recording while it grows.
//
// The session checks twice a second whether the file has changed. A background thread reopens it
// and lays it out.
//
// A part of the session, used by its thread.
#pragma once
#include "app/session/session.h"

// At start-up; false: there is nothing to open yet.
bool mc_session_begin_follow(mc_session *session);
// Waits for a recording that has no step yet, and follows it from the first on. NULL: stops
// waiting.
void mc_session_wait_for(mc_session *session, const char *path);
void mc_session_sync_follow(mc_session *session);    // once a turn
void mc_session_restart_follow(mc_session *session); // after another trace
void mc_session_toggle_follow(mc_session *session);
void mc_session_end_follow(mc_session *session);                // waits
double mc_session_get_follow_wait_s(const mc_session *session); // until the next look at the file
