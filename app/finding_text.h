// finding_text.h - a cause in one sentence: what piles up, where, how fast, since when.
//
// The one sentence that all that tells of a trace begins with (why_text.h appends it). Threads:
// any.
#pragma once
#include "app/finding_words.h"

// "Shop$Session objects pile up in Shop.sessions: +23 KiB/s since the recording began, +5.2 MiB so
// far." With its full stop; one line.
void mc_finding_append_sentence(const mc_finding *finding, mc_text *out);
// "Shop$Session objects", "Objects allocated at Loop.main(Loop.java:1)", "src". Returns whether
// that is a plural.
bool mc_finding_append_subject(const mc_trace *trace, uint32_t node, mc_text *out);
