// flat_frame.h - prepares a frame of a sunburst or icicle, and picks in it. Threads: the session's.
#pragma once
#include "app/views/flat/flat_view_state.h"

// Rebuilds strips and names only if an input has changed; frames around nodes always.
void mc_flat_view_prepare(mc_flat_view *self);

// The entry at a position of the picture, in any of the trees; MC_NONE: none.
uint32_t mc_flat_view_pick(const mc_flat_view *self, double x, double y);
// The Other under the pointer; MC_NONE: none.
uint32_t mc_flat_view_get_pointed_other(const mc_flat_view *self);

#define MC_FLAT_TRANSITION_S 0.6
