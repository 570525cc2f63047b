// gc_roots.h - the GC roots of the step shown: their groups, which stand at the city's edge, those
// of the selection, and what one of them holds.
//
// A part of the session, used by its thread.
#pragma once
#include "app/session/session.h"

void mc_session_take_roots(mc_session *session, const mc_error *error); // or their trail
void mc_session_sync_roots(mc_session *session);                        // once a turn
void mc_session_sync_root_path(mc_session *session);
void mc_session_forget_roots(mc_session *session);
void mc_session_end_roots(mc_session *session);

// Which group's holds are listed. MC_NONE: none, or the step has it no more.
uint32_t mc_session_get_chosen_root(const mc_session *session);
void mc_session_choose_root(mc_session *session, uint32_t group); // MC_NONE: none
void mc_session_show_root_row(mc_session *session, uint32_t row);
// How many objects of the selection roots name directly; false: not known.
bool mc_session_count_selection_roots(const mc_session *session, uint64_t *count, mc_text *names);
// Whether the trail that is known is the selection's, and there is one.
bool mc_session_has_root_path(const mc_session *session);

// Its name, short. That of a group that the step lacks is not known.
void mc_session_append_root_name(const mc_session *session, uint32_t group, mc_text *text);
// A title and a line, as in a tooltip.
void mc_session_append_root(const mc_session *session, uint32_t group, mc_text *title,
                            mc_text *text);
void mc_session_fill_roots(mc_session *session, mc_fact_roots *model);
void mc_session_append_roots_state(const mc_session *session, mc_text *out);
