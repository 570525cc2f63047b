// frame_uniforms.h - a scene's view and colours as the shaders want them.
#pragma once
#include "engine/scene/scene.h"
#include "shaders/shared/frame_types.h"

// The view must be a perspective with its centre at the eye. `shift`: how far the drawing is moved,
// in pixels.
mc_frame_uniforms mc_frame_uniforms_get(const mc_scene *scene, uint32_t width, uint32_t height,
                                        uint32_t building_count, const float shift[2]);
