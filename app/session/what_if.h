// what_if.h - what would be freed without the demolished nodes, computed from the heap dump of the
// step shown.
//
// Which nodes are demolished is a setting (mc_settings.demolished). A part of the session, used by
// its thread.
#pragma once
#include "app/print/print.h"
#include "app/session/session.h"

void mc_session_take_what_if(mc_session *session, const mc_error *error);
void mc_session_sync_what_if(mc_session *session);

// Why nothing can be demolished at this step; NULL: something can be demolished or rebuilt.
const char *mc_session_get_demolish_obstacle(const mc_session *session);
// Demolishes the selection, or rebuilds it if it is demolished.
void mc_session_demolish_selection(mc_session *session);
void mc_session_rebuild(mc_session *session); // all of it
// Ends the search for what falls; what is demolished is what it was. False: there was none.
bool mc_session_cancel_what_if(mc_session *session);
void mc_session_show_fallen(mc_session *session, uint32_t row);

void mc_session_fill_what_if(mc_session *session, mc_fact_what_if *model);
void mc_session_put_what_if_state(const mc_session *session, mc_print *print);
