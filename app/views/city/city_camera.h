// city_camera.h - the camera of the city.
//
// A part of the city's view, used by its session's thread.
#pragma once
#include "app/views/city/city_view_state.h"

mc_result mc_city_view_look_from(mc_city_view *self, const char *place, mc_error *error);
void mc_city_view_go_to(mc_city_view *self, const mc_settings *settings, bool at_once);
void mc_city_view_zoom(mc_city_view *self, double notches, double x, double y); // at (x, y)
void mc_city_view_advance_camera(mc_city_view *self);
// Adapts the camera to a new layout; `is_other_root`: the city's root has changed.
void mc_city_view_fit_camera(mc_city_view *self, mc_layout_change change, bool is_other_root);
// The camera for a picture without panels.
mc_camera mc_city_view_get_uncovered(const mc_city_view *self);
