// flat_scene.h - sunbursts and icicles as input of the renderer.
//
// Plain data, the caller's; copied when a picture is drawn. Threads: any.
#pragma once

#include "shaders/shared/flat_types.h"

typedef struct mc_flat_scene {
    const mc_flat_plane *planes; // drawn in this order
    const mc_flat_mark *marks;
    uint32_t plane_count, mark_count;
    // Of all strips (engine/tree/strips.h), one after another: texels of four floats, of two.
    const float *sums, *spans;
    uint32_t sum_count, span_count; // texels
    uint64_t version;               // of sums and spans: of no others'; not 0
} mc_flat_scene;
