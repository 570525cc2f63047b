// children.h - the list of a district's children, sorted in the background.
//
// A part of the session, used by its thread.
#pragma once
#include "app/session/session.h"

void mc_session_sync_children(mc_session *session); // once a turn
void mc_session_fill_children(mc_session *session, mc_fact_list *model);
void mc_session_show_child(mc_session *session, uint32_t row);
