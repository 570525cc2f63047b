#include "engine/base/ordered_queue.h"

#include "engine/base/clock.h"
#include "engine/base/memory.h"
#include <pthread.h>

#define JOBS_MOST (MC_ORDERED_QUEUE_THREADS_MOST + 1)

typedef struct worker {
    mc_ordered_queue *queue;
    uint32_t number;
    pthread_t thread;
} worker;

struct mc_ordered_queue {
    void (*run)(void *user, uint32_t job, uint32_t thread);
    void *user;
    // Jobs are numbered as they are submitted; number n lies at n modulo the count.
    uint32_t job_count;
    bool is_done[JOBS_MOST];
    uint64_t released, taken, submitted; // `released` is the caller's alone
    worker workers[MC_ORDERED_QUEUE_THREADS_MOST];
    uint32_t thread_count;
    pthread_mutex_t mutex; // guards taken, submitted, is_done and should_end
    pthread_cond_t has_work, has_result;
    bool should_end;
};

static void *run_worker(void *user) {
    worker *self = user;
    mc_ordered_queue *queue = self->queue;
    pthread_mutex_lock(&queue->mutex);
    for (;;) {
        while (!queue->should_end && queue->taken == queue->submitted)
            pthread_cond_wait(&queue->has_work, &queue->mutex);
        if (queue->should_end) break;
        uint32_t job = (uint32_t)(queue->taken++ % queue->job_count);
        pthread_mutex_unlock(&queue->mutex);
        queue->run(queue->user, job, self->number);
        pthread_mutex_lock(&queue->mutex);
        queue->is_done[job] = true;
        pthread_cond_signal(&queue->has_result);
    }
    pthread_mutex_unlock(&queue->mutex);
    return NULL;
}

static bool create_condition(pthread_cond_t *condition) {
    pthread_condattr_t attributes;
    if (pthread_condattr_init(&attributes) != 0) return false;
    bool is_created = pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC) == 0 &&
                      pthread_cond_init(condition, &attributes) == 0;
    pthread_condattr_destroy(&attributes);
    return is_created;
}

// What jobs there may be is settled before any thread can look for one.
static void start_threads(mc_ordered_queue *self, uint32_t thread_count) {
    if (thread_count > MC_ORDERED_QUEUE_THREADS_MOST) thread_count = MC_ORDERED_QUEUE_THREADS_MOST;
    pthread_mutex_lock(&self->mutex);
    while (self->thread_count < thread_count) {
        worker *next = &self->workers[self->thread_count];
        *next = (worker){.queue = self, .number = self->thread_count};
        if (pthread_create(&next->thread, NULL, run_worker, next) != 0) break;
        self->thread_count++;
    }
    self->job_count = self->thread_count + 1;
    pthread_mutex_unlock(&self->mutex);
}

mc_result mc_ordered_queue_create(uint32_t thread_count,
                                  void (*run)(void *user, uint32_t job, uint32_t thread),
                                  void *user, mc_ordered_queue **queue, mc_error *error) {
    mc_ordered_queue *self = *queue = mc_alloc_zero(1, sizeof *self);
    if (!self) return mc_error_out_of_memory(error);
    self->run = run;
    self->user = user;
    if (pthread_mutex_init(&self->mutex, NULL) != 0) goto fail_mutex;
    if (!create_condition(&self->has_work)) goto fail_has_work;
    if (!create_condition(&self->has_result)) goto fail_has_result;
    start_threads(self, thread_count);
    return MC_OK;

fail_has_result:
    pthread_cond_destroy(&self->has_work);
fail_has_work:
    pthread_mutex_destroy(&self->mutex);
fail_mutex:
    mc_free(self);
    *queue = NULL;
    return mc_error_out_of_memory(error);
}

void mc_ordered_queue_destroy(mc_ordered_queue *queue) {
    if (!queue) return;
    pthread_mutex_lock(&queue->mutex);
    queue->should_end = true;
    pthread_cond_broadcast(&queue->has_work);
    pthread_mutex_unlock(&queue->mutex);
    for (uint32_t i = 0; i < queue->thread_count; i++)
        pthread_join(queue->workers[i].thread, NULL);
    pthread_cond_destroy(&queue->has_result);
    pthread_cond_destroy(&queue->has_work);
    pthread_mutex_destroy(&queue->mutex);
    mc_free(queue);
}

uint32_t mc_ordered_queue_get_thread_count(const mc_ordered_queue *queue) {
    return queue->thread_count;
}

uint32_t mc_ordered_queue_get_job_count(const mc_ordered_queue *queue) {
    return queue->job_count;
}

uint32_t mc_ordered_queue_get_count(const mc_ordered_queue *queue) {
    return (uint32_t)(queue->submitted - queue->released); // only the calling thread writes them
}

uint32_t mc_ordered_queue_get_free(const mc_ordered_queue *queue) {
    if (mc_ordered_queue_get_count(queue) == queue->job_count) return MC_NONE;
    return (uint32_t)(queue->submitted % queue->job_count);
}

void mc_ordered_queue_submit(mc_ordered_queue *queue) {
    pthread_mutex_lock(&queue->mutex);
    queue->is_done[queue->submitted % queue->job_count] = false;
    queue->submitted++;
    pthread_cond_signal(&queue->has_work);
    pthread_mutex_unlock(&queue->mutex);
}

uint32_t mc_ordered_queue_wait(mc_ordered_queue *queue, uint32_t timeout_ms) {
    uint32_t job = (uint32_t)(queue->released % queue->job_count);
    if (queue->thread_count == 0) {
        if (!queue->is_done[job]) queue->run(queue->user, job, 0);
        queue->is_done[job] = true;
        return job;
    }
    struct timespec deadline =
        mc_clock_get_deadline(CLOCK_MONOTONIC, (uint64_t)timeout_ms * 1000000);
    pthread_mutex_lock(&queue->mutex);
    while (!queue->is_done[job] &&
           pthread_cond_timedwait(&queue->has_result, &queue->mutex, &deadline) == 0)
        continue;
    bool is_done = queue->is_done[job];
    pthread_mutex_unlock(&queue->mutex);
    return is_done ? job : MC_NONE;
}

uint32_t mc_ordered_queue_release(mc_ordered_queue *queue) {
    return (uint32_t)(queue->released++ % queue->job_count);
}
