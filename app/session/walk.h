// walk.h - shows the walk to the root cause in picture and panels.
//
// A part of the session, used by its thread.
#pragma once
#include "app/session/session.h"

void mc_session_walk_from(mc_session *session, uint32_t node); // MC_NONE: from the first suspect
void mc_session_take_walk(mc_session *session, const mc_error *error);
void mc_session_update_walk(mc_session *session); // once a turn
bool mc_session_skip_walk(mc_session *session);   // shows all links now; false: all were shown
bool mc_session_hide_walk(mc_session *session);   // from the picture; false: it was not shown
void mc_session_forget_walk(mc_session *session); // of another trace
void mc_session_frame_walk(mc_session *session);  // all of it at once
// The finding in a row, what holds it and the root together; false: nothing is known of that.
bool mc_session_frame_finding(mc_session *session, uint32_t row);
bool mc_session_is_stop(const mc_session *session, uint32_t node);
float mc_session_get_link_reveal(const mc_session *session, uint32_t link); // 0 to 1
void mc_session_show_stop(mc_session *session, uint32_t row);
void mc_session_fill_walk(mc_session *session, mc_fact_walk *model);
