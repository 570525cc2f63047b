// derived.h - what follows from the wish and is found beside: search, references, walk, series.
//
// Each has a slot of its own (slot.h), so that typing never waits for a walk. Tasks hold what they
// read. A part of the session, used by its thread.
#pragma once
#include "app/session/session.h"

mc_result mc_session_begin_derived(mc_session *session, mc_error *error);
void mc_session_end_derived(mc_session *session);    // waits for what runs
void mc_session_forget_derived(mc_session *session); // before another trace; but series go on
void mc_session_sync_derived(mc_session *session);   // once a turn
bool mc_session_is_deriving(const mc_session *session);
