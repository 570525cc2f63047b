// grouping.h - which classifiers the trace is grouped by (app/answers/arrange.h).
//
// A part of the session, used by its thread.
#pragma once
#include "app/session/session.h"

// The trace before any regrouping; of a pair, that of the second trace.
const mc_trace *mc_session_get_base_trace(const mc_session *session);

// Checks whether the open trace, if any, can be grouped so. MC_ERROR_BAD_DATA: the message names
// the classifiers that it has.
mc_result mc_session_check_grouping(const mc_session *session, const char *list, mc_error *error);
// Sets the classifiers to group by, "type,package"; "": as the trace was opened. Reports what is
// wrong with the list.
void mc_session_want_grouping(mc_session *session, const char *list);
// Whether the list needs the open heap dumps themselves, as the trace made from them lacks its
// classifiers.
bool mc_session_groups_dumps(const mc_session *session, const char *list);
