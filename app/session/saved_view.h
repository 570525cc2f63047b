// saved_view.h - views as files.
//
// A part of the session, used by its thread.
#pragma once
#include "app/session/session.h"

bool mc_session_make_snapshot(const mc_session *session, mc_view_file *snapshot);
// Takes over `snapshot`: opens its trace if it is another one.
void mc_session_open_snapshot(mc_session *session, mc_view_file *snapshot);
// Likewise: opens it in any case, its dumps grouped as the view says.
void mc_session_open_as(mc_session *session, mc_view_file *snapshot);
// What was waited for is there: the trace, grouped as the view says, or as it can be.
void mc_session_restore_wanted(mc_session *session);
// A trace or a view.
void mc_session_open_path(mc_session *session, const char *path);
bool mc_session_is_saved_view(const char *path);
void mc_session_save_bookmark(mc_session *session, const char *name); // NULL: after the trace
bool mc_session_save_as(mc_session *session, const char *path);
// Nodes of a view's opened groups; what the trace lacks is said.
void mc_session_find_opened(mc_session *session, const mc_form_texts *keys, mc_selection *opened);
// Likewise of what is demolished; keys may be ends of full ones (find_key.h).
void mc_session_find_demolished(mc_session *session, const char *const *keys, uint32_t count,
                                mc_selection *demolished);
