// frame_cache.h - cache of the base's steps that time frames are summed from; for the trace
// module's own files only.
//
// Each step is stored sparsely: only the leaves that have a value, which are few among thousands of
// methods. Frames overlap, so most of a frame was already read for the one before. Traces that
// continue with the same nodes share one cache (counted by `holders`), and so do other traces of
// the same base. Threads: the caller holds the cache's mutex; what a function returns is valid
// while it does.
#pragma once
#include "engine/trace/regroup/frame_risen.h"
#include "engine/trace/trace_columns.h"
#include <pthread.h>
#include <stdatomic.h>

// The values of one metric at a step of the base: the leaves that have one, in ascending order.
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
// Copies the steps from `first` on out of `from`, whose mutex is held. `from` belongs to the trace
// that `base` continues; `map` translates its node numbers. What can't be copied is read anew.
void mc_frame_cache_translate(mc_frame_cache *cache, const mc_trace *base,
                              const mc_frame_cache *from, const uint32_t *map, uint32_t first);
mc_frame_cache *mc_frame_cache_hold(mc_frame_cache *cache);
void mc_frame_cache_release(mc_frame_cache *cache); // NULL is fine

// Returns a step's values of a metric, read on first use. Reading another step may move what was
// returned for the same metric before.
mc_result mc_frame_cache_get(mc_frame_cache *cache, const mc_trace *base, uint32_t step_index,
                             mc_metric metric, const mc_sparse_step **step, mc_error *error);
// Sorts leaves of the base by thread, within a thread by number. Needs no comparisons, since frames
// are summed for every step, over all running methods.
void mc_frame_cache_sort(mc_frame_cache *cache, uint32_t *leaves, uint32_t count);
// Evicts steps outside `first` to `last` if the cache has grown too large.
void mc_frame_cache_make_room(mc_frame_cache *cache, uint32_t first, uint32_t last);
