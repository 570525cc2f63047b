// history.h - undo and redo.
//
// A part of the session, used by its thread.
#pragma once
#include "app/session/session.h"

void mc_session_get_moment(const mc_session *session, mc_session_moment *moment);
void mc_session_go_to(mc_session *session, const mc_session_moment *moment, bool at_once);
// The pending layout is ready, or has failed.
void mc_session_end_pending(mc_session *session, bool fits);
void mc_session_resume_pending(mc_session *session); // opening another trace has failed
void mc_session_record(mc_session *session);         // once a turn
void mc_session_accept_extent(mc_session *session);  // further steps of a recording have arrived
void mc_session_forget_history(mc_session *session); // of another trace
// Completes an undo or redo that led into the linked dataset, once that is shown.
void mc_session_arrive_at_undone(mc_session *session);
void mc_session_undo(mc_session *session);
void mc_session_redo(mc_session *session);
