// derived.h - what is found beside the session: search, references, walk, styles.
//
// Each kind of work has a thread of its own (job.h), so that typing never waits for a walk; what a
// task needs beside the trace, only its thread touches. All tasks end before the trace or the city
// that they read goes.
//
// A part of the session, used by its thread.
#pragma once
#include "app/session/session.h"

mc_result mc_session_begin_derived(mc_session *session, mc_error *error);
void mc_session_end_derived(mc_session *session);
void mc_session_forget_city(mc_session *session);    // before another one of the trace
void mc_session_forget_derived(mc_session *session); // before another trace
void mc_session_sync_derived(mc_session *session);   // once a turn
