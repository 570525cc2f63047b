// cause_facts.h - measures causes: how much they grew, since when, how fast, and what else began
// then.
//
// A part of causes.h.
#pragma once
#include "engine/analyze/causes.h"

// Growth, rates, change points, retained bytes and the heap's own rate. O(nodes) a few times, and
// the values of all suspects of the causes at each step of the window.
mc_result mc_cause_facts_measure(const mc_trace *trace, mc_causes *causes, mc_error *error);

// What else began when each cause did. O(nodes + references) a cause.
mc_result mc_cause_facts_find_begun(const mc_trace *trace, mc_causes *causes, mc_error *error);
