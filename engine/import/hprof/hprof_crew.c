#include "engine/import/hprof/hprof_crew.h"

#include "engine/base/clock.h"
#include <pthread.h>

#define REPORT_INTERVAL_NS 50000000

typedef struct crew_run {
    mc_hprof_crew *crew;
    mc_hprof_task run;
    void *user;
    size_t task_count;
    atomic_size_t next_task;
    _Atomic int result;
    _Atomic uint32_t next_worker;
    pthread_mutex_t mutex;
    pthread_cond_t has_ended;
    uint32_t working; // guarded by the mutex
} crew_run;

static void run_task(crew_run *self, uint32_t worker, size_t task) {
    mc_result result = self->run(self->user, worker, task);
    if (result == MC_OK) return;
    int expected = MC_OK;
    atomic_compare_exchange_strong(&self->result, &expected, (int)result);
    atomic_store(&self->crew->should_stop, true);
}

static void *run_worker(void *user) {
    crew_run *self = user;
    uint32_t worker = atomic_fetch_add(&self->next_worker, 1);
    size_t task;
    while (!atomic_load_explicit(&self->crew->should_stop, memory_order_relaxed) &&
           (task = atomic_fetch_add(&self->next_task, 1)) < self->task_count)
        run_task(self, worker, task);
    pthread_mutex_lock(&self->mutex);
    self->working--;
    pthread_cond_signal(&self->has_ended);
    pthread_mutex_unlock(&self->mutex);
    return NULL;
}

static void report(crew_run *self) {
    mc_hprof_crew *crew = self->crew;
    uint64_t done = atomic_load_explicit(&crew->done, memory_order_relaxed);
    if (mc_progress_report(crew->progress, done < crew->total ? done : crew->total, crew->total))
        return;
    int expected = MC_OK;
    atomic_compare_exchange_strong(&self->result, &expected, MC_ERROR_CANCELLED);
    atomic_store(&crew->should_stop, true);
}

static void run_alone(crew_run *self) {
    for (size_t task = 0; task < self->task_count; task++) {
        report(self);
        if (atomic_load(&self->crew->should_stop)) return;
        run_task(self, 0, task);
    }
}

// Shows the progress until all have ended.
static void watch(crew_run *self) {
    pthread_mutex_lock(&self->mutex);
    while (self->working > 0) {
        struct timespec deadline = mc_clock_get_deadline(CLOCK_REALTIME, REPORT_INTERVAL_NS);
        pthread_cond_timedwait(&self->has_ended, &self->mutex, &deadline);
        pthread_mutex_unlock(&self->mutex);
        report(self);
        pthread_mutex_lock(&self->mutex);
    }
    pthread_mutex_unlock(&self->mutex);
}

static void run_together(crew_run *self) {
    pthread_t threads[MC_HPROF_THREADS_MAX];
    uint32_t wanted = self->crew->worker_count, count = 0;
    pthread_mutex_lock(&self->mutex); // so that none ends before it is counted
    while (count < wanted && count < self->task_count &&
           pthread_create(&threads[count], NULL, run_worker, self) == 0)
        count++;
    self->working = count;
    pthread_mutex_unlock(&self->mutex);
    if (count == 0) run_alone(self);
    watch(self);
    for (uint32_t i = 0; i < count; i++)
        pthread_join(threads[i], NULL);
}

mc_result mc_hprof_crew_run(mc_hprof_crew *crew, size_t task_count, mc_hprof_task run, void *user,
                            mc_error *error) {
    crew_run self = {.crew = crew, .run = run, .user = user, .task_count = task_count};
    atomic_store(&crew->should_stop, false);
    if (pthread_mutex_init(&self.mutex, NULL) != 0) return mc_error_out_of_memory(error);
    if (pthread_cond_init(&self.has_ended, NULL) != 0) {
        pthread_mutex_destroy(&self.mutex);
        return mc_error_out_of_memory(error);
    }
    if (crew->worker_count > 1)
        run_together(&self);
    else
        run_alone(&self);
    pthread_cond_destroy(&self.has_ended);
    pthread_mutex_destroy(&self.mutex);
    switch (atomic_load(&self.result)) {
    case MC_OK: return MC_OK;
    case MC_ERROR_CANCELLED: return mc_fail(error, MC_ERROR_CANCELLED, "cancelled");
    case MC_ERROR_IO: return MC_ERROR_IO; // the task's owner says more
    default: return mc_error_out_of_memory(error);
    }
}
