// camera.h - the camera among the buildings.
//
// A part of the session, used by its thread.
#pragma once
#include "app/session/session.h"

// No structure: the whole city.
void mc_session_frame_structure(mc_session *session, mc_structure structure, bool at_once);
void mc_session_zoom(mc_session *session, double notches, double x, double y); // at (x, y)
void mc_session_prepare_camera(mc_session *session); // before time passes for it
void mc_session_keep_outside(mc_session *session);   // backs out of a building that the eye is in
