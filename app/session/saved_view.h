// saved_view.h - saves views to files and restores them.
//
// A part of the session, used by its thread.
#pragma once
#include "app/session/session.h"

bool mc_session_make_snapshot(const mc_session *session, mc_view_file *snapshot);
// Restores a view, opening its trace if it is another one. Takes ownership of the contents of
// `snapshot`.
void mc_session_open_snapshot(mc_session *session, mc_view_file *snapshot);
// Likewise, but always opens the trace, with its dumps grouped as the view says.
void mc_session_open_as(mc_session *session, mc_view_file *snapshot);
// Completes a restore once its trace is open, grouped as the view says or as far as possible.
void mc_session_restore_wanted(mc_session *session);
// Opens a trace or a saved view.
void mc_session_open_path(mc_session *session, const char *path);
bool mc_session_is_saved_view(const char *path);
void mc_session_save_bookmark(mc_session *session, const char *name); // NULL: after the trace
bool mc_session_save_as(mc_session *session, const char *path);
// Finds the nodes of a view's opened groups; reports keys that the trace lacks.
void mc_session_find_opened(mc_session *session, const mc_form_texts *keys, mc_selection *opened);
// Likewise for demolished nodes; keys may be ends of full keys (find_key.h).
void mc_session_find_demolished(mc_session *session, const char *const *keys, uint32_t count,
                                mc_selection *demolished);
