// light_pass.h - the map of heights that rays of light are marched over (shaders/light.glsl), and
// when they are: in pictures, and in a window while nothing moves.
//
// The map is of the part of the city that can be seen, and of what may cast a shadow there: it is
// drawn once for all drawings of a picture; shadows of the sun are found once for each of its
// points. Threads: the renderer's.
#pragma once
#include "engine/city/city.h"
#include "engine/render/core/bindings.h"

// Of a pixel in all drawings of a picture: to points of the sun, and as many along the horizon.
#define MC_LIGHT_RAY_COUNT 16u // unless less is enough

typedef struct mc_light_pass {
    mc_pipeline *small, *large, *sun;
    mc_buffer heights; // floats, then buildings of many texels, then how high shadows reach
    uint64_t key;      // the caller's, of what the map shows; 0: nothing
    float sun_point;   // whose shadows are in the map, if it shows anything; below 0: none's
} mc_light_pass;

// Whether a drawing has rays of light: with which uniforms, NULL: it has none; and a key of the
// scene.
typedef struct mc_light_use {
    const mc_frame_uniforms *uniforms;
    uint64_t key;
} mc_light_use;

// How shaders find it: MC_LIGHT_*.
uint32_t mc_light_get_kind(const mc_light_use *use);

mc_result mc_light_pass_create(mc_light_pass *pass, mc_gpu *gpu, const mc_bindings *bindings,
                               mc_error *error);
void mc_light_pass_destroy(mc_light_pass *pass, const mc_gpu *gpu);

// Where the map is, which of `drawing_count` drawings this is, and with how many rays of each kind;
// in the frame's uniforms, whose camera is there already.
void mc_light_set(mc_frame_uniforms *uniforms, const mc_city *city, uint32_t drawing,
                  uint32_t drawing_count, uint32_t ray_count);

// Outside rendering, once the boxes are made, with the frame's set bound for compute: draws the map
// unless it shows the scene already, and finds the shadows of the drawing's point of the sun if it
// has but one. Nothing if it is not lit.
void mc_light_pass_record(mc_light_pass *pass, const mc_gpu *gpu, const mc_bindings *bindings,
                          const mc_light_use *use, uint32_t building_count,
                          VkCommandBuffer commands);
