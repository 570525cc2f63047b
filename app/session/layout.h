// layout.h - makes the layout that the settings ask for, and shows it.
//
// A part of the session, used by its thread.
#pragma once
#include "app/session/session.h"

void mc_session_sync_layout(mc_session *session);   // starts a new layout if the settings need one
void mc_session_revert_layout(mc_session *session); // sets the settings back to the layout shown
void mc_session_cancel(mc_session *session);        // cancels opening or layout
void mc_session_set_busy(mc_session *session, mc_session_task task, const char *what,
                         const char *name);
// Takes the outcome of a layout; false: there is none, or the session ends.
bool mc_session_take_layout(mc_session *session, mc_job_outcome *outcome);
void mc_session_drop_layout(void *context);     // of such an outcome
void mc_session_show_step(mc_session *session); // the playback's

// Replaces the layout shown by another one of session->trace, and takes over the caller's
// reference. False: the session ends.
bool mc_session_swap_layout(mc_session *session, mc_layout *layout, mc_layout_change change);
void mc_session_close_layout(mc_session *session);
