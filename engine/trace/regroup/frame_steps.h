// frame_steps.h - computes the steps of a trace that shows methods in a time frame; for the trace
// module's own files only.
//
// Threads: any; steps read from the base are cached under a mutex (frame_cache.h).
#pragma once
#include "engine/trace/trace_columns.h"

typedef struct mc_frame mc_frame;

// Creates the frame of a regrouped trace whose store knows its members, and sets the trace's
// metrics. The store owns the frame, also on failure. `before`: a trace whose frame has already
// read steps that this one needs, if this trace continues it; NULL: none.
mc_result mc_frame_create(mc_trace *trace, double frame_ms, const mc_trace *before,
                          mc_frame **frame, mc_error *error);
void mc_frame_destroy(mc_frame *frame); // NULL is fine
double mc_frame_get_ms(const mc_frame *frame);

// Like the functions of mc_step_source, for metrics beyond objects and bytes.
mc_result mc_frame_read_column(const mc_trace *trace, uint32_t step_index, mc_metric metric,
                               uint64_t *values, mc_error *error);
mc_result mc_frame_read_values(const mc_trace *trace, uint32_t step_index, mc_metric metric,
                               const uint32_t *nodes, uint32_t count, uint64_t *values,
                               mc_error *error);
