// gate_text.h - the findings of `memcity gate`, as text, JSON and JUnit XML.
//
// Everything is appended to `out`, which says if memory ran out. Threads: any.
#pragma once
#include "app/print/print.h"
#include "engine/analyze/gate_parts.h"

typedef struct mc_gate_story {
    const mc_gate_desc *desc;
    const mc_gate *gate;
    const char *name, *base_name; // of the traces; base_name NULL: there is no base
    const mc_trace *pair;         // both as one; NULL: findings are told alone
    const mc_gate_parts *parts;   // of the pair
    const char *sentence;         // why it grows, as `memcity why` says it first; NULL: not asked
    mc_gate_outcome outcome;
    bool is_strict;       // what the base did as well counts
    bool takes_few_steps; // a window of few steps may pass
} mc_gate_story;

// The verdict in a few words: "4 of 252 groups grow faster than allowed", or why there is none:
// "3 steps, at least 5 are needed".
void mc_gate_append_verdict(const mc_gate_story *story, mc_text *out);
// What is wrong with a rule that judges nothing: "no group matches the rule "X"".
void mc_gate_append_unused(const mc_gate_story *story, uint32_t rule, mc_text *out);
void mc_gate_append_text(const mc_gate_story *story, mc_text *out);
void mc_gate_put(mc_print *print, const mc_gate_story *story); // JSON
void mc_gate_append_junit(const mc_gate_story *story, mc_text *out);
