// flat_steps.h - the timeline of a sunburst or icicle: small trees of the chosen steps and of the
// current one, each above its point in the time chart.
//
// A background thread makes each tree from the step's counts (engine/scene/flat_small.h), a few at
// a time. A tree is kept while its step is chosen and its inputs are unchanged; an outdated tree
// stays in the picture until its successor is ready. Threads: the session's.
#pragma once
#include "app/views/flat/flat_view_state.h"

mc_result mc_flat_steps_begin(mc_flat_view *self, mc_error *error);
void mc_flat_steps_end(mc_flat_view *self);    // waits for the running task
void mc_flat_steps_forget(mc_flat_view *self); // the entries have changed
void mc_flat_steps_sync(mc_flat_view *self);   // once a turn
bool mc_flat_steps_is_deriving(const mc_flat_view *self);
