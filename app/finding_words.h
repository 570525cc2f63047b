// finding_words.h - what is said of every cause: since when, how long, until the heap is full.
//
// Appended to `out`, which says if memory ran out; no line breaks. Threads: any.
#pragma once
#include "engine/analyze/causes.h"

typedef struct mc_finding {
    const mc_trace *trace;
    const mc_causes *causes;
    const mc_cause *cause;
    uint64_t limit; // of the heap, in bytes; 0: not known
} mc_finding;

// "41 min", "2.5 h", "12 d": as far as a rate can tell.
void mc_finding_append_duration(double seconds, mc_text *out);
// "the recording began", "step 8 (0:34)".
void mc_finding_append_step(const mc_trace *trace, uint32_t step, mc_text *out);
// "; full in 41 min", if that is known.
void mc_finding_append_full(const mc_finding *finding, mc_text *out);
// "Two steps cannot show whether it goes on."
void mc_finding_append_short(const mc_suspects *suspects, mc_step_range window, mc_text *out);
