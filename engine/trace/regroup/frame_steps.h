// frame_steps.h - the steps of a trace that shows methods in a frame; for the trace module's own
// files only.
//
// Threads: any; what was read of the base is kept, under a mutex (frame_cache.h).
#pragma once
#include "engine/trace/trace_columns.h"

typedef struct mc_frame mc_frame;

// Of a regrouped trace whose store knows its members; gives it its metrics. The frame belongs to
// the store, also on failure. `before`: a trace whose frame has read what this one needs, if it
// goes on where that one ends; NULL: there is none.
mc_result mc_frame_create(mc_trace *trace, double frame_ms, const mc_trace *before,
                          mc_frame **frame, mc_error *error);
void mc_frame_destroy(mc_frame *frame); // NULL is fine
double mc_frame_get_ms(const mc_frame *frame);

// As those of mc_step_source, of metrics beyond objects and bytes.
mc_result mc_frame_read_column(const mc_trace *trace, uint32_t step_index, mc_metric metric,
                               uint64_t *values, mc_error *error);
mc_result mc_frame_read_values(const mc_trace *trace, uint32_t step_index, mc_metric metric,
                               const uint32_t *nodes, uint32_t count, uint64_t *values,
                               mc_error *error);
// As mc_trace_read_longest_threads().
mc_result mc_frame_read_longest(const mc_trace *trace, uint32_t step_index, const uint32_t *nodes,
                                uint32_t count, uint32_t *names, mc_error *error);
