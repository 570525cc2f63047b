// flat_steps.h - the timeline of a sunburst or icicle: small ones of the steps that the user wants,
// each above its point in the time chart, the current step's among them.
//
// Each is made by a thread from the step's counts (engine/scene/flat_small.h), a few at a time, and
// kept while its step is wanted and nothing else has changed; what was made of something else stays
// in the picture until its successor is there. Used by the session's thread.
#pragma once
#include "app/views/flat/flat_view_state.h"

mc_result mc_flat_steps_begin(mc_flat_view *self, mc_error *error);
void mc_flat_steps_end(mc_flat_view *self);    // waits for what runs
void mc_flat_steps_forget(mc_flat_view *self); // entries are others
void mc_flat_steps_sync(mc_flat_view *self);   // once a turn
bool mc_flat_steps_is_deriving(const mc_flat_view *self);
