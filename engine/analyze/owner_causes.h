// owner_causes.h - causes from the owners of a trace's steps: who retains more than before, or, of
// one step, who retains the most.
//
// Pure CPU code. Threads: any.
#pragma once
#include "engine/analyze/causes.h"

// Fills `causes`, whose desc and unit are set. `is_owned`: false if the window's last step knows no
// owners, or only that one of several does; then nothing is changed. A heap of which an owner keeps
// growing grows, whatever its groups do; what grows without an owner that does is a cause without
// hops. O(rows of the window's steps), and what suspects take.
mc_result mc_owner_causes_find(const mc_trace *trace, const mc_progress *progress,
                               mc_causes *causes, bool *is_owned, mc_error *error);
