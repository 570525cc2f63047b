// painters.h - the painters of all view kinds.
//
// Threads: the renderer's thread.
#pragma once
#include "app/views/painter/view_painter.h"

const mc_view_painter *mc_view_get_painter(const mc_view *view);
// The scene to draw while nothing is open.
mc_scene mc_view_get_empty_scene(const mc_look *look, mc_camera_viewport viewport);
