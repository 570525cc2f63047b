// jfr_mallocs.h - the native allocations of a JFR recording: profiler.Malloc and profiler.Free, as
// async-profiler records them with its event nativemem.
//
// Its threads share some buffers, which are written when they are full, so events do not come in
// the order of time. Where the recording is read, times are surveyed: how many events there are in
// each of many equal parts of it. Then windows of some million events are read again, sorted by
// time (events of one time as they stand in the file), and told to a film (film.h) of which a
// snapshot is a moment of the recording. So the order is that of the whole file, whatever its
// chunks are. A block ends with its free, or with another block at its address, whose free was
// lost then. Where a malloc is recorded each so many bytes, one stands for as many as it was
// recorded for: that gives sums that are right on average.
// Memory: 40 bytes for each event of a window, of which there are MC_JFR_WINDOW_EVENTS, and 48 to
// 80 a block that is alive; more only if that many events are in a 65,536th of the time. Threads:
// one object serves one thread at a time.
#pragma once
#include "engine/import/jfr/jfr_names.h"
#include "engine/import/stacks/film.h"
#include "engine/import/stacks/live_blocks.h"

#define MC_JFR_MALLOC "profiler.Malloc" // types of events
#define MC_JFR_FREE "profiler.Free"
#define MC_JFR_WINDOW_EVENTS (UINT64_C(1) << 21)

typedef struct mc_jfr_span {
    int64_t start_ns, end_ns; // of the recording, since 1970
    uint32_t moment_count;
} mc_jfr_span;

// A chunk that has such events.
typedef struct mc_jfr_malloc_chunk {
    mc_jfr_header header;
    uint64_t interval; // bytes from a recorded malloc to the next; at most 1: all are recorded
    uint32_t first_part, last_part;
} mc_jfr_malloc_chunk;

typedef struct mc_jfr_block {
    uint64_t bytes;
    uint32_t kind;
    union {
        uint32_t objects;
        uint32_t next_over; // of a block that is over; MC_NONE: the last
    };
} mc_jfr_block;

typedef struct mc_jfr_mallocs {
    mc_jfr_span span;
    uint64_t *parts; // events in each part of the time
    mc_jfr_malloc_chunk *chunks;
    size_t chunk_count, chunk_capacity;
    uint64_t malloc_count, free_count; // without a free, what is alive is not known
    uint64_t interval;                 // the largest one
    uint64_t unknown_count;            // frees of blocks of which there is no malloc
    uint64_t lost_count;               // blocks whose free is missing
    mc_film film; // of kinds of mc_jfr_names.native_kinds: a step a moment, when it was read
    mc_live_blocks live;
    mc_jfr_block *blocks;
    size_t block_capacity;
    uint32_t block_count, over; // the last block that is over; MC_NONE
    // While it is applied.
    uint32_t moment;
    int64_t moment_end_ns;
} mc_jfr_mallocs;

// NULL: out of memory.
mc_jfr_mallocs *mc_jfr_mallocs_create(mc_jfr_span span);
void mc_jfr_mallocs_destroy(mc_jfr_mallocs *mallocs); // NULL is fine

// An event of a chunk; chunks come one after another. False: out of memory.
bool mc_jfr_mallocs_survey(mc_jfr_mallocs *mallocs, const mc_jfr_header *header, int64_t time_ns,
                           bool is_free);
// How often mallocs are recorded in a chunk; before another chunk is surveyed.
void mc_jfr_mallocs_set_interval(mc_jfr_mallocs *mallocs, const mc_jfr_header *header,
                                 uint64_t interval);

typedef struct mc_jfr_mallocs_input {
    const unsigned char *data;
    mc_jfr_chunk *chunk; // which is opened again
    mc_jfr_names *names;
    const mc_progress *progress; // may be NULL
    uint64_t size;               // of the data
} mc_jfr_mallocs_input;

// After all was surveyed, once: makes the film.
mc_result mc_jfr_mallocs_read(mc_jfr_mallocs *mallocs, const mc_jfr_mallocs_input *input,
                              mc_error *error);
