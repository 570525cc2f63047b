// sliding_window.h - methods in a frame of time: how busy each was in the last L milliseconds
// before a step.
//
// A trace has methods if it has their times as a flow ("time") and says which groups are methods.
// Regrouped with a frame (mc_regrouping.frame_ms), its metrics become, of the steps in (t - L, t]:
// - elevation: time / L of the thread that was in it the longest, 0 to 1; of a group, of the
//   thread that was the longest in all of it;
// - threads: in how many it was seen;
// - steady: the least elevation in the last ten frames, one behind another, as far as the recording
//   goes back: 100 % is what does not end;
// - what the base has, summed up: time, calls, samples.
// A step stands for what was since the one before; of one that begins before the frame, a part. The
// time before the first step is not known, and taken to be as long as its busiest thread ran. No
// thread runs for longer than a step lasts: where counts say so, the step is as long as they say.
// A frame of MC_FRAME_WHOLE_MS begins where the recording does, however long that was before the
// step, and elevations are shares of all that: of two runs that are compared.
// Source: Ogami et al., "Using High-Rising Cities to Visualize Performance in Real-Time", 2017.
#pragma once
#include "engine/trace/regroup/regroup.h"

#define MC_SLIDING_WINDOW_LEAST_MS 100.0
#define MC_SLIDING_WINDOW_MOST_MS 60000.0
#define MC_SLIDING_WINDOW_USUAL_MS 1000.0
#define MC_FRAME_WHOLE_MS \
    1e12 // the whole recording up to a step, as all above MC_SLIDING_WINDOW_MOST_MS
#define MC_SLIDING_WINDOW_STEADY_COUNT 10

extern const char mc_classifier_method[], mc_classifier_thread[]; // names
extern const char mc_metric_elevation[], mc_metric_threads[], mc_metric_steady[],
    mc_metric_time[]; // keys

// Whether it can be regrouped with a frame.
bool mc_trace_has_methods(const mc_trace *trace);
// By all that methods are grouped by, but for threads.
mc_regrouping mc_regrouping_of_methods(const mc_trace *trace, double frame_ms);
// The frame that a regrouped trace shows; 0: none.
double mc_trace_get_frame_ms(const mc_trace *trace);
// Of nodes of such a trace the names of the threads that were in them the longest in the frame of a
// step, as strings of its base; MC_NONE: none was, or its name is not known, as
// of a pair of such traces.
mc_result mc_trace_read_longest_threads(const mc_trace *trace, uint32_t step_index,
                                        const uint32_t *nodes, uint32_t count, uint32_t *names,
                                        mc_error *error);
