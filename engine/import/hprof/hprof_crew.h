// hprof_crew.h - distributes tasks over a few worker threads, while the caller's thread reports
// progress.
//
// Threads: one crew serves one thread at a time; tasks may add to `done`.
#pragma once
#include "engine/base/base.h"
#include <stdatomic.h>

#define MC_HPROF_THREADS_MAX 16

typedef struct mc_hprof_crew {
    uint32_t worker_count;       // 1 .. MC_HPROF_THREADS_MAX; 1: the calling thread works
    const mc_progress *progress; // may be NULL
    uint64_t total;              // of `done`
    _Atomic uint64_t done;
    atomic_bool should_stop; // a task failed, or the user asked to stop
} mc_hprof_crew;

// One task; a result other than MC_OK ends the run. `worker` < worker_count; tasks with the same
// worker never run at the same time.
typedef mc_result (*mc_hprof_task)(void *user, uint32_t worker, size_t task);

// Runs all tasks, in any order, and returns when none runs any more. MC_ERROR_CANCELLED if the
// progress says so.
mc_result mc_hprof_crew_run(mc_hprof_crew *crew, size_t task_count, mc_hprof_task run, void *user,
                            mc_error *error);
