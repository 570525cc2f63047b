#include "engine/import/json/import_queue.h"

#include "engine/base/memory.h"
#include "engine/base/ordered_queue.h"
#include "engine/import/format/bad_input.h"
#include "engine/import/format/lookalike.h"
#include "engine/import/json/json_scan.h"
#include <string.h>

#define JOBS_MOST (MC_ORDERED_QUEUE_THREADS_MOST + 1)

struct mc_import_queue {
    mc_import_watch *watch;
    mc_ordered_queue *order;
    mc_import_job jobs[JOBS_MOST];
    mc_json_reader *readers[MC_ORDERED_QUEUE_THREADS_MOST]; // one a thread; at least one
};

static void tell_unknown(mc_import_job *job, const unsigned char *data, size_t size) {
    const char *looks = mc_lookalike_find(data, size);
    mc_error_set(&job->error, MC_ERROR_BAD_DATA, job->error.byte_offset,
                 "expected a heap dump (.hprof), a class histogram, steps as JSON or an .mct "
                 "file, or another of memcity formats, found %s%s",
                 looks ? "what looks like " : "something else", looks ? looks : "");
}

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
        tell_unknown(job, data, size);
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

static void run(void *user, uint32_t job, uint32_t thread) {
    mc_import_queue *queue = user;
    run_job(&queue->jobs[job], queue->readers[thread], queue->watch);
}

mc_result mc_import_queue_create(uint32_t thread_count, mc_import_watch *watch,
                                 mc_import_queue **queue, mc_error *error) {
    mc_import_queue *self = *queue = mc_alloc_zero(1, sizeof *self);
    if (!self) return mc_error_out_of_memory(error);
    self->watch = watch;
    mc_result result = mc_ordered_queue_create(thread_count, run, self, &self->order, error);
    uint32_t started = result == MC_OK ? mc_ordered_queue_get_thread_count(self->order) : 0;
    for (uint32_t i = 0; i < (started > 0 ? started : 1) && result == MC_OK; i++) {
        self->readers[i] = mc_json_reader_create();
        if (!self->readers[i]) result = mc_error_out_of_memory(error);
    }
    if (result == MC_OK) return MC_OK;
    mc_import_queue_destroy(self);
    *queue = NULL;
    return result;
}

void mc_import_queue_destroy(mc_import_queue *queue) {
    if (!queue) return;
    mc_ordered_queue_destroy(queue->order);
    for (uint32_t i = 0; i < MC_ORDERED_QUEUE_THREADS_MOST; i++)
        mc_json_reader_destroy(queue->readers[i]);
    for (uint32_t i = 0; i < JOBS_MOST; i++) {
        mc_import_job *job = &queue->jobs[i];
        mc_file_map_close(&job->mapping);
        mc_import_job_trim(job);
    }
    mc_free(queue);
}

mc_import_job *mc_import_queue_get_free(mc_import_queue *queue) {
    uint32_t job = mc_ordered_queue_get_free(queue->order);
    return job == MC_NONE ? NULL : &queue->jobs[job];
}

void mc_import_queue_submit(mc_import_queue *queue) {
    mc_ordered_queue_submit(queue->order);
}

uint32_t mc_import_queue_get_count(const mc_import_queue *queue) {
    return mc_ordered_queue_get_count(queue->order);
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
    for (uint32_t i = 0; i < JOBS_MOST; i++)
        mc_import_job_trim(&queue->jobs[i]);
}

mc_import_job *mc_import_queue_wait(mc_import_queue *queue, uint32_t timeout_ms) {
    uint32_t job = mc_ordered_queue_wait(queue->order, timeout_ms);
    return job == MC_NONE ? NULL : &queue->jobs[job];
}

// The memory of the released job goes on to the one that is filled next, if that has none yet: so
// there is no more of it than documents at a time.
void mc_import_queue_release(mc_import_queue *queue) {
    mc_import_job *job = &queue->jobs[mc_ordered_queue_release(queue->order)];
    mc_import_job *next = &queue->jobs[mc_ordered_queue_get_free(queue->order)];
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
