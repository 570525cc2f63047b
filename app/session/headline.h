// headline.h - which cause stands first while a recording goes on.
//
// With each step causes are found anew, and two of nearly the same size would take turns. The one
// that stands first stays until another one leads by a clear margin or for some steps in a row, and
// until then, as while there are few steps, it is early. Of what is finished the first is the
// first. A part of the session, used by its thread.
#pragma once
#include "engine/analyze/causes.h"

#define MC_HEADLINE_STEPS 3       // in a row that another cause leads, or that it is early
#define MC_HEADLINE_MARGIN 1.5    // of the growth of what stands first, at which another one does
#define MC_HEADLINE_CLEAR_STEPS 8 // of the time window: with fewer all is early

// Zero-initialise, deinit.
typedef struct mc_headline {
    uint64_t recording;  // what is below is of this one
    mc_metric metric;    // … of this metric
    uint32_t first_step; // … and of a window from there
    uint32_t step_count; // steps that had been judged
    mc_text key, rival;  // full keys of what stands first, and of what would; empty: nothing
    uint32_t steps, rival_steps; // in a row, for which each has led
    bool is_early, is_kept;      // is_kept: nothing grows by now, but did until just now
} mc_headline;

// The index of the cause that stands first; 0 where there is none. `goes_on`: the recording is not
// finished. `recording`, `step_count`: of the dataset.
uint32_t mc_headline_choose(mc_headline *headline, const mc_trace *trace, const mc_causes *causes,
                            uint64_t recording, bool goes_on);
void mc_headline_deinit(mc_headline *headline);
