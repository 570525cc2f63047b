// old_objects.h - what a recording of samples tells of growth: the heap after collections, and who
// holds the sampled objects that are old.
//
// For traces that know neither all objects nor all bytes, but what was allocated, the
// heap's size after collections, and a few hundred sampled objects that are alive in the end
// (recordings of JFR). What is allocated does not grow, and objects that are alive in the end were
// allocated at some time in any program: neither says that something leaks. So the judgement is
// about the heap after collections alone (growth.h). What collections of the young leave counts
// garbage, too: only if the heap fell again and again, and its troughs keep rising, it grows. The
// A heap that is as large as it may become does not grow either, and is full.
// The root that holds most of the samples is told beside that. Threads: any. O(steps).
#pragma once
#include "engine/analyze/suspects.h"

#define MC_OLD_OBJECTS_LEAST_POINTS 12 // steps with a collection: of fewer nothing is said
#define MC_OLD_OBJECTS_LEAST_COUNT 20  // of fewer samples no share is told
#define MC_OLD_OBJECTS_LEAST_TROUGHS 3
#define MC_OLD_OBJECTS_MOST_HOPS 12

// Zeroed where nothing is known.
typedef struct mc_old_objects {
    mc_heap_verdict verdict; // GROWS, STOPPED, STEADY, or UNKNOWN: too few collections, or none
                             // that shows how much is garbage
    uint32_t point_count;    // steps with a collection
    uint64_t first_bytes, last_bytes, least_bytes, most_bytes; // of the heap after collections
    uint64_t limit_bytes; // what the heap may become; 0: not known
    bool is_full;         // the last collection left the heap so: nearly all of the limit
    bool is_brief;        // a recording of less than a minute: that growth has stopped is not sure
    bool has_slowed;      // it grew, and does no more, or ever more slowly
    bool rests;           // … no more
    int64_t growth;       // of what stays
    double growth_per_s;  // likewise; 0: it does not grow
    uint32_t step;        // of the sampled objects; MC_NONE: there are none
    uint64_t sampled;     // objects
    uint64_t rooted;      // of them whose chains of references are known; others may be garbage
    uint64_t held;        // of them by one root, the one that holds the most
    // From the root down, as far as most of what it holds lies there: paths of the trace.
    uint32_t hops[MC_OLD_OBJECTS_MOST_HOPS], hop_count;
    bool is_clear; // enough with a known root are held by that one: half or more
} mc_old_objects;

// Whether such samples are all that the trace tells of the heap, in that metric.
bool mc_old_objects_speak(const mc_trace *trace, mc_metric metric);
mc_result mc_old_objects_find(const mc_trace *trace, mc_step_range window, mc_old_objects *old,
                              mc_error *error);
