// subject_text.h - the subject of a trace (a heap, a program), for use in sentences.
//
// Objects and bytes belong to a heap, unless the trace names its groups otherwise: those of a code
// base, say, are files and their sizes, which nobody frees or retains. Threads: any.
// O(classifiers).
#pragma once
#include "engine/trace/trace.h"

bool mc_subject_is_heap(const mc_trace *trace);

// Of what a process has in memory, by kinds: its root is all that is resident.
bool mc_subject_is_resident_memory(const mc_trace *trace);
// The group of its Java heap; MC_NONE: there is none.
uint32_t mc_subject_find_java_heap(const mc_trace *trace);

// Whether a node's classifier is called so, in small letters or large ones.
bool mc_subject_has_role(const mc_trace *trace, uint32_t node, const char *wanted);
// The allocation site that a group of callers, or of a label of those, belongs to; else the node.
uint32_t mc_subject_find_site(const mc_trace *trace, uint32_t node);
// A group's name among others: of what stands below a type, as lines that allocated it, with the
// type before: "str at server.py:12". Of callers the site.
void mc_subject_append_group(const mc_trace *trace, uint32_t node, mc_text *out);
// Of an allocation profile: it tells who calls what allocates, never who holds what it allocated.
bool mc_subject_is_profile(const mc_trace *trace);

// "the heap", "the program", "all": what shares of a metric are of.
const char *mc_subject_get_whole(const mc_trace *trace, mc_metric metric);
