// frame_risen.h - who rose in which frames, as long as it may be asked for again; for the trace
// module's own files only.
//
// A trace that goes on with the same nodes takes over what its predecessor knew: both are one
// owner. Threads: under the mutex of the cache that it is a part of (frame_cache.h).
#pragma once
#include "engine/trace/trace_columns.h"

// A window's first step and its last, the one before it, and one that somebody looks back to.
#define MC_RISEN_KEPT 4

// Who rose in a frame, per node of the trace; all others are 0.
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
// What is known of a step; NULL: nothing.
mc_risen *mc_risen_frames_find(mc_risen_frames *frames, uint64_t owner, uint32_t step);
// Room for another step, in which nobody rose yet. Its `step` is set by whoever fills it, so that
// what fails halfway is not known. NULL: memory is out.
mc_risen *mc_risen_frames_begin(mc_risen_frames *frames, uint64_t owner, uint32_t node_count);

// Gives it room, and nobody rose. False: memory is out.
bool mc_risen_clear(mc_risen *risen, uint32_t node_count);
void mc_risen_deinit(mc_risen *risen);
