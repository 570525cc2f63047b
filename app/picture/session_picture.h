// session_picture.h - what a session shows as a PNG file, named after its trace and step.
//
// Used by the thread that has the renderer.
#pragma once
#include "app/session/session.h"
#include "engine/render/renderer.h"

// The session says what was written, or why not. `ui` lies over the picture.
void mc_session_write_picture(mc_session *session, mc_renderer *renderer, const mc_scene *scene,
                              const mc_ui_draw *ui, uint32_t width, uint32_t height);
