#include "app/answers/job.h"

#include "engine/base/memory.h"
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

struct mc_job {
    pthread_t thread;
    bool has_thread, has_mutex, has_condition;
    pthread_mutex_t mutex;
    pthread_cond_t condition; // something is pending, or it is time to quit
    void (*wake)(void);

    // Guarded by the mutex.
    mc_job_task pending; // context NULL: none
    bool is_running, is_done, is_held, quit;
    bool is_superseded; // nobody wants the running task's result
    mc_job_outcome outcome;
    void (*destroy_outcome)(void *context);

    atomic_bool cancel;
    atomic_uint_fast32_t progress; // in millionths; UINT32_MAX: not known
};

static bool report(void *user, uint64_t done, uint64_t total) {
    mc_job *job = user;
    double share = total > 0 ? (double)done / (double)total : 0;
    uint_fast32_t millionths = share < 1 ? (uint_fast32_t)(share * 1e6) : 1000000;
    atomic_store_explicit(&job->progress, millionths, memory_order_relaxed);
    return !atomic_load_explicit(&job->cancel, memory_order_relaxed);
}

void mc_job_at_once(void) {}

static mc_job_outcome run(mc_job *job, const mc_job_task *task) {
    mc_progress progress = {.report = report, .user = job};
    mc_job_outcome outcome = {.context = task->context};
    outcome.result = task->run(task->context, &progress, &outcome.error);
    return outcome;
}

static void *run_tasks(void *user) {
    mc_job *job = user;
    pthread_mutex_lock(&job->mutex);
    for (;;) {
        while ((!job->pending.context || job->is_held) && !job->quit) {
            pthread_cond_wait(&job->condition, &job->mutex);
        }
        if (job->quit) break;
        mc_job_task task = job->pending;
        job->pending = (mc_job_task){0};
        job->is_running = true;
        job->is_superseded = false;
        atomic_store(&job->cancel, false);
        atomic_store(&job->progress, UINT32_MAX);
        pthread_mutex_unlock(&job->mutex);

        mc_job_outcome outcome = run(job, &task);

        pthread_mutex_lock(&job->mutex);
        job->is_running = false;
        bool wanted = !job->is_superseded && !job->quit;
        if (wanted) {
            job->outcome = outcome;
            job->destroy_outcome = task.destroy;
            job->is_done = true;
        }
        pthread_mutex_unlock(&job->mutex);
        if (!wanted) {
            task.destroy(task.context);
        } else if (job->wake) {
            job->wake();
        }
        pthread_mutex_lock(&job->mutex);
    }
    pthread_mutex_unlock(&job->mutex);
    return NULL;
}

mc_result mc_job_create(void (*wake)(void), mc_job **out, mc_error *error) {
    *out = NULL;
    mc_job *job = mc_alloc_zero(1, sizeof *job);
    if (!job) return mc_error_out_of_memory(error);
    job->wake = wake;
    atomic_init(&job->cancel, false);
    atomic_init(&job->progress, UINT32_MAX);
    job->has_mutex = pthread_mutex_init(&job->mutex, NULL) == 0;
    job->has_condition = pthread_cond_init(&job->condition, NULL) == 0;
    if (job->has_mutex && job->has_condition && wake != mc_job_at_once) {
        job->has_thread = pthread_create(&job->thread, NULL, run_tasks, job) == 0;
    }
    if (!job->has_mutex || !job->has_condition || (!job->has_thread && wake != mc_job_at_once)) {
        mc_job_destroy(job);
        return mc_fail(error, MC_ERROR_UNSUPPORTED, "can't start a background thread");
    }
    *out = job;
    return MC_OK;
}

static void drop_outcome(mc_job *job) {
    if (!job->is_done) return;
    job->is_done = false;
    job->destroy_outcome(job->outcome.context);
}

void mc_job_destroy(mc_job *job) {
    if (!job) return;
    if (job->has_thread) {
        pthread_mutex_lock(&job->mutex);
        job->quit = true;
        atomic_store(&job->cancel, true);
        pthread_cond_signal(&job->condition);
        pthread_mutex_unlock(&job->mutex);
        pthread_join(job->thread, NULL);
    }
    if (job->pending.context) job->pending.destroy(job->pending.context);
    drop_outcome(job);
    if (job->has_condition) pthread_cond_destroy(&job->condition);
    if (job->has_mutex) pthread_mutex_destroy(&job->mutex);
    mc_free(job);
}

void mc_job_start(mc_job *job, mc_job_task task) {
    if (!job) {
        task.destroy(task.context);
        return;
    }
    if (job->wake == mc_job_at_once) {
        drop_outcome(job);
        job->outcome = run(job, &task);
        job->destroy_outcome = task.destroy;
        job->is_done = true;
        return;
    }
    pthread_mutex_lock(&job->mutex);
    if (job->pending.context) job->pending.destroy(job->pending.context);
    drop_outcome(job);
    if (job->is_running) {
        job->is_superseded = true;
        atomic_store(&job->cancel, true);
    }
    job->pending = task;
    atomic_store(&job->progress, UINT32_MAX);
    pthread_cond_signal(&job->condition);
    pthread_mutex_unlock(&job->mutex);
}

void mc_job_cancel(mc_job *job) {
    if (!job) return;
    pthread_mutex_lock(&job->mutex);
    if (job->pending.context) {
        // It has not begun: it ends here and now.
        job->outcome =
            (mc_job_outcome){.context = job->pending.context, .result = MC_ERROR_CANCELLED};
        mc_fail(&job->outcome.error, MC_ERROR_CANCELLED, "cancelled");
        job->destroy_outcome = job->pending.destroy;
        job->is_done = true;
        job->pending = (mc_job_task){0};
    } else if (job->is_running) {
        atomic_store(&job->cancel, true);
    }
    pthread_mutex_unlock(&job->mutex);
}

void mc_job_hold(mc_job *job, bool is_held) {
    if (!job) return;
    pthread_mutex_lock(&job->mutex);
    job->is_held = is_held;
    pthread_cond_signal(&job->condition);
    pthread_mutex_unlock(&job->mutex);
}

bool mc_job_is_busy(const mc_job *job) {
    mc_job *shared = (mc_job *)job; // the mutex is not part of what const promises
    pthread_mutex_lock(&shared->mutex);
    bool busy = job->pending.context || (job->is_running && !job->is_superseded) || job->is_done;
    pthread_mutex_unlock(&shared->mutex);
    return busy;
}

float mc_job_get_progress(const mc_job *job) {
    uint_fast32_t millionths =
        atomic_load_explicit(&((mc_job *)job)->progress, memory_order_relaxed);
    return millionths == UINT32_MAX ? -1 : (float)millionths * 1e-6f;
}

bool mc_job_take(mc_job *job, mc_job_outcome *outcome) {
    if (!job) return false;
    pthread_mutex_lock(&job->mutex);
    bool done = job->is_done;
    if (done) *outcome = job->outcome;
    job->is_done = false;
    pthread_mutex_unlock(&job->mutex);
    return done;
}
