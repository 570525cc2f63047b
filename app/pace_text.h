// pace_text.h - how fast something grows, in the unit of time that fits the run.
//
// Appended to `out`, which says if memory ran out. Threads: any.
#pragma once
#include "engine/analyze/max_tree.h"

// "+159 KiB/s", "−12 objects/day": the growth of a metric over the time window, per second, minute,
// hour or day. The unit fits the window's length, and is longer where the figure would be too
// small. Per step where steps have no times.
void mc_pace_append(const mc_trace *trace, mc_step_range window, const mc_metric_info *info,
                    double per_s, mc_text *out);
