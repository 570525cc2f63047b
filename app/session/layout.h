// layout.h - from the settings to the layout that is shown.
//
// A part of the session, used by its thread.
#pragma once
#include "app/session/session.h"

void mc_session_sync_layout(mc_session *session);   // lays out anew if the settings ask for it
void mc_session_revert_layout(mc_session *session); // the settings become what is shown
void mc_session_cancel(mc_session *session);        // what is being opened or laid out
void mc_session_set_busy(mc_session *session, mc_session_task task, const char *what,
                         const char *name);
// Takes the outcome of a layout; false: there is none, or the session ends.
bool mc_session_take_layout(mc_session *session, mc_job_outcome *outcome);
void mc_session_drop_layout(void *context);     // of such an outcome
void mc_session_show_step(mc_session *session); // the playback's

// Puts a layout (of session->trace) in the place of the one shown, and takes over the hold. False:
// the session ends.
bool mc_session_swap_layout(mc_session *session, mc_layout *layout, mc_layout_change change);
void mc_session_close_layout(mc_session *session);
