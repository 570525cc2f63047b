// live_steps.h - of a trace some of whose steps count garbage: those right behind a collection of
// the whole heap, as a trace of their own.
//
// It reads the other trace, which must outlive it and whose nodes, strings and metrics it has.
// Threads: as for any trace.
#pragma once
#include "engine/trace/trace.h"

// Whether some of these steps count garbage, or may do so while others don't.
bool mc_trace_counts_garbage(const mc_trace *trace, uint32_t first_step, uint32_t last_step);

typedef struct mc_live_steps {
    mc_trace *trace; // NULL: there are no such steps
    uint32_t *steps; // by its steps: those of the other trace
    uint32_t count;
} mc_live_steps;

// Zeroed on failure. O(steps).
mc_result mc_live_steps_create(const mc_trace *trace, uint32_t first_step, uint32_t last_step,
                               mc_live_steps *live, mc_error *error);
void mc_live_steps_deinit(mc_live_steps *live);
