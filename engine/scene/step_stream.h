// step_stream.h - prefetches the counts of a trace's steps for playback, in a thread of its own.
//
// A caller that requests one step after another finds the next ones ready: the stream continues in
// the direction, and by the stride, of the last change, and starts over at the window's ends. Of
// the first step alone nothing follows, as a picture needs no other one, unless the caller says so.
// Memory: MC_STEP_STREAM_COLUMNS columns over the drawn nodes and as many over all. Threads: all
// functions from one thread; its inputs must outlive the stream and are only read.
#pragma once
#include "engine/city/city.h"

#define MC_STEP_STREAM_AHEAD 2
// The two that were got last, those ahead, and one that is being read.
#define MC_STEP_STREAM_COLUMNS (2 + MC_STEP_STREAM_AHEAD + 1)

typedef struct mc_step_stream mc_step_stream;

// What is drawn of a trace.
typedef struct mc_step_stream_desc {
    mc_metric metric;
    mc_step_range window;  // over which playback goes
    const uint32_t *nodes; // that are drawn, such as those of buildings
    uint32_t node_count;
    uint32_t half_count; // of two traces side by side: so many are the first one's, in its metric
} mc_step_stream_desc;

static inline mc_step_stream_desc mc_step_stream_of_city(const mc_city *city) {
    return (mc_step_stream_desc){.metric = city->desc.metric,
                                 .window = city->desc.window,
                                 .nodes = city->building_node,
                                 .node_count = city->building_count,
                                 .half_count = city->half_count};
}

// A step's counts in that metric.
typedef struct mc_step_counts {
    const uint64_t *counts; // by node that is drawn; the stream's
    const uint64_t *values; // by node of the trace, as mc_trace_read_column(); the stream's
    uint64_t leaf_total;    // the sum of all leaves, also of those that are not drawn, as a count
} mc_step_counts;

mc_result mc_step_stream_create(const mc_trace *trace, const mc_step_stream_desc *desc,
                                mc_step_stream **stream, mc_error *error);
// Waits until a step that is being read has been. NULL is fine.
void mc_step_stream_destroy(mc_step_stream *stream);

// Returns a step's counts and waits for them if necessary. They are valid until two other steps
// were requested. On failure (as mc_trace_read_column()) `counts` and earlier results are left as
// they were.
mc_result mc_step_stream_get(mc_step_stream *stream, uint32_t step, mc_step_counts *counts,
                             mc_error *error);
// Begins with what probably follows the first step; later calls do nothing.
void mc_step_stream_read_ahead(mc_step_stream *stream);
