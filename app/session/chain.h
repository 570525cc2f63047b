// chain.h - how the stops of the walk are joined at the step that is shown.
//
// The walk was made at one step; at another one its links are thicker or thinner, or not there. A
// part of the session, used by its thread.
#pragma once
#include "app/session/session.h"

mc_result mc_session_begin_chain(mc_session *session, mc_error *error);
void mc_session_sync_chain(mc_session *session);
void mc_session_take_chain(mc_session *session);
void mc_session_forget_chain(mc_session *session); // of another trace
void mc_session_end_chain(mc_session *session);
