// walk_text.h - a root-cause walk, and the verdict on a heap, in words.
//
// Everything is appended to `out`, which says if memory ran out. Threads: any.
#pragma once
#include "engine/analyze/walk.h"

extern const char *const mc_heap_verdict_names[]; // by mc_heap_verdict: "grows", "stopped" …
extern const char *const mc_walk_verdict_names[]; // by mc_walk_verdict: "symptom" …
extern const char *const mc_walk_end_names[];     // by mc_walk_end, as in JSON: "root" …

// Of what stopped only by becoming slower: "grows, 40 % slower than at first; look again after 12
// min".
void mc_suspects_append_slowing(const mc_trend *trend, mc_text *out);

// One sentence or two where nothing keeps growing, or nobody can say: "Nothing keeps growing. …".
// Of a heap that grows nothing is appended. One line.
void mc_suspects_append_verdict(const mc_suspects *suspects, const mc_trace *trace,
                                mc_metric metric, mc_step_range window, mc_text *out);

// One sentence or two on a walk that was asked for, or on one step: what piles up, and what keeps
// it alive, or that nothing keeps growing. One line.
void mc_walk_append_summary(const mc_walk *walk, const mc_trace *trace, mc_text *out);
// One line: why the walk ends where it does.
void mc_walk_append_end(const mc_walk *walk, const mc_trace *trace, mc_text *out);
// The same with the root that holds the last stop: "a GC root holds it: static field
// Shop.sessions".
void mc_walk_append_last(const mc_walk *walk, const mc_trace *trace, mc_text *out);
// One line: "all 5,600 objects held by 5,600 of 6,623 HashMap$Node", the next stop; for all stops
// but the last.
void mc_walk_append_link(const mc_walk *walk, const mc_trace *trace, uint32_t stop_index,
                         mc_text *out);
// Goes on behind the link: " through Shop.cache, 6,400 times"; nothing if no field is known.
void mc_walk_append_through(const mc_walk *walk, const mc_trace *trace, uint32_t stop_index,
                            mc_text *out);
// One line: "static field Shop.sessions → ConcurrentHashMap → … → Shop$Session", from a GC root
// down to the stop that was looked for. Only if mc_walk_knows_way().
void mc_walk_append_way(const mc_walk *walk, const mc_trace *trace, mc_text *out);
// What the last stop's name is told with, if mc_walk_knows_way(): "Shop.sessions · HashMap".
void mc_walk_append_pin(const mc_walk *walk, const mc_trace *trace, mc_text *out);
// A table of the stops, below an empty line; nothing if there are none.
void mc_walk_append_evidence(const mc_walk *walk, const mc_trace *trace, mc_text *out);
