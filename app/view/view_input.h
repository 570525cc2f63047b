// view_input.h - what keys, pointer and typing do, and the camera among the buildings.
//
// A part of mc_view, used by the main thread.
#pragma once
#include "app/view/view_keys.h"
#include "app/view/window.h"
#include "engine/city/city.h"

typedef struct mc_view mc_view;

// A button of the mouse that went down over the city.
typedef struct mc_view_press {
    bool down, dragging;
    int button;
    double x, y;
} mc_view_press;

// view_input.c
void mc_view_handle_events(mc_view *view);
void mc_view_update_scale(mc_view *view); // of text and controls
void mc_view_escape(mc_view *view);       // puts away what is in the way, or the selection
void mc_view_frame_structure(mc_view *view, mc_structure structure, bool at_once);
void mc_view_update_params(mc_view *view);
void mc_view_update_hover(mc_view *view);
bool mc_view_is_over_city(const mc_view *view); // the pointer is, and free to point

bool mc_view_is_idle(const mc_view *view); // nothing that was begun is still to come

// view_text.c: typing. They return whether the event was for a text field.
bool mc_view_ends_typing(const mc_window_event *event); // and acts on what was typed
bool mc_view_type(mc_view *view, const mc_window_event *event);
void mc_view_connect_clipboard(mc_view *view);

// view_camera.c: the camera among the buildings.
void mc_view_zoom(mc_view *view, double notches, double x, double y); // at (x, y)
void mc_view_prepare_camera(mc_view *view);                           // before time passes for it
void mc_view_keep_outside(mc_view *view); // backs out of a building that the eye is in
