// queries.h - the questions (app/answers) that a session asks beside the window, a row each.
//
// Each has a thread of its own (asked.h), so that typing never waits for a walk. A part of the
// session, used by its thread.
#pragma once
#include "app/session/session.h"

mc_result mc_session_begin_queries(mc_session *session, mc_error *error);
void mc_session_end_queries(mc_session *session);    // waits for what runs
void mc_session_forget_queries(mc_session *session); // before another trace; but series go on
void mc_session_sync_queries(mc_session *session);   // once a turn
bool mc_session_is_asking(const mc_session *session);
