#include "engine/import/hprof/hprof_queue.h"

#include "engine/base/clock.h"
#include "engine/base/free_memory.h"
#include "engine/base/memory.h"
#include "engine/base/parallel.h"
#include "engine/import/bytes/inflate.h"
#include "engine/import/hprof/hprof_unpack.h"
#include <pthread.h>

#define SIDE_BY_SIDE_MAX 4
#define REPORT_INTERVAL_NS 50000000
// Of a dump's size, what reading it takes: more than was measured, as small objects take more.
#define PLAIN_SHARE 0.35
#define GRAPH_SHARE 1.1
#define LEAST_MEMORY (64 * UINT64_C(1048576))

typedef struct reading {
    mc_hprof_job job;
    mc_hprof_queue *queue;
    uint64_t memory;               // that it is expected to take
    uint64_t part_begin, part_end; // of the current work in the file, of 100
    uint64_t counted;              // of the file's bytes, by the watch
    pthread_t thread;
    bool has_thread, is_done; // is_done is guarded by the mutex
} reading;

struct mc_hprof_queue {
    const mc_import_context *context;
    mc_heap_desc desc;
    reading readings[SIDE_BY_SIDE_MAX]; // a ring
    uint32_t first, count, most;
    uint64_t memory, available; // that is expected to be taken, and that may be
    pthread_mutex_t mutex;
    pthread_cond_t has_news;
    bool is_told; // since it was waited for: a reading goes on
};

static uint32_t get_thread_count(void) {
    uint32_t count = mc_parallel_get_core_count();
    return count < MC_HPROF_THREADS_MAX ? count : MC_HPROF_THREADS_MAX;
}

// ---- reading

static void count(reading *self, uint64_t at) {
    if (at <= self->counted) return;
    mc_import_watch_add(self->queue->context->watch, at - self->counted);
    self->counted = at;
}

// Bytes of the dump to bytes of input on disk.
static bool note_progress(void *user, uint64_t done, uint64_t total) {
    reading *self = user;
    double share = total > 0 ? (double)done / (double)total : 0;
    double part = (double)self->part_begin + share * (double)(self->part_end - self->part_begin);
    count(self, (uint64_t)(part / 100 * (double)self->job.mapping.size));
    pthread_mutex_lock(&self->queue->mutex);
    self->queue->is_told = true;
    pthread_cond_signal(&self->queue->has_news);
    pthread_mutex_unlock(&self->queue->mutex);
    return !mc_import_watch_should_stop(self->queue->context->watch);
}

static void read_dump(reading *self, const mc_file_map *dump, const mc_progress *progress) {
    mc_heap_desc desc = self->queue->desc;
    desc.progress = progress;
    self->job.dump_size = dump->size;
    self->job.result =
        mc_hprof_read(dump->data, dump->size, &desc, &self->job.step, &self->job.error);
}

static void read_packed(reading *self, const mc_progress *progress) {
    mc_hprof_job *job = &self->job;
    mc_hprof_crew crew = {.worker_count = self->queue->desc.thread_count,
                          .progress = progress,
                          .total = job->mapping.size};
    mc_file_map unpacked;
    self->part_end = 50; // unpacking takes about as long as what follows
    job->result = mc_hprof_unpack(job->mapping.data, job->mapping.size,
                                  self->queue->context->desc->temporary_folder, &crew, &unpacked,
                                  &job->is_cut, &job->error);
    self->part_begin = 50;
    self->part_end = 100;
    if (job->result == MC_OK) {
        job->is_unpacked = true;
        read_dump(self, &unpacked, progress);
    }
    mc_file_map_close(&unpacked);
}

static bool is_packed(const mc_file_map *mapping) {
    return mc_inflate_detect(mapping->data, mapping->size) != MC_COMPRESSION_NONE;
}

static void *run(void *user) {
    reading *self = user;
    mc_progress progress = {note_progress, self};
    if (is_packed(&self->job.mapping))
        read_packed(self, &progress);
    else
        read_dump(self, &self->job.mapping, &progress);
    pthread_mutex_lock(&self->queue->mutex);
    self->is_done = true;
    pthread_cond_signal(&self->queue->has_news);
    pthread_mutex_unlock(&self->queue->mutex);
    return NULL;
}

// ---- the queue

mc_result mc_hprof_queue_create(const mc_import_context *context, const mc_heap_desc *desc,
                                mc_hprof_queue **queue, mc_error *error) {
    mc_hprof_queue *self = mc_alloc_zero(1, sizeof *self);
    *queue = NULL;
    if (!self) return mc_error_out_of_memory(error);
    self->context = context;
    self->desc = *desc;
    self->desc.thread_count = get_thread_count();
    self->most =
        self->desc.thread_count < SIDE_BY_SIDE_MAX ? self->desc.thread_count : SIDE_BY_SIDE_MAX;
    self->available = mc_free_memory_get() / 2;
    if (pthread_mutex_init(&self->mutex, NULL) != 0) {
        mc_free(self);
        return mc_error_out_of_memory(error);
    }
    if (pthread_cond_init(&self->has_news, NULL) != 0) {
        pthread_mutex_destroy(&self->mutex);
        mc_free(self);
        return mc_error_out_of_memory(error);
    }
    *queue = self;
    return MC_OK;
}

// A packed one takes all.
static uint64_t guess_memory(const mc_hprof_queue *self, const mc_file_map *mapping) {
    const mc_heap_desc *desc = &self->desc;
    bool has_graph = desc->has_graph || desc->has_paths || desc->has_owners || desc->has_waste ||
                     mc_grouping_has(desc->grouping, MC_GROUP_STRUCTURE);
    if (is_packed(mapping)) return UINT64_MAX / (2 * SIDE_BY_SIDE_MAX);
    double share = has_graph ? GRAPH_SHARE : desc->has_references ? PLAIN_SHARE : 0;
    return LEAST_MEMORY + (uint64_t)(share * (double)mapping->size);
}

bool mc_hprof_queue_is_empty(const mc_hprof_queue *queue) {
    return queue->count == 0;
}

bool mc_hprof_queue_has_room(const mc_hprof_queue *queue, const mc_file_map *mapping) {
    uint64_t memory = guess_memory(queue, mapping);
    return queue->count == 0 ||
           (queue->count < queue->most && queue->memory + memory <= queue->available);
}

void mc_hprof_queue_submit(mc_hprof_queue *queue, const mc_source_file *file,
                           mc_file_map *mapping) {
    reading *next = &queue->readings[(queue->first + queue->count++) % SIDE_BY_SIDE_MAX];
    mc_hprof_step step = next->job.step; // its memory is used again
    *next = (reading){.job = {.file = file, .mapping = *mapping, .step = step},
                      .queue = queue,
                      .memory = guess_memory(queue, mapping),
                      .part_end = 100};
    *mapping = (mc_file_map){0};
    queue->memory += next->memory;
    next->has_thread = pthread_create(&next->thread, NULL, run, next) == 0;
    if (!next->has_thread) run(next);
}

// Until it is done, some reading tells how far it is, or a while has passed.
static bool wait_a_while(mc_hprof_queue *queue, const reading *wanted) {
    struct timespec deadline = mc_clock_get_deadline(CLOCK_REALTIME, REPORT_INTERVAL_NS);
    pthread_mutex_lock(&queue->mutex);
    if (!wanted->is_done && !queue->is_told)
        pthread_cond_timedwait(&queue->has_news, &queue->mutex, &deadline);
    queue->is_told = false;
    bool is_done = wanted->is_done;
    pthread_mutex_unlock(&queue->mutex);
    return is_done;
}

mc_result mc_hprof_queue_wait(mc_hprof_queue *queue, mc_hprof_job **job, mc_error *error) {
    reading *first = &queue->readings[queue->first];
    while (!wait_a_while(queue, first)) {
        mc_result result = mc_import_report_progress(queue->context, error);
        if (result != MC_OK) return result;
    }
    if (first->has_thread) pthread_join(first->thread, NULL);
    first->has_thread = false;
    count(first, first->job.mapping.size);
    *job = &first->job;
    return MC_OK;
}

void mc_hprof_queue_release(mc_hprof_queue *queue) {
    reading *first = &queue->readings[queue->first];
    if (first->has_thread) pthread_join(first->thread, NULL);
    first->has_thread = false;
    mc_file_map_close(&first->job.mapping);
    queue->memory -= first->memory;
    queue->first = (queue->first + 1) % SIDE_BY_SIDE_MAX;
    queue->count--;
}

void mc_hprof_queue_destroy(mc_hprof_queue *queue) {
    if (!queue) return;
    while (queue->count > 0)
        mc_hprof_queue_release(queue);
    for (uint32_t i = 0; i < SIDE_BY_SIDE_MAX; i++)
        mc_hprof_step_deinit(&queue->readings[i].job.step);
    pthread_cond_destroy(&queue->has_news);
    pthread_mutex_destroy(&queue->mutex);
    mc_free(queue);
}
