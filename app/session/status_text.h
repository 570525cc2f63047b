// status_text.h - what was changed by a key, in a few words that soon go: "Scaling: sqrt".
//
// Every action goes by here, so that no key is silent; the words are made from the one table of
// what can be set. It is for the eye alone: unlike a message it is not handed to the host, so a
// script prints nothing of it. A part of the session, used by its thread.
#pragma once
#include "app/session/session.h"

void mc_session_set_status(mc_session *session, const char *format, ...) MC_PRINTF(2, 3);

// Says which fields differ, behind `prefix`; nothing, if none does that the eye could miss.
void mc_session_set_status_of_changes(mc_session *session, const char *prefix,
                                      const mc_settings *before, const mc_settings *after);
// The same, as text; for tests.
void mc_session_append_changes(const mc_settings *before, const mc_settings *after, mc_text *out);

void mc_session_end_status(mc_session *session); // once a turn: takes it away when its time is over

// The neighbour of `value` in an ascending list; that there is none is said.
double mc_session_get_next(mc_session *session, const double *values, size_t count, double value,
                           bool larger);
