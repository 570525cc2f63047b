// old_objects_text.h - what a recording of samples tells of growth (old_objects.h), in words.
//
// Appended to `out`, which says if memory ran out; no line breaks. Threads: any.
#pragma once
#include "engine/analyze/causes.h"

// Whether the causes are of such a recording; else the functions below have nothing to say.
bool mc_old_objects_is_told(const mc_causes *causes);
// Whether the heap grows, as far as the recording knows; and which root holds most of the samples,
// where it is clear and the heap grows.
void mc_old_objects_append_sentence(const mc_trace *trace, const mc_causes *causes, mc_text *out);
// Who holds the sampled objects, and by which fields; or why that is not known.
void mc_old_objects_append_held(const mc_trace *trace, const mc_causes *causes, mc_text *out);
// The root: "static Leak.SESSIONS".
void mc_old_objects_append_root(const mc_trace *trace, const mc_causes *causes, mc_text *out);
