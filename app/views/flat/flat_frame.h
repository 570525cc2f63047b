// flat_frame.h - what a frame of a sunburst or icicle shows. Used by the session's thread.
#pragma once
#include "app/views/flat/flat_view_state.h"

// Strips and names are made anew only if what they depend on has changed; frames around nodes
// always are.
void mc_flat_view_prepare(mc_flat_view *self);
void mc_flat_view_forget(mc_flat_view *self); // what was made of the layout

#define MC_FLAT_GLIDE_S 0.6
