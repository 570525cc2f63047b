// subject_text.h - what a trace is of, for the words that are said of it.
//
// Objects and bytes are a heap's, unless the trace names its groups otherwise: of a code base, say,
// they are files and their sizes, which nobody frees or holds. Threads: any. O(classifiers).
#pragma once
#include "engine/trace/trace.h"

bool mc_subject_is_heap(const mc_trace *trace);

// "the heap", "the program", "all": what shares of a metric are of.
const char *mc_subject_get_whole(const mc_trace *trace, mc_metric metric);
