// search.h - searches keys while the user types.
//
// A part of the session, used by its thread.
#pragma once
#include "app/session/session.h"

void mc_session_sync_search(mc_session *session);
void mc_session_take_search(mc_session *session, const mc_error *error);
void mc_session_forget_search(mc_session *session); // of another trace
void mc_session_fill_search(mc_session *session, mc_fact_search *model);
void mc_session_open_search(mc_session *session);
bool mc_session_close_search(mc_session *session); // false: it was not open
void mc_session_show_hit(mc_session *session, uint32_t row);
void mc_session_move_hit(mc_session *session, int way); // -1 or 1
