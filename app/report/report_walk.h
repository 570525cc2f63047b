// report_walk.h - the stops of a root-cause walk, as HTML: the evidence of a cause in a report.
//
// Threads: any.
#pragma once
#include "engine/analyze/walk.h"

// Appends nothing if the walk has no stops or the trace no references.
void mc_report_append_stops(mc_text *out, const mc_trace *trace, const mc_walk *walk);
