// owner_text.h - causes from objects in words: what piles up where, and the way to it, place by
// place.
//
// Only of causes with an owner (causes.h). Everything is appended to `out`, which says if memory
// ran out; no line breaks. Threads: any.
#pragma once
#include "app/finding_words.h"

// "Shop$Session objects pile up in Shop.sessions (a HashMap with 5,600 entries): +5,250 objects and
// +1.8 MiB since the recording began, +311 KiB/s."; of one step "Carts.sessions (a HashMap with
// 5,600 entries) keeps 57.7 % of the heap, 31 MiB: 5,600 Carts$Session."
void mc_owner_append_sentence(const mc_finding *finding, mc_text *out);
// What piles up, by its whole name, how much of it there is, and what lies in it.
void mc_owner_append_content(const mc_finding *finding, mc_text *out);
// From the root down, field by field, with how many objects are there and what they retain.
void mc_owner_append_path(const mc_finding *finding, mc_text *out);
// The root, in full: "static com.acme.Shop.sessions", "4 threads (worker-#, for instance
// worker-1)".
void mc_owner_append_root(const mc_finding *finding, mc_text *out);
// One of several who keep it alive: "static A.sessions".
void mc_owner_append_sharer(const mc_trace *trace, const mc_sharer *sharer, mc_text *out);
// All of them, as a sentence has them: "both A.sessions and B.all", "5 owners at once (A.sessions,
// B.all, C.open and 2 more)"; and as evidence: "2 owners at once: static A.sessions (a HashMap,
// 12,000 references), static B.all (an ArrayList, 12,000 references)".
void mc_owner_append_sharers(const mc_trace *trace, const mc_sharers *sharers, mc_text *out);
void mc_owner_append_sharers_whole(const mc_trace *trace, const mc_sharers *sharers, mc_text *out);
// "the JVM itself keeps 1.2 MiB"; nothing where that is not known.
void mc_owner_append_jvm(const mc_trace *trace, const mc_causes *causes, mc_text *out);
