// call_path_text.h - who calls an allocation site, in words.
//
// Threads: any.
#pragma once
#include "engine/trace/trace.h"

// Appends the callers by which most of a site's growth came, or what it has at the last step: from
// the site outward, as far as more than half is one caller's. Nothing is appended where the trace
// does not know callers, or the node is no site. Reads the first and last step's values of the
// trace as it was recorded.
void mc_call_path_append(const mc_trace *trace, uint32_t node, mc_metric metric,
                         uint32_t first_step, uint32_t last_step, mc_text *out);
