// cause_roots.h - finds the GC roots that appeared when a cause began to grow. A part of
// mc_causes_find().
#pragma once
#include "engine/analyze/causes.h"

// Fills cause->roots with the roots that exist at `soon` and at `last`, but neither at `first` nor
// at since_step. The program's own come first, then by descending count of objects. If a dump names
// only some roots of a leaf and kind (step_referrers.h), it is not known which of them are new, and
// they are left out. Empty if the roots of a step are not known. O(roots log roots) of the four
// steps.
mc_result mc_cause_roots_find(const mc_trace *trace, uint32_t first, uint32_t soon, uint32_t last,
                              mc_cause *cause, mc_error *error);
