// live_causes.h - the causes of a trace some of whose steps count garbage: found in those right
// behind a collection of the whole heap; for cause_finder.c only.
//
// What was not collected yet grows, and falls, whatever the program does. Where objects were
// sampled, what grew by no more than the estimates may be off is no cause. Threads: any.
#pragma once
#include "engine/analyze/causes.h"

typedef mc_result mc_causes_find_in(const mc_trace *trace, const mc_progress *progress,
                                    mc_causes *causes, mc_error *error);

// `causes` has its desc and unit. All of its steps are the trace's. Of too few steps: the verdict
// is MC_HEAP_UNKNOWN, and there are no causes.
mc_result mc_live_causes_find(const mc_trace *trace, mc_causes_find_in *find,
                              const mc_progress *progress, mc_causes *causes, mc_error *error);
