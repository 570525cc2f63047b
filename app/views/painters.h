// painters.h - what draws the views that there are.
//
// Used by the thread that has the renderer.
#pragma once
#include "app/views/painter/view_painter.h"

const mc_view_painter *mc_view_get_painter(const mc_view *view);
// What is drawn while nothing is open.
mc_scene mc_view_get_empty_scene(const mc_look *look, mc_camera_viewport viewport);
