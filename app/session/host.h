// host.h - what the host of a session changes of it beside turns (turn.h) and actions (action.h).
//
// A part of the session, used by its thread.
#pragma once
#include "app/session/session.h"

// Before each turn.
void mc_session_set_input(mc_session *session, const mc_session_input *input);
// The settings as the user left the panels, and the rows under the pointer; MC_NONE: none.
void mc_session_take_panels(mc_session *session, const mc_settings *settings, uint32_t row,
                            uint32_t path_row);
// Folds the panels in a small window; no preference of the user's.
void mc_session_fold_panels(mc_session *session);
void mc_session_close_help(mc_session *session);
void mc_session_set_text_scale(mc_session *session, float scale);
// Removes what only passes by, a notice and the status, as before a picture.
void mc_session_clear_notices(mc_session *session);

// Writes what differs from the preferences and the size of the window (0: unchanged), if anything.
// False: nothing was to be written.
bool mc_session_save_preferences(mc_session *session, uint32_t width, uint32_t height);
