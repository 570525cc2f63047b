// jfr.h - reads a JFR recording, chunk by chunk: what was allocated where and when, the old objects
// that are alive, the heap after collections, native memory, pauses. Native allocations, of which
// every one counts, are read once more (jfr_mallocs.h).
//
// Allocations are samples (jdk.ObjectAllocationSample, or, where there are none, those in and
// outside of TLABs), counted by kind (jfr_names.h) and moment; moments are spread evenly over the
// time that the chunks cover. Untrusted input: errors are MC_ERROR_BAD_DATA with the offset.
// Memory: the constants of a chunk at a time, and a count for each kind and moment; never the
// events. Threads: one object serves one thread at a time.
#pragma once
#include "engine/import/format/profile_options.h"
#include "engine/import/jfr/jfr_mallocs.h"
#include "engine/import/jfr/jfr_old_objects.h"
#include "engine/trace/metrics.h"

// What was allocated at a moment by a kind.
typedef struct mc_jfr_cell {
    uint32_t moment, kind;
    uint64_t sampled_bytes; // by the weights of samples
    uint64_t tlab_bytes;    // by TLABs, of JVMs and profilers that have no weights
} mc_jfr_cell;

typedef struct mc_jfr_series {
    uint64_t value; // MC_COUNT_UNKNOWN: not said
    int64_t time_ns;
} mc_jfr_series;

typedef struct mc_jfr_moment {
    int64_t time_ms; // its end, since 1970
    mc_jfr_series heap_used, resident,
        native; // the last ones; the heap: the least after a collection
    uint64_t pause_ns, longest_ns;
    uint32_t pause_count;
    uint32_t cause; // text: of the longest pause
} mc_jfr_moment;

// Zero-initialise; read; deinit.
typedef struct mc_jfr {
    mc_jfr_chunk chunk;
    mc_jfr_names names;
    mc_jfr_old_objects old_objects;
    mc_jfr_mallocs *mallocs; // NULL: there are none
    mc_jfr_moment *moments;
    uint32_t moment_count;
    int64_t start_ns, end_ns;
    mc_jfr_cell *cells;
    size_t cell_count, cell_capacity;
    mc_slots cell_slots;
    uint64_t sample_count, tlab_count;  // allocations
    uint64_t sampled_bytes, tlab_bytes; // all together, at most 2^63 - 1
    uint64_t event_count;               // that tell of memory
    uint64_t lost_bytes;                // that the JVM had no room for
    uint64_t heap_limit;                // what the heap may become, in bytes; 0: not said
    uint64_t rate_limit;                // of events of native memory a second; 0: none
    const char *missing;                // literal: what it lacks as it was cut off; NULL: nothing
} mc_jfr;

// `progress`: in bytes of the file; may be NULL.
mc_result mc_jfr_read(mc_jfr *jfr, const unsigned char *data, uint64_t size,
                      const mc_profile_options *options, const mc_progress *progress,
                      mc_error *error);
void mc_jfr_deinit(mc_jfr *jfr);
