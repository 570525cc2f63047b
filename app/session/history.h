// history.h - undo and redo.
//
// A part of the session, used by its thread.
#pragma once
#include "app/session/session.h"

void mc_session_get_moment(const mc_session *session, mc_session_moment *moment);
void mc_session_go_to(mc_session *session, const mc_session_moment *moment, bool at_once);
void mc_session_end_pending(mc_session *session, bool fits); // a layout is there, or will not be
void mc_session_record(mc_session *session);                 // once a turn
void mc_session_accept_extent(mc_session *session);          // more steps have come by themselves
void mc_session_forget_history(mc_session *session);         // of another trace
// Once what is linked is shown, because of a change there that is undone or redone.
void mc_session_arrive_at_undone(mc_session *session);
void mc_session_undo(mc_session *session);
void mc_session_redo(mc_session *session);
