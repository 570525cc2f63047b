// cause_finder.h - finds the causes of a heap's growth (causes.h).
//
// Pure CPU code. Suspects (suspects.h) include symptoms as well as causes. From each suspect a walk
// (walk.h) leads to what piles up; walks that lead to the same node make one cause. These are
// merged into a cause, too:
// - what its walk passed: symptoms below it, containers that grow around it, and an array among its
//   referrers that grew by no more than the room for the new objects;
// - two causes referenced by the same objects: of n nodes of a map, k reference keys and l
//   reference values, so k + l - n or more reference both;
// - suspects that grew by exactly the number of a unit (walk.h); and all that grew, if class
//   loaders leak, or where references lead to nothing but a unit.
// A suspect's growth counts for its cause by the share of it that the walk followed. Causes are
// ranked by what they have come to retain (metric "retained"), if the trace has that metric and it
// exceeds what the suspects add up to. Without references nobody knows which suspect causes which:
// each stands for itself, classes of the program before those of the language's library, which hold
// whatever they are given. Threads: any.
#pragma once
#include "engine/analyze/causes.h"

#define MC_CAUSES_MOST_WALKS 64 // suspects that are followed, those that grew the most

// The metric in which a trace is judged, whatever is shown: bytes, where it counts any, instead of
// objects and retained sizes. So whoever asks hears of the same causes.
mc_metric mc_causes_choose_metric(const mc_trace *trace, const mc_causes_desc *desc);

// Finds the causes; there are some only if the verdict is MC_HEAP_GROWS. causes->desc has the
// metric chosen as above. Of the first of two traces (versus.h), whose holders are not known, there
// are suspects alone. `progress` may be NULL. Cost: a walk per suspect, and some values of each
// step. On failure `causes` is zeroed.
mc_result mc_causes_find(const mc_trace *trace, const mc_causes_desc *desc,
                         const mc_progress *progress, mc_causes *causes, mc_error *error);

// The walk by which a cause is known, taken out of `causes`; at another step than the window's last
// it is made anew, from the same start. `index` 0 where there are no causes: that of one step, or a
// walk without stops. Cost: none, or that of a walk. On failure `walk` is zeroed.
mc_result mc_causes_take_walk(const mc_trace *trace, mc_causes *causes, uint32_t index,
                              uint32_t step, mc_walk *walk, mc_error *error);
