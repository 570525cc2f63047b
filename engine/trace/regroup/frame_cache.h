// frame_cache.h - what was read of the steps that frames are made of; for the trace module's own
// files only.
//
// A step as the leaves that have something, which of thousands of methods are few. Frames overlap,
// so most of a frame was read for the one before. Those of a trace that goes on with the same nodes
// share one (`holders`), and so do others of one base. Threads: its mutex is held by whoever uses
// it; what it gives is valid as long.
#pragma once
#include "engine/trace/regroup/frame_risen.h"
#include "engine/trace/trace_columns.h"
#include <pthread.h>
#include <stdatomic.h>

// What a step of the base has of a metric: the leaves with a value, by number.
typedef struct mc_sparse_step {
    bool is_read;
    uint32_t count;
    uint32_t *leaves;
    double *values;
    double busiest; // of the time: what the thread has that has the most
} mc_sparse_step;

typedef struct mc_sparse_steps {
    mc_sparse_step *items;
    size_t capacity; // those that were not read yet are zero
} mc_sparse_steps;

typedef struct mc_frame_cache {
    atomic_uint holders;
    pthread_mutex_t mutex;
    bool has_mutex;
    mc_metric time;        // of the base
    uint32_t *thread;      // per node of the base; only of leaves
    uint32_t *thread_name; // per thread: a string of the base; MC_NONE: not known
    uint32_t thread_count;
    mc_sparse_steps steps[MC_METRIC_MOST]; // by metric of the base
    size_t kept_size;
    mc_risen_frames risen;
    // The nodes of the base thread by thread, and where each stands among them.
    uint32_t *by_thread, *place;
    // Scratch.
    double *thread_sum; // per thread, 0
    uint32_t *order;    // per node of the base
    uint64_t *words;    // likewise
    uint64_t *places;   // bits, by `place`, 0
} mc_frame_cache;

// `time`: the metric of the base that says how long. O(nodes).
mc_result mc_frame_cache_create(const mc_trace *base, mc_metric time, mc_frame_cache **cache,
                                mc_error *error);
mc_frame_cache *mc_frame_cache_hold(mc_frame_cache *cache);
void mc_frame_cache_release(mc_frame_cache *cache); // NULL is fine

// Another step may move what was given of its metric before.
mc_result mc_frame_cache_get(mc_frame_cache *cache, const mc_trace *base, uint32_t step_index,
                             mc_metric metric, const mc_sparse_step **step, mc_error *error);
// Brings leaves of the base in the order of their threads, those of one thread as they are
// numbered. Takes no comparisons: frames are summed up as often as steps come, of all that runs.
void mc_frame_cache_sort(mc_frame_cache *cache, uint32_t *leaves, uint32_t count);
// Where too much is kept, steps go that are not from `first` to `last`.
void mc_frame_cache_make_room(mc_frame_cache *cache, uint32_t first, uint32_t last);
