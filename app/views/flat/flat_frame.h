// flat_frame.h - what a frame of a sunburst or icicle shows. Used by the session's thread.
#pragma once
#include "app/views/flat/flat_view_state.h"

// Strips and names are made anew only if what they depend on has changed; frames around nodes
// always are.
void mc_flat_view_prepare(mc_flat_view *self);

// The entry at a place of the picture, in whichever tree; MC_NONE: none.
uint32_t mc_flat_view_pick(const mc_flat_view *self, double x, double y);
// The Other that the pointer is at; MC_NONE: none.
uint32_t mc_flat_view_get_pointed_other(const mc_flat_view *self);

#define MC_FLAT_TRANSITION_S 0.6
