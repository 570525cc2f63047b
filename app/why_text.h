// why_text.h - causes in words: one sentence first, then the evidence, line by line.
//
// Shared by `memcity why`, the report and the window. Everything is appended to `out`, which says
// if memory ran out; no line breaks but in mc_why_append_text(). Threads: any.
#pragma once
#include "engine/analyze/suspect_reason.h"

typedef struct mc_why {
    const mc_trace *trace;
    const mc_causes *causes;
    uint64_t limit; // of the heap, in bytes; 0: not known
} mc_why;

typedef enum mc_why_fact {
    MC_WHY_WHAT,     // the group, and by how much it grew
    MC_WHY_SINCE,    // since when, and how sure that is
    MC_WHY_RATE,     // how fast
    MC_WHY_UNTIL,    // until when the heap lasts
    MC_WHY_HOLDER,   // who holds it
    MC_WHY_CALLERS,  // of an allocation site, who calls it
    MC_WHY_EXPLAINS, // what else grows for it
    MC_WHY_BEGUN,    // what else began then
    MC_WHY_NEW,      // how many of its objects are new, by ids that are stable
    MC_WHY_FACT_COUNT
} mc_why_fact;

#define MC_WHY_MOST_SHOWN 5u // causes in a list
#define MC_WHY_MOST_HOPS (MC_ROOT_PATH_MOST_HOPS + MC_WALK_MOST_STOPS)

typedef struct mc_why_hop {
    uint32_t node;
    uint32_t field; // string: by which it holds the next one, or the cause; MC_NONE: not known
} mc_why_hop;

// From what a GC root holds down to the stop that was looked for. 0: a root holds it itself, or,
// unless mc_walk_knows_way(), nobody knows.
uint32_t mc_why_get_path(const mc_walk *walk, mc_why_hop hops[MC_WHY_MOST_HOPS]);

// The limit that the trace knows of, which `record` asks the JVM for; 0: none.
uint64_t mc_why_get_limit(const mc_trace *trace, mc_step_range window);

extern const char *const mc_why_fact_names[];       // "What", "Since" …
extern const char *const mc_suspect_reason_names[]; // by mc_suspect_reason_kind, as in JSON

// One cause in one sentence (finding_text.h), with its full stop.
void mc_why_append_sentence(const mc_why *why, const mc_cause *cause, mc_text *out);
// Nothing is appended where nothing is known.
void mc_why_append_fact(const mc_why *why, const mc_cause *cause, mc_why_fact fact, mc_text *out);
// Of one step: who holds what is largest. Nothing is appended where that is not known.
void mc_why_append_single_referrer(const mc_why *why, mc_text *out);
// Of a dump that an OutOfMemoryError left, the last of the window: which thread threw it, and
// where; NULL: none. A printable line.
const char *mc_why_get_thrower(const mc_why *why);
// The root, in full: "static com.acme.Shop.sessions".
void mc_why_append_root(const mc_why *why, const mc_root_path *trail, mc_text *out);
// The one sentence that all that tells of a trace begins with: the first cause's, or that nothing
// keeps growing; of one step what is largest and who holds it.
void mc_why_append_headline(const mc_why *why, mc_text *out);
// How many causes are listed, and "and 12 small ones" for all others; nothing if there are none.
uint32_t mc_why_get_shown_count(const mc_causes *causes);
void mc_why_append_rest(const mc_causes *causes, mc_text *out);
// Of a group that is a cause and also comes with another one: "93.5 % of the growth of byte[] comes
// with Session."; nothing otherwise.
void mc_why_append_shared(const mc_why *why, const mc_suspect_reason *reason, mc_text *out);
// Of one group that was asked for: "byte[] is not a suspect: it stopped growing at step 7."
void mc_why_append_suspect_reason(const mc_why *why, const mc_suspect_reason *standing,
                                  mc_text *out);
// One cause with its evidence, several lines.
void mc_why_append_cause(const mc_why *why, const mc_cause *cause, mc_text *out);
// All of it: the causes that are listed; where nothing keeps growing, what grew and why that is no
// suspect.
void mc_why_append_text(const mc_why *why, mc_text *out);
