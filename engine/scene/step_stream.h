// step_stream.h - the counts of a city's steps, read ahead of playback by a thread of their own.
//
// Whoever asks for one step after another finds the next ones there already: the stream goes on in
// the direction, and by the stride, of the last change, and starts over at the window's ends.
// Memory: MC_STEP_STREAM_COLUMNS columns over buildings and as many over nodes. Threads: all
// functions from one thread; trace and city must outlive the stream and are only read.
#pragma once
#include "engine/city/city.h"

#define MC_STEP_STREAM_AHEAD 2
// The two that were got last, those ahead, and one that is being read.
#define MC_STEP_STREAM_COLUMNS (2 + MC_STEP_STREAM_AHEAD + 1)

typedef struct mc_step_stream mc_step_stream;

// A step's counts in the city's metric.
typedef struct mc_step_counts {
    const uint64_t *counts; // by building; the stream's
    const uint64_t *values; // by node of the trace, as mc_trace_read_column(); the stream's
    uint64_t leaf_total;    // the sum of all leaves, also of those without a building, as a count
} mc_step_counts;

mc_result mc_step_stream_create(const mc_trace *trace, const mc_city *city, mc_step_stream **stream,
                                mc_error *error);
// Waits until a step that is being read has been. NULL is fine.
void mc_step_stream_destroy(mc_step_stream *stream);

// Waits if the step is not there yet. The counts are valid until two other steps have been got. On
// failure (as mc_trace_read_column()) `counts` is left as it was, and so is what was got before.
mc_result mc_step_stream_get(mc_step_stream *stream, uint32_t step, mc_step_counts *counts,
                             mc_error *error);
