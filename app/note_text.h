// note_text.h - the notes on steps, as text and as JSON.
//
// Threads: any.
#pragma once
#include "engine/trace/trace.h"

// "step 3 at 10 s: deploy", a line each, after an empty one; nothing if nothing was noted.
void mc_notes_append_lines(const mc_trace *trace, mc_text *out);

// ,"notes":[{"step":3,"note":"deploy"}]
void mc_notes_append_json(const mc_trace *trace, mc_text *out);
