// renderer_area.h - where in a picture what a renderer draws of a city can be; for the renderer
// alone.
//
// Areas are in pixels and may be larger than needed, never smaller. Threads: the renderer's.
#pragma once
#include "engine/render/renderer_state.h"

// How far rims lead away from what they are around, pixels.
#define MC_RIM_REACH 12.0f

// What no box of the city ever leaves, as seen from the eye.
void mc_renderer_get_bounds(const mc_renderer *renderer, const mc_scene *scene, vec3 low,
                            vec3 high);
// Where the city and its shadow are: outside there is what is behind the city, and what comes over
// both.
VkRect2D mc_renderer_get_city_area(const mc_renderer *renderer, const mc_scene *scene,
                                   const mc_target *target);
// Where drawings of the scene, each moved by less than a pixel, can differ: outside there is only
// what is behind the city.
VkRect2D mc_renderer_get_area(const mc_renderer *renderer, const mc_scene *scene,
                              const mc_target *target);
// Where rims are that mc_renderer_record_rims() draws; without width: there are none, not even
// beside the picture.
VkRect2D mc_renderer_get_rims_area(const mc_renderer *renderer, const mc_scene *scene,
                                   const mc_target *target);
