#include "engine/import/json/import_queue.h"

#include "engine/base/clock.h"
#include "engine/base/memory.h"
#include "engine/import/format/bad_input.h"
#include "engine/import/json/json_scan.h"
#include <pthread.h>
#include <string.h>

#define THREAD_COUNT_MAX 16

typedef struct worker {
    mc_import_queue *queue;
    mc_json_reader *reader;
    pthread_t thread;
} worker;

struct mc_import_queue {
    mc_import_watch *watch;
    mc_import_job jobs[THREAD_COUNT_MAX + 1]; // a ring
    uint32_t job_count;
    // Jobs are numbered as they are submitted; number n lies at n modulo the count.
    uint64_t released, taken, submitted;  // `released` is the caller's alone
    worker workers[THREAD_COUNT_MAX + 1]; // without threads, the first serves the caller
    uint32_t worker_count, thread_count;
    pthread_mutex_t mutex; // guards taken, submitted, is_done and should_end
    pthread_cond_t has_work, has_result;
    bool should_end;
};

static void read_document(mc_import_job *job, mc_json_reader *reader, mc_import_watch *watch) {
    const unsigned char *data = job->data;
    size_t size = job->size;
    bool is_counted = job->is_counted && !job->is_compressed;
    job->has_time = false;
    if (job->is_compressed) {
        job->result = mc_inflate(data, size, &job->unpacked, watch, &job->error);
        if (job->result != MC_OK) return;
        job->is_compressed = false;
        job->is_unpacked = true;
        data = job->unpacked.data;
        size = job->unpacked.size;
    }
    mc_json_reader_set_watch(reader, watch, is_counted);
    job->result =
        job->file->kind == MC_SOURCE_STEP
            ? mc_json_reader_read_step(reader, data, size, job->offset, &job->tree, &job->error)
            : mc_json_reader_read_references(reader, data, size, job->offset, &job->references,
                                             &job->error);
    if (job->result == MC_ERROR_BAD_DATA && job->file->kind == MC_SOURCE_STEP && size > 0 &&
        job->element_index == MC_BAD_INPUT_NO_ELEMENT && !mc_json_is_object(data, size))
        mc_error_set(&job->error, MC_ERROR_BAD_DATA, job->error.byte_offset,
                     "expected a heap dump (.hprof), a class histogram, steps as JSON or an .mct "
                     "file, found something else");
    job->has_time = mc_json_reader_get_time(reader, &job->time_ms);
    if (is_counted) mc_import_watch_add(watch, size - mc_json_reader_get_read_size(reader));
}

static void run_job(mc_import_job *job, mc_json_reader *reader, mc_import_watch *watch) {
    job->error = (mc_error){.code = MC_OK};
    read_document(job, reader, watch);
    if (job->mapping.data)
        job->result = mc_file_map_finish(&job->mapping, job->file->path, job->result, &job->error);
    mc_file_map_close(&job->mapping);
    job->data = NULL;
}

static void *run_worker(void *user) {
    worker *self = user;
    mc_import_queue *queue = self->queue;
    pthread_mutex_lock(&queue->mutex);
    for (;;) {
        while (!queue->should_end && queue->taken == queue->submitted)
            pthread_cond_wait(&queue->has_work, &queue->mutex);
        if (queue->should_end) break;
        mc_import_job *job = &queue->jobs[queue->taken++ % queue->job_count];
        pthread_mutex_unlock(&queue->mutex);
        run_job(job, self->reader, queue->watch);
        pthread_mutex_lock(&queue->mutex);
        job->is_done = true;
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

mc_result mc_import_queue_create(uint32_t thread_count, mc_import_watch *watch,
                                 mc_import_queue **queue, mc_error *error) {
    mc_import_queue *created = *queue = mc_alloc_zero(1, sizeof *created);
    if (!created) return mc_error_out_of_memory(error);
    created->watch = watch;
    if (pthread_mutex_init(&created->mutex, NULL) != 0) goto fail_mutex;
    if (!create_condition(&created->has_work)) goto fail_has_work;
    if (!create_condition(&created->has_result)) goto fail_has_result;
    if (thread_count > THREAD_COUNT_MAX) thread_count = THREAD_COUNT_MAX;
    do {
        worker *next = &created->workers[created->worker_count];
        next->queue = created;
        next->reader = mc_json_reader_create();
        if (!next->reader) {
            mc_import_queue_destroy(created);
            *queue = NULL;
            return mc_error_out_of_memory(error);
        }
        created->worker_count++;
        if (thread_count == 0 || pthread_create(&next->thread, NULL, run_worker, next) != 0) break;
        created->thread_count++;
    } while (created->thread_count < thread_count);
    created->job_count = created->thread_count + 1;
    return MC_OK;

fail_has_result:
    pthread_cond_destroy(&created->has_work);
fail_has_work:
    pthread_mutex_destroy(&created->mutex);
fail_mutex:
    mc_free(created);
    *queue = NULL;
    return mc_error_out_of_memory(error);
}

void mc_import_queue_destroy(mc_import_queue *queue) {
    if (!queue) return;
    pthread_mutex_lock(&queue->mutex);
    queue->should_end = true;
    pthread_cond_broadcast(&queue->has_work);
    pthread_mutex_unlock(&queue->mutex);
    for (uint32_t i = 0; i < queue->thread_count; i++)
        pthread_join(queue->workers[i].thread, NULL);
    for (uint32_t i = 0; i < queue->worker_count; i++)
        mc_json_reader_destroy(queue->workers[i].reader);
    for (uint32_t i = 0; i < queue->job_count; i++) {
        mc_import_job *job = &queue->jobs[i];
        mc_file_map_close(&job->mapping);
        mc_import_job_trim(job);
    }
    pthread_cond_destroy(&queue->has_result);
    pthread_cond_destroy(&queue->has_work);
    pthread_mutex_destroy(&queue->mutex);
    mc_free(queue);
}

mc_import_job *mc_import_queue_get_free(mc_import_queue *queue) {
    if (mc_import_queue_get_count(queue) == queue->job_count) return NULL;
    return &queue->jobs[queue->submitted % queue->job_count];
}

void mc_import_queue_submit(mc_import_queue *queue) {
    pthread_mutex_lock(&queue->mutex);
    queue->jobs[queue->submitted % queue->job_count].is_done = false;
    queue->submitted++;
    pthread_cond_signal(&queue->has_work);
    pthread_mutex_unlock(&queue->mutex);
}

uint32_t mc_import_queue_get_count(const mc_import_queue *queue) {
    return (uint32_t)(queue->submitted - queue->released); // only the calling thread writes them
}

size_t mc_import_job_measure(const mc_import_job *job) {
    return mc_step_tree_memory_size(&job->tree) +
           job->references.entry_count * sizeof *job->references.entries +
           job->references.text.size + job->unpacked.size;
}

void mc_import_job_trim(mc_import_job *job) {
    mc_step_tree_deinit(&job->tree);
    mc_reference_map_deinit(&job->references);
    mc_inflate_buffer_deinit(&job->unpacked);
}

void mc_import_queue_trim(mc_import_queue *queue) {
    assert(mc_import_queue_get_count(queue) == 0);
    for (uint32_t i = 0; i < queue->job_count; i++)
        mc_import_job_trim(&queue->jobs[i]);
}

mc_import_job *mc_import_queue_wait(mc_import_queue *queue, uint32_t timeout_ms) {
    mc_import_job *job = &queue->jobs[queue->released % queue->job_count];
    if (queue->thread_count == 0) {
        if (!job->is_done) run_job(job, queue->workers[0].reader, queue->watch);
        job->is_done = true;
        return job;
    }
    struct timespec deadline =
        mc_clock_get_deadline(CLOCK_MONOTONIC, (uint64_t)timeout_ms * 1000000);
    pthread_mutex_lock(&queue->mutex);
    while (!job->is_done &&
           pthread_cond_timedwait(&queue->has_result, &queue->mutex, &deadline) == 0)
        continue;
    bool is_done = job->is_done;
    pthread_mutex_unlock(&queue->mutex);
    return is_done ? job : NULL;
}

// The memory of the released job goes on to the one that is filled next, if that has none yet: so
// there is no more of it than documents at a time.
void mc_import_queue_release(mc_import_queue *queue) {
    mc_import_job *job = &queue->jobs[queue->released % queue->job_count];
    mc_import_job *next = &queue->jobs[queue->submitted % queue->job_count];
    queue->released++;
    if (next == job) return;
    if (!next->tree.nodes) {
        mc_step_tree tree = job->tree;
        job->tree = next->tree;
        next->tree = tree;
    }
    if (!next->unpacked.data) {
        mc_inflate_buffer unpacked = job->unpacked;
        job->unpacked = next->unpacked;
        next->unpacked = unpacked;
    }
}
