// ordered_queue.h - runs jobs in a few threads, and hands them back in the order in which they were
// submitted.
//
// Jobs are numbers, below one more than there are threads: one for each thread, and one that the
// caller works on. What a job is, the caller keeps in an array. Threads: all functions are for the
// one thread that created the queue.
#pragma once
#include "engine/base/base.h"

#define MC_ORDERED_QUEUE_THREADS_MOST 16

typedef struct mc_ordered_queue mc_ordered_queue;

// run(user, job, thread) reads and writes what the job's number stands for; threads are numbered
// from 0. With 0 threads, or if none can be started, jobs are run when they are waited for, as of
// thread 0.
mc_result mc_ordered_queue_create(uint32_t thread_count,
                                  void (*run)(void *user, uint32_t job, uint32_t thread),
                                  void *user, mc_ordered_queue **queue, mc_error *error);
// Ends the threads first; jobs that were not begun are left so.
void mc_ordered_queue_destroy(mc_ordered_queue *queue); // NULL is fine

uint32_t mc_ordered_queue_get_thread_count(const mc_ordered_queue *queue); // that run; may be 0
uint32_t mc_ordered_queue_get_job_count(const mc_ordered_queue *queue);    // at most

// The number of a job to be filled in and submitted; MC_NONE if all are in use.
uint32_t mc_ordered_queue_get_free(const mc_ordered_queue *queue);
void mc_ordered_queue_submit(mc_ordered_queue *queue);
// Jobs submitted and not yet released.
uint32_t mc_ordered_queue_get_count(const mc_ordered_queue *queue);
// The job that was submitted first of those not yet released, once it is done; MC_NONE if that
// takes longer than `timeout_ms`. The queue is not empty.
uint32_t mc_ordered_queue_wait(mc_ordered_queue *queue, uint32_t timeout_ms);
// That job is free again. Returns its number.
uint32_t mc_ordered_queue_release(mc_ordered_queue *queue);
