// frame_risen.h - cache of the method elevations in the most recently used frames; for the trace
// module's own files only.
//
// A trace that continues with the same nodes takes over what its predecessor has cached: both are
// one owner. Threads: under the mutex of the cache that contains this one (frame_cache.h).
#pragma once
#include "engine/trace/trace_columns.h"

// Enough for a window's first and last step, the step before the last, and one that the user looks
// back to.
#define MC_RISEN_KEPT 4

// The elevations in one frame, per node of the trace; nodes that did not run are 0.
typedef struct mc_risen {
    double *elevation, *least;   // `least`: also in the frames before; only of `nodes`
    uint32_t *threads, *longest; // how many; which one was the longest in it
    uint32_t *nodes;             // who did
    uint32_t count, capacity;
    bool has_least;
    // Whose it is.
    uint64_t owner, used; // `used`: when; the least one goes first
    uint32_t step;        // at whose end the frame ends; MC_NONE: nothing is known
} mc_risen;

typedef struct mc_risen_frames { // zeroed: nothing is known
    mc_risen kept[MC_RISEN_KEPT];
    uint64_t owner_count, use_count;
} mc_risen_frames;

void mc_risen_frames_deinit(mc_risen_frames *frames);
uint64_t mc_risen_frames_add_owner(mc_risen_frames *frames);
// Returns the cached frame that ends at a step; NULL: not cached.
mc_risen *mc_risen_frames_find(mc_risen_frames *frames, uint64_t owner, uint32_t step);
// Returns the least recently used entry, cleared, for another step. The caller sets its `step` once
// it is filled, so that a frame that failed halfway is never found. NULL: memory is out.
mc_risen *mc_risen_frames_begin(mc_risen_frames *frames, uint64_t owner, uint32_t node_count);

// Allocates the columns and clears them. False: memory is out.
bool mc_risen_clear(mc_risen *risen, uint32_t node_count);
void mc_risen_deinit(mc_risen *risen);
