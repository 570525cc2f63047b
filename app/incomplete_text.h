// incomplete_text.h - remarks on incomplete steps: their heap dump was cut off or damaged, so that
// numbers, references, roots and retaining paths cover only what was there.
//
// Appended to `out`, which says if memory ran out; nothing if all steps of the range are whole.
// Threads: any.
#pragma once
#include "engine/trace/trace.h"

// "step 3 is incomplete: the record at byte 17 is cut off; what is told of it is of what is there",
// with how many others there are. No line's end.
void mc_incomplete_append_sentence(const mc_trace *trace, uint32_t first_step, uint32_t last_step,
                                   mc_text *out);
