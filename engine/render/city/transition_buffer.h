// transition_buffer.h - the old places of a city's buildings and districts
// (engine/city/transition.h), for the update pass.
//
// Threads: the renderer's.
#pragma once
#include "engine/base/vector.h"
#include "engine/city/city.h"
#include "engine/gpu/frame.h"

typedef struct mc_transition_buffer {
    mc_buffer boxes; // buildings and districts before, then districts now
    bool has_boxes;
    vec3 low, high; // around all that was there before
} mc_transition_buffer;

// Uploads city->before. Without it, or a city (NULL), and on failure `buffer` is zeroed.
mc_result mc_transition_buffer_init(mc_transition_buffer *buffer, mc_gpu *gpu, const mc_city *city,
                                    mc_error *error);
void mc_transition_buffer_retire(mc_transition_buffer *buffer, mc_frames *frames);
