// follow.h - a recording that is followed while it goes on.
//
// Whether the file has changed is looked at twice a second; the rest happens in a thread: opening
// it anew and laying it out.
//
// A part of the session, used by its thread.
#pragma once
#include "app/session/session.h"

bool mc_session_begin_follow(mc_session *session); // at the start; false: nothing to open yet
// Follows a recording from its first step on, which is still to come. NULL: no more.
void mc_session_wait_for(mc_session *session, const char *path);
void mc_session_sync_follow(mc_session *session);    // once a turn
void mc_session_restart_follow(mc_session *session); // after another trace
void mc_session_toggle_follow(mc_session *session);
void mc_session_end_follow(mc_session *session);                // waits
double mc_session_get_follow_wait_s(const mc_session *session); // until it wants to look
