// frame_steps.h - the steps of a trace that shows methods in a frame; for the trace module's own
// files only.
//
// Threads: any; what was read of the base is kept, under a mutex.
#pragma once
#include "engine/trace/trace_columns.h"

typedef struct mc_frame mc_frame;

// Of a regrouped trace whose store knows its members; gives it its metrics. The frame belongs to
// the store, also on failure.
mc_result mc_frame_create(mc_trace *trace, double frame_ms, mc_frame **frame, mc_error *error);
void mc_frame_destroy(mc_frame *frame); // NULL is fine
double mc_frame_get_ms(const mc_frame *frame);

// As those of mc_step_source, of metrics beyond objects and bytes.
mc_result mc_frame_read_column(const mc_trace *trace, uint32_t step_index, mc_metric metric,
                               uint64_t *values, mc_error *error);
mc_result mc_frame_read_values(const mc_trace *trace, uint32_t step_index, mc_metric metric,
                               const uint32_t *nodes, uint32_t count, uint64_t *values,
                               mc_error *error);
