// city_buffers.h - a city on the GPU: its static columns, the counts of two steps, and the boxes
// and colours that the update pass makes of them.
//
// Counts are written once per step into one of a few slots, as 32 bits each where that is enough
// for all of them: a step that was shown as `to` and becomes `from` stays where it is. Threads: the
// renderer's.
#pragma once
#include "engine/city/city.h"
#include "engine/gpu/frame.h"

enum { MC_COUNT_SLOT_COUNT = 4 }; // two in use by a frame in flight, two for the next

typedef struct mc_count_slot {
    mc_buffer buffer;
    bool is_wide;      // 64 bits a count
    uint64_t last_use; // serial of the last submission that reads it
    // Buildings whose count is not that of the step before, or 0. MC_NONE: not known, as they are
    // many, or the device would take longer to tell than to update all.
    mc_buffer changed;
    uint32_t changed_count;
} mc_count_slot;

typedef struct mc_city_buffers {
    uint32_t building_count, district_count;
    uint32_t slab_count; // districts, and room for markers
    mc_buffer statics;
    mc_buffer boxes, colors; // buildings, then slabs
    mc_count_slot slots[MC_COUNT_SLOT_COUNT];
    uint32_t from, to;       // slots
    uint64_t counts_version; // rises with every change of what they hold
} mc_city_buffers;

// Uploads `city`, NULL: an empty one. All counts are 0 at first. MC_ERROR_UNSUPPORTED if the city
// has more buildings than the device can bind. On failure `buffers` is zeroed.
mc_result mc_city_buffers_init(mc_city_buffers *buffers, mc_gpu *gpu, const mc_city *city,
                               mc_error *error);
// Hands everything to the retire queue and zeroes `buffers`.
void mc_city_buffers_retire(mc_city_buffers *buffers, mc_frames *frames);

// Uploads both, once if they are the same column.
mc_result mc_city_buffers_set_counts(mc_city_buffers *buffers, mc_frames *frames,
                                     const uint64_t *from, const uint64_t *to, mc_error *error);
// What was `to` becomes `from`; uploads the new `to`.
mc_result mc_city_buffers_advance_counts(mc_city_buffers *buffers, mc_frames *frames,
                                         const uint64_t *to, mc_error *error);

// Puts these in place of all that were; NULL: none. Waits until nothing reads them.
mc_result mc_city_buffers_set_markers(mc_city_buffers *buffers, mc_frames *frames,
                                      const mc_city_markers *markers, mc_error *error);

// The submission `serial` reads the current slots.
void mc_city_buffers_mark_use(mc_city_buffers *buffers, uint64_t serial);
