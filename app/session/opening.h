// opening.h - opens traces, and lays out the first city of each.
//
// A part of the session, used by its thread.
#pragma once
#include "app/session/session.h"

void mc_session_open(mc_session *session, const char *const *paths, uint32_t path_count,
                     bool is_first);
// Opens a path that stands for two traces (app/trace_location.h). False: it stands for one.
bool mc_session_open_pair(mc_session *session, const char *path);
// Opens what a saved view names. Dumps are grouped by the view's list, if it has one, instead of
// the command line's.
void mc_session_open_view(mc_session *session, const mc_view_file *view);
// Reads another trace and compares the open one, or the first of an open pair, with it.
void mc_session_open_versus(mc_session *session, const char *path);
// Reads a trace to link with the open one: a heap's methods, or methods' heap.
void mc_session_open_with(mc_session *session, const char *path);
// Swaps the trace shown and the linked one.
void mc_session_open_linked(mc_session *session);
// Takes the outcome; false: the trace has not changed.
bool mc_session_take_opened(mc_session *session, mc_job_outcome *outcome, uint32_t *skipped_count);
// Waits; false: the task still runs after that time.
bool mc_session_end_task(mc_session *session, double most_s);
