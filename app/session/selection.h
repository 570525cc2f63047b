// selection.h - what is selected, and the way there.
//
// A part of the session, used by its thread.
#pragma once
#include "app/session/session.h"

// MC_NONE: nothing. `jumps`: the structure does, once, so that the eye finds it.
void mc_session_select_node(mc_session *session, uint32_t node, bool jumps);
void mc_session_select_all(mc_session *session, const mc_selection *selection, bool jumps);
void mc_session_toggle_node(mc_session *session, uint32_t node); // adds it, or takes it away
void mc_session_visit(mc_session *session, uint32_t node); // selects it and brings it into view
// What the city is of, so far that `node` is in it.
void mc_session_widen_root(mc_session *session, uint32_t node);
