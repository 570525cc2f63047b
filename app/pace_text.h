// pace_text.h - how fast something grows, in the unit of time that fits the run.
//
// Appended to `out`, which says if memory ran out. Threads: any.
#pragma once
#include "engine/analyze/max_tree.h"

// "+159 KiB/s", "−12 objects/day": what a metric does in a second of the time window, told by the
// second, minute, hour or day: as long as the window asks for, and longer where there would be too
// little to tell. By the step where steps have numbers and no times.
void mc_pace_append(const mc_trace *trace, mc_step_range window, const mc_metric_info *info,
                    double per_s, mc_text *out);
