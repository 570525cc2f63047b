// status_text.h - short feedback on what a key changed, such as "Scaling: sqrt", shown for a
// moment.
//
// Every action passes through here, so that no key is silent. The words come from the table of
// settings. Unlike a message, a status is not passed to the host, so a script prints none. A part
// of the session, used by its thread.
#pragma once
#include "app/session/session.h"

void mc_session_set_status(mc_session *session, const char *format, ...) MC_PRINTF(2, 3);

// Shows which fields differ, after `prefix`. Shows nothing if no field differs whose change could
// be overlooked.
void mc_session_set_status_of_changes(mc_session *session, const char *prefix,
                                      const mc_settings *before, const mc_settings *after);
// Appends the same text; for tests.
void mc_session_append_changes(const mc_settings *before, const mc_settings *after, mc_text *out);

// Once a turn: removes the status when its time is over.
void mc_session_end_status(mc_session *session);

// The neighbour of `value` in an ascending list. If there is none, a status says so.
double mc_session_get_next(mc_session *session, const double *values, size_t count, double value,
                           bool larger);
