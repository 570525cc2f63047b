// queries.h - the session's background queries (app/answers), a row each.
//
// Each query has a thread of its own (asked.h), so that a search while typing never waits for a
// walk. A part of the session, used by its thread.
#pragma once
#include "app/session/session.h"

mc_result mc_session_begin_queries(mc_session *session, mc_error *error);
void mc_session_end_queries(mc_session *session); // waits for running queries
// Before another trace. `goes_on`: it is the same recording with further steps, and charts stay.
void mc_session_forget_queries(mc_session *session, bool goes_on);
void mc_session_sync_queries(mc_session *session); // once a turn
// While held none begins: for a host that has something more urgent to do with the machine's cores.
void mc_session_hold_queries(mc_session *session, bool is_held);
bool mc_session_is_asking(const mc_session *session);
