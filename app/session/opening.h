// opening.h - from paths to a trace and its first city.
//
// A part of the session, used by its thread.
#pragma once
#include "app/session/session.h"

void mc_session_open(mc_session *session, const char *const *paths, uint32_t path_count,
                     bool is_first);
// Two that were opened together (app/trace_location.h); false: it is one.
bool mc_session_open_pair(mc_session *session, const char *path);
// What a view names, with dumps grouped by its list, if it has one, in place of the command line's.
void mc_session_open_view(mc_session *session, const mc_view_file *view);
// Reads another trace and shows it against what is open, or against the first of a pair.
void mc_session_open_versus(mc_session *session, const char *path);
// Reads what is linked with what is open: a heap's methods, or methods' heap.
void mc_session_open_with(mc_session *session, const char *path);
// Shows what is linked, and links what was shown.
void mc_session_open_linked(mc_session *session);
// Takes the outcome; false: the trace is the one before.
bool mc_session_take_opened(mc_session *session, mc_job_outcome *outcome, uint32_t *skipped_count);
bool mc_session_end_task(mc_session *session, double most_s); // false: it has not ended by then
