// selection.h - selects nodes, and brings them into view.
//
// A part of the session, used by its thread.
#pragma once
#include "app/session/session.h"

// Selects a node; MC_NONE: nothing. `jumps`: the structure jumps once, so that the eye finds it.
void mc_session_select_node(mc_session *session, uint32_t node, bool jumps);
void mc_session_select_all(mc_session *session, const mc_selection *selection, bool jumps);
void mc_session_toggle_node(mc_session *session, uint32_t node); // adds it, or takes it away
void mc_session_visit(mc_session *session, uint32_t node); // selects it and brings it into view
// Moves the city's root up until `node` is below it.
void mc_session_widen_root(mc_session *session, uint32_t node);
