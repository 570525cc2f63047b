// to_linked.h - from a heap to its methods and back: which one is shown.
//
// A part of the session, used by its thread.
#pragma once
#include "app/session/session.h"

// Shows what is linked, at the same time, and selects there what a row of the list is; of a
// selection the first one.
void mc_session_change_linked(mc_session *session);
void mc_session_show_linked(mc_session *session, uint32_t row);
// To undo or to redo: a moment of the history (history.h).
void mc_session_go_to_linked(mc_session *session, uint32_t moment);
// Once it is shown.
void mc_session_arrive_at_linked(mc_session *session);
