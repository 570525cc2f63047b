// pictured.h - drives a session of which only pictures are made (mc_session_desc.pictured).
//
// A part of the session, used by its thread.
#pragma once
#include "app/session/session.h"

// No task runs, and no query.
bool mc_session_rests(const mc_session *session);
// Takes effect with the next turn. `root_node` and `layout` must not differ.
void mc_session_set_settings(mc_session *session, const mc_settings *settings);
// Shows a step, also one outside of the time window. Shapes are on the way from the step that was
// set before; the first one is at rest.
void mc_session_set_picture_step(mc_session *session, uint32_t step, bool is_first);
// `blend`: how far that way is done, 0 to 1. Call it after the last turn.
void mc_session_prepare_picture(mc_session *session, double blend);
