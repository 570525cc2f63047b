// job.h - one background thread that does one thing at a time; the newest request wins.
//
// Starting a task asks the one before to stop and takes its place; a result that nobody has taken
// yet is dropped with it. Threads: all functions from the thread that created the runner; a task's
// run() is called in the runner's own.
#pragma once
#include "engine/base/base.h"

typedef struct mc_job mc_job;

// `context` belongs to the runner from start() until take(), which hands it back with the result.
typedef struct mc_job_task {
    // Returns MC_ERROR_CANCELLED soon after `progress` has said so.
    mc_result (*run)(void *context, const mc_progress *progress, mc_error *error);
    void (*destroy)(void *context); // for tasks that are superseded; in either thread
    void *context;
} mc_job_task;

typedef struct mc_job_outcome {
    void *context;
    mc_result result; // MC_ERROR_CANCELLED if the user, not another task, stopped it
    mc_error error;
} mc_job_outcome;

// `wake` (may be NULL) is called in the runner's thread when a task has ended.
mc_result mc_job_create(void (*wake)(void), mc_job **job, mc_error *error);
// Asks the running task to stop, waits for it and drops everything. NULL is fine.
void mc_job_destroy(mc_job *job);

// A runner that could not be made, NULL, drops its tasks and never has an outcome.
void mc_job_start(mc_job *job, mc_job_task task);
void mc_job_cancel(mc_job *job); // the task still ends with an outcome

bool mc_job_is_busy(const mc_job *job);       // started and not yet taken
float mc_job_get_progress(const mc_job *job); // 0 to 1; < 0: not known yet
// The outcome of the task that was started last, once it has ended; the caller then owns `context`.
bool mc_job_take(mc_job *job, mc_job_outcome *outcome);
