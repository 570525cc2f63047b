// frustums.h - the references, and the walk, in the picture.
//
// A part of the session, used by its thread.
#pragma once
#include "app/session/session.h"
#include "engine/scene/scene.h"

void mc_session_update_frustums(mc_session *session);            // before a frame
uint32_t mc_session_get_pointed_link(const mc_session *session); // index of the link; MC_NONE: none
bool mc_session_has_moving_arrows(const mc_session *session);
mc_scene mc_session_get_scene(mc_session *session); // of a frame; its arrows move on
void mc_session_drop_frustums(mc_session *session);
