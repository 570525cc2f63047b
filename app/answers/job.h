// job.h - a background worker that runs one task at a time; the newest task wins.
//
// Starting a task cancels the one before and drops its result if nobody has taken it. Threads: call
// all functions from the thread that created the worker; a task's run() is called in the worker's
// own.
#pragma once
#include "engine/base/base.h"

typedef struct mc_job mc_job;

// The worker owns `context` from start() until take(), which hands it back with the result.
typedef struct mc_job_task {
    // Returns MC_ERROR_CANCELLED soon after `progress` has said so.
    mc_result (*run)(void *context, const mc_progress *progress, mc_error *error);
    void (*destroy)(void *context); // for superseded tasks; called in either thread
    void *context;
} mc_job_task;

typedef struct mc_job_outcome {
    void *context;
    mc_result result; // MC_ERROR_CANCELLED if the user, not another task, stopped it
    mc_error error;
} mc_job_outcome;

// `wake` (may be NULL) is called in the worker's thread when a task has ended.
mc_result mc_job_create(void (*wake)(void), mc_job **job, mc_error *error);
// For `wake`: the job has no thread, mc_job_start() runs its task and returns when that has ended.
void mc_job_at_once(void);
// Asks the running task to stop, waits for it and drops everything. NULL is fine.
void mc_job_destroy(mc_job *job);

// `job` may be NULL, if it could not be created: drops the task, and there is never an outcome.
void mc_job_start(mc_job *job, mc_job_task task);
void mc_job_cancel(mc_job *job); // the task still ends with an outcome
// While held no task begins; one that runs goes on. A job without a thread holds nothing.
void mc_job_hold(mc_job *job, bool is_held);

bool mc_job_is_busy(const mc_job *job);       // started and not yet taken
float mc_job_get_progress(const mc_job *job); // 0 to 1; < 0: not known yet
// The outcome of the task that was started last, once it has ended; the caller then owns `context`.
bool mc_job_take(mc_job *job, mc_job_outcome *outcome);
