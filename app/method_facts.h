// method_facts.h - the top methods of a step, with facts on each.
//
// For a trace that shows methods in a frame of time (engine/trace/regroup/sliding_window.h).
// Threads: any.
#pragma once
#include "engine/trace/trace.h"

#define MC_METHOD_THREAD_SIZE 80
#define MC_METHOD_STEADY_LEAST 0.9 // from here on a method counts as steady

typedef struct mc_method_facts {
    uint32_t node;
    uint64_t value;                     // of the metric that was asked for
    uint64_t threads, calls;            // calls MC_COUNT_UNKNOWN: they were not counted
    double steady;                      // 0 to 1
    char thread[MC_METHOD_THREAD_SIZE]; // that spent the longest time in it; "": not known
} mc_method_facts;

// Up to `most` leaves below `root`, the highest first (mc_top_n_find()).
mc_result mc_method_facts_find(const mc_trace *trace, uint32_t step_index, mc_metric metric,
                               uint32_t root, mc_method_facts *found, uint32_t most,
                               uint32_t *count, mc_error *error);
// "steady · 16 threads, longest world 3 · 1,234 calls"
void mc_method_facts_append(const mc_method_facts *method, mc_text *text);
