// owner_trail.h - the way from a GC root to a leaf's objects, as the step's owners have it.
//
// Pure CPU code. Threads: any.
#pragma once
#include "engine/analyze/root_path.h"

// The way to the place that has most objects of the leaf. It is not known if no place has half of
// them, or something on the way is kept alive by several owners. O(owners of the step).
mc_result mc_owner_trail_find(const mc_trace *trace, uint32_t step, uint32_t leaf,
                              mc_root_path *trail, mc_error *error);
