// late_text.h - remarks on steps of a merged trace (docs/merge.md) in which a part was late, so
// that its values of the step before count.
//
// Appended to `out`, which says if memory ran out; nothing if no part was late. Errors: those of
// reading the trace. Threads: any. Cost: O(steps + parts that were late in all of them).
#pragma once
#include "engine/trace/trace.h"

// "step 3 has from before: web-3", a line a step, behind an empty one.
mc_result mc_late_append_lines(const mc_trace *trace, mc_text *out, mc_error *error);
// ,"late":[{"step":3,"parts":["web-3"]}]
mc_result mc_late_append_json(const mc_trace *trace, mc_text *out, mc_error *error);
