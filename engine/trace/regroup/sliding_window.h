// sliding_window.h - methods in a time frame: how busy each was in the last L milliseconds before a
// step.
//
// A trace has methods if it has their times as a flow ("time") and declares which groups are
// methods. Regrouped with a frame (mc_regrouping.frame_ms), its metrics are computed over the steps
// in (t - L, t]:
// - elevation: time / L of the thread that spent the most time in the method, 0 to 1; for a group,
//   of the thread that spent the most time in all of it;
// - threads: how many threads ran it;
// - steady: the least elevation over the last ten consecutive frames, as far back as the recording
//   goes; 100 % means a method that never ends;
// - the base's flows, summed up: time, calls, samples.
// A step covers the time since the step before; if it begins before the frame, it counts in part.
// How long the first step lasted is not known; it is taken to be as long as its busiest thread ran.
// No thread runs for longer than a step lasts: where the counts exceed that, the step is taken to
// be as long as they say. A frame of MC_FRAME_WHOLE_MS begins with the recording, however long
// before the step that was, and elevations are shares of all that time; used to compare two runs.
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
// The default grouping of a trace of methods: by all its classifiers except threads.
mc_regrouping mc_regrouping_of_methods(const mc_trace *trace, double frame_ms);
// The frame that a regrouped trace shows; 0: none.
double mc_trace_get_frame_ms(const mc_trace *trace);
// Reads the names of the threads that spent the most time in each of these nodes, in the frame of a
// step, as strings of the trace's base. MC_NONE: no thread ran there, or its name is not known, as
// for a pair of such traces.
mc_result mc_trace_read_longest_threads(const mc_trace *trace, uint32_t step_index,
                                        const uint32_t *nodes, uint32_t count, uint32_t *names,
                                        mc_error *error);
