// city_framing.h - frames a structure, a group or the city with the camera, and keeps it framed
// while panels open and close and the window is resized, until the user moves the camera.
//
// A selected structure is framed with its strongest partners and the arcs to them, a walk with its
// arcs. Partners and arcs are found in the background; the framing is then due and happens once
// they are known. A part of the city's view, used by its session's thread.
#pragma once
#include "app/views/city/city_view_state.h"

// MC_NONE: the whole city.
void mc_city_view_frame(mc_city_view *self, uint32_t node, mc_view_framing how);
void mc_city_view_frame_group(mc_city_view *self, const uint32_t *nodes, uint32_t count,
                              mc_view_framing how);
// Frames all of another city that replaces the one shown, from the same side.
void mc_city_view_frame_other(mc_city_view *self);
void mc_city_view_toggle_bird(mc_city_view *self);
// The node indices have changed: drops any framing but that of the whole city.
void mc_city_view_drop_nodes(mc_city_view *self);
// Frames all of a new city, seen in the direction of `angles`.
void mc_city_view_fit_whole(mc_city_view *self, const mc_camera_pose *angles, bool at_once);
// Frames again after the uncovered part of the picture has changed.
void mc_city_view_refit(mc_city_view *self);
// The user moves the camera: drops the framing.
void mc_city_view_let_go(mc_city_view *self);
// At the end of a turn: performs a framing that is due.
void mc_city_view_sync_framing(mc_city_view *self);
