// city_buffers.h - a city on the GPU: its static columns, the counts of two steps, and the boxes
// and colours that the update pass makes of them.
//
// Counts are written once per step into one of a few slots: a step that was shown as `to` and
// becomes `from` is found again by comparing with a copy on the CPU. Threads: the renderer's.
#pragma once
#include "engine/city/city.h"
#include "engine/gpu/frame.h"

enum { MC_COUNT_SLOT_COUNT = 4 }; // two in use by a frame in flight, two for the next

typedef struct mc_city_buffers {
    uint32_t building_count, district_count;
    mc_buffer statics;
    mc_buffer boxes, colors; // buildings, then districts
    mc_buffer counts[MC_COUNT_SLOT_COUNT];
    uint64_t *copies; // what the slots hold, one after the other
    bool filled[MC_COUNT_SLOT_COUNT];
    uint64_t last_use[MC_COUNT_SLOT_COUNT]; // serial of the last submission that reads it
    uint32_t from, to;                      // slots
} mc_city_buffers;

// Uploads `city`, NULL: an empty one. All counts are 0 at first. MC_ERROR_UNSUPPORTED if the city
// has more buildings than the device can bind. On failure `buffers` is zeroed.
mc_result mc_city_buffers_init(mc_city_buffers *buffers, mc_gpu *gpu, const mc_city *city,
                               mc_error *error);
// Hands everything to the retire queue and zeroes `buffers`.
void mc_city_buffers_retire(mc_city_buffers *buffers, mc_frames *frames);

// Makes `from` and `to` the current slots, uploading what is not there yet.
mc_result mc_city_buffers_set_counts(mc_city_buffers *buffers, mc_frames *frames,
                                     const uint64_t *from, const uint64_t *to, mc_error *error);

// The submission `serial` reads the current slots.
void mc_city_buffers_mark_use(mc_city_buffers *buffers, uint64_t serial);
