// session_picture.h - writes a session's picture to a PNG file named after trace and step.
//
// Threads: the renderer's thread.
#pragma once
#include "app/session/session.h"
#include "engine/render/renderer.h"

// A message of the session tells what was written, or why not. `ui` lies over the picture.
void mc_session_write_picture(mc_session *session, mc_renderer *renderer, const mc_scene *scene,
                              const mc_ui_draw *ui, uint32_t width, uint32_t height);
