// city_framing.h - what the camera brings into the picture, and keeps there while panels come and
// go and the window is resized, until the user takes the camera.
//
// What is selected is framed with its strongest partners and the arcs to them, a walk with its
// arcs; these are known a moment later, so what is due is done once they are. A part of the city's
// view, used by its session's thread.
#pragma once
#include "app/views/city/city_view_state.h"

// MC_NONE: the whole city.
void mc_city_view_frame(mc_city_view *self, uint32_t node, mc_view_framing how);
void mc_city_view_frame_group(mc_city_view *self, const uint32_t *nodes, uint32_t count);
// All of another city that takes the place of the one shown, seen from the same side.
void mc_city_view_frame_other(mc_city_view *self);
void mc_city_view_toggle_bird(mc_city_view *self);
// The nodes are others: what is framed but the whole city is no more.
void mc_city_view_drop_nodes(mc_city_view *self);
// All of the city, which is another one, from where `angles` looks.
void mc_city_view_fit_whole(mc_city_view *self, const mc_camera_pose *angles, bool at_once);
// The free part of the picture is another one.
void mc_city_view_refit(mc_city_view *self);
// The user moves the camera: nothing is framed any more.
void mc_city_view_let_go(mc_city_view *self);
// At the end of a turn: does what is due.
void mc_city_view_sync_framing(mc_city_view *self);
