// gc_roots.h - the GC roots of the step shown: their groups at the city's edge, the roots of the
// selection, and what a chosen group holds.
//
// A part of the session, used by its thread.
#pragma once
#include "app/print/print.h"
#include "app/session/session.h"

// The groups, or the root path.
void mc_session_take_roots(mc_session *session, const mc_error *error);
void mc_session_sync_roots(mc_session *session); // once a turn
void mc_session_sync_root_path(mc_session *session);
void mc_session_forget_roots(mc_session *session);

// The group whose contents are listed. MC_NONE: none is chosen, or this step lacks it.
uint32_t mc_session_get_chosen_root(const mc_session *session);
void mc_session_choose_root(mc_session *session, uint32_t group); // MC_NONE: none
void mc_session_show_root_row(mc_session *session, uint32_t row);
// Counts the objects of the selection that roots reference directly. False: not known.
bool mc_session_count_selection_roots(const mc_session *session, uint64_t *count, mc_text *names);
// Whether a root path of the selection is known.
bool mc_session_has_root_path(const mc_session *session);

// Appends the short name of a group; a group that the step lacks has no known name.
void mc_session_append_root_name(const mc_session *session, uint32_t group, mc_text *text);
// Appends a title and a line for the tooltip.
void mc_session_append_root(const mc_session *session, uint32_t group, mc_text *title,
                            mc_text *text);
void mc_session_fill_roots(mc_session *session, mc_fact_roots *model);
void mc_session_put_roots_state(const mc_session *session, mc_print *print);
