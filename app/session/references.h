// references.h - the references of the selection: what keeps it alive, and what it keeps alive.
//
// A part of the session, used by its thread.
#pragma once
#include "app/session/session.h"

void mc_session_sync_references(mc_session *session);
void mc_session_fill_references(mc_session *session, mc_fact_references *model);
void mc_session_show_partner(mc_session *session, uint32_t row);
void mc_session_show_strongest(mc_session *session, mc_link_direction direction);
void mc_session_change_most_references(mc_session *session, bool more);
bool mc_session_append_pointed_link(mc_session *session, mc_text *path, mc_text *text);
// Selects the partner of the reference under the pointer in the picture. False: there is none.
bool mc_session_show_pointed_partner(mc_session *session);
