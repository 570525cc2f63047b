// style_buffers.h - the styles of a city's buildings on the GPU (engine/city/style.h).
//
// Every change is written into the least recently used slot. Threads: the renderer's.
#pragma once
#include "engine/gpu/frame.h"
#include "shaders/shared/city_types.h"

enum { MC_STYLE_SLOT_COUNT = MC_FRAME_COUNT + 1 };

typedef struct mc_style_buffers {
    mc_buffer items[MC_STYLE_SLOT_COUNT];
    uint64_t last_use[MC_STYLE_SLOT_COUNT]; // serial of the last submission that reads it
    uint32_t current;
    bool has_styles;
    uint64_t version; // of the styles: changes with them
} mc_style_buffers;

// Something can be bound from the beginning. On failure `buffers` is zeroed.
mc_result mc_style_buffers_init(mc_style_buffers *buffers, mc_gpu *gpu, mc_error *error);
void mc_style_buffers_retire(mc_style_buffers *buffers, mc_frames *frames);

// Copies `count` styles; NULL: there are none any more.
mc_result mc_style_buffers_set(mc_style_buffers *buffers, mc_frames *frames,
                               const mc_building_style *styles, uint32_t count, mc_error *error);

const mc_buffer *mc_style_buffers_get(const mc_style_buffers *buffers);
// The submission `serial` reads the current styles.
void mc_style_buffers_mark_use(mc_style_buffers *buffers, uint64_t serial);
