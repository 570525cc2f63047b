// to_linked.h - switches between a heap and its linked methods.
//
// A part of the session, used by its thread.
#pragma once
#include "app/session/session.h"

// Shows the linked dataset at the same point in time, and selects there the node of a row: the row
// given, or else the first one of the selection's list.
void mc_session_change_linked(mc_session *session);
void mc_session_show_linked(mc_session *session, uint32_t row);
// Goes to a moment of the history (history.h), for undo and redo.
void mc_session_go_to_linked(mc_session *session, uint32_t moment);
// Completes the switch once the dataset is shown.
void mc_session_arrive_at_linked(mc_session *session);
