// cause_roots.h - which GC roots came when a cause began to grow. A part of mc_causes_find().
#pragma once
#include "engine/analyze/causes.h"

// Fills cause->roots: named at `soon` and at `last`, and neither at `first` nor at since_step; the
// program's own first, then those that name the most objects. Of a leaf and kind of which a dump
// names only some (step_holders.h) nobody knows what is new. Nothing where a step's roots are not
// known. O(roots log roots) of the four steps.
mc_result mc_cause_roots_find(const mc_trace *trace, uint32_t first, uint32_t soon, uint32_t last,
                              mc_cause *cause, mc_error *error);
