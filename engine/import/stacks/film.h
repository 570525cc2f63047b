// film.h - follows every allocation of a recording, and keeps what was alive at some moments, the
// peak among them.
//
// Allocations are of kinds, which the reader numbers from 0 on. Moments are spread evenly over the
// recording, however long it turns out to be: while it is read, a snapshot is kept at times that
// become twice as far apart whenever there are too many, as what has changed since the one before.
// The peak is the first time at which the most bytes were alive; what a kind had then is noted when
// it changes for the first time since. Memory: the kinds, and what changed between moments; never
// the events. O(1) an event, amortised. Threads: one object serves one thread at a time.
#pragma once
#include "engine/base/base.h"

typedef struct mc_film_counts {
    uint64_t objects, bytes;             // alive
    uint64_t alloc_objects, alloc_bytes; // allocated so far
    uint64_t temporary;                  // of those freed before anything else was allocated
} mc_film_counts;

typedef struct mc_film_kind {
    mc_film_counts now;
    uint32_t changed; // the snapshot before which it changed last
    uint32_t noted;   // the peak of which its counts are noted
} mc_film_kind;

typedef struct mc_film_change {
    uint32_t kind;
    mc_film_counts counts; // from then on
} mc_film_change;

// What has changed since the snapshot before, packed: of each kind its number and by how much.
typedef struct mc_film_snapshot {
    int64_t time_ms;
    uint64_t resident_bytes; // MC_FILM_UNKNOWN: not said
    uint64_t most_bytes;     // alive at a time since the snapshot before
    uint64_t bytes;          // alive
    uint32_t peak_number;    // whose counts these are, if `bytes` are its; 0: of none
    uint8_t *changes;
    size_t size;
} mc_film_snapshot;

#define MC_FILM_UNKNOWN UINT64_MAX

typedef struct mc_film {
    uint32_t moment_count; // wanted
    mc_film_kind *kinds;
    size_t kind_count, kind_capacity;
    mc_film_counts *shown; // of the kinds, at the last snapshot
    size_t shown_capacity;
    uint8_t *packed; // scratch
    size_t packed_capacity;
    uint32_t *changed_kinds; // since the last snapshot
    size_t changed_count, changed_capacity;
    uint32_t snapshot_number, peak_number; // count from 1
    mc_film_snapshot *snapshots;
    size_t snapshot_count, snapshot_capacity;
    int64_t time_ms, next_ms, interval_ms;
    uint64_t resident_bytes, most_bytes;
    uint64_t bytes, alloc_bytes; // alive and allocated so far, of all kinds
    uint64_t peak_bytes;
    int64_t peak_ms;
    uint64_t peak_resident;
    mc_film_change *at_peak; // what kinds that changed since then had
    size_t at_peak_count, at_peak_capacity;
    uint32_t last_kind; // of the last event, if it was an allocation; MC_NONE
    bool has_failed;    // memory is out
    bool is_too_much;   // more than 2^63 - 1 bytes are allocated in all
    // while steps are made
    mc_film_kind *replayed, *peak_kinds; // the latter if the peak is a step of its own
    bool is_peak_passed;
    size_t next_snapshot;
    int64_t last_ms;
} mc_film;

void mc_film_init(mc_film *film, uint32_t moment_count); // at least 1
void mc_film_deinit(mc_film *film);

// The next kind's number; MC_NONE: out of memory, or too many.
uint32_t mc_film_add_kind(mc_film *film);

// Events of a kind that is there. Once memory is out or sizes are too much, nothing counts any
// more.
void mc_film_allocate(mc_film *film, uint32_t kind, uint64_t size);
void mc_film_free(mc_film *film, uint32_t kind, uint64_t size);
// The same of a sample, which stands for so many objects of so many bytes in all.
void mc_film_allocate_sample(mc_film *film, uint32_t kind, uint64_t objects, uint64_t bytes);
void mc_film_free_sample(mc_film *film, uint32_t kind, uint64_t objects, uint64_t bytes);
// Fetches what an event of a kind will change into the cache.
static inline void mc_film_prefetch(const mc_film *film, uint32_t kind) {
    __builtin_prefetch(&film->kinds[kind], 1);
    __builtin_prefetch((const char *)&film->kinds[kind + 1] - 1, 1);
}
// Times never fall; one that does is ignored.
void mc_film_set_time(mc_film *film, int64_t time_ms);
static inline void mc_film_set_resident(mc_film *film, uint64_t bytes) {
    film->resident_bytes = bytes;
}
// Forgets all that was counted, as the recording begins only now.
void mc_film_restart(mc_film *film);

// ---- afterwards

typedef struct mc_film_step {
    int64_t time_ms; // later than that of the step before
    bool is_peak, is_last;
    uint64_t resident_bytes;   // MC_FILM_UNKNOWN: not said
    uint64_t most_bytes;       // alive at a time from the step before to this one
    const mc_film_kind *kinds; // their counts then
} mc_film_step;

// Ends the recording. Errors: MC_ERROR_OUT_OF_MEMORY, MC_ERROR_BAD_DATA if it is too much.
mc_result mc_film_finish(mc_film *film, mc_error *error);
// The next step, in the order of time; the last one is the end of the recording. False: there is
// none any more. Counts are those of the step until the next call.
bool mc_film_next_step(mc_film *film, mc_film_step *step);
