// import_queue.h - reads documents in a few threads, and returns the results in the order of the
// documents.
//
// As many documents are in memory as there are jobs: one per thread, and one that the caller works
// on. Threads: all functions are for the one thread that created the queue.
#pragma once
#include "engine/base/file.h"
#include "engine/import/bytes/inflate.h"
#include "engine/import/format/format.h"
#include "engine/import/json/json_reader.h"

typedef struct mc_import_job {
    // what to read; the caller's
    const mc_source_file *file;
    const unsigned char *data;
    size_t size;
    uint64_t offset;        // of data[0] in the file
    uint64_t element_index; // in the file's array; MC_BAD_INPUT_NO_ELEMENT: the file is no array
    bool is_compressed;     // a whole .gz or .zst file; false once it is unpacked
    bool is_unpacked;       // offsets are not those of the file on disk
    bool is_counted;        // the bytes of `data` are bytes on disk
    mc_file_map mapping;    // of the file, if it is the job's own; closed once it was read

    // what came out
    mc_result result;
    mc_error error;
    mc_step_tree tree;           // of a step
    mc_reference_map references; // of a pointer map
    bool has_time;
    int64_t time_ms; // also of a document that is wrong elsewhere

    mc_inflate_buffer unpacked; // of a compressed file; otherwise the caller may keep `data` here
} mc_import_job;

typedef struct mc_import_queue mc_import_queue;

// With 0 threads, or if none can be started, jobs are run when they are waited for.
mc_result mc_import_queue_create(uint32_t thread_count, mc_import_watch *watch,
                                 mc_import_queue **queue, mc_error *error);
// Stops the threads first; jobs that were not read are left unread.
void mc_import_queue_destroy(mc_import_queue *queue); // NULL is fine

// A job to be filled in and submitted; NULL if all are in use.
mc_import_job *mc_import_queue_get_free(mc_import_queue *queue);
void mc_import_queue_submit(mc_import_queue *queue);

// Jobs submitted and not yet released.
uint32_t mc_import_queue_get_count(const mc_import_queue *queue);

// Bytes that what came out of a job takes, and what it takes to unpack it.
size_t mc_import_job_measure(const mc_import_job *job);
// Gives back the memory that a job keeps for the next document.
void mc_import_job_trim(mc_import_job *job);
// Gives back that of all jobs, of which none may be in use.
void mc_import_queue_trim(mc_import_queue *queue);

// The job that was submitted first of those not yet released, once it is done; NULL if that takes
// longer than `timeout_ms`. The queue is not empty.
mc_import_job *mc_import_queue_wait(mc_import_queue *queue, uint32_t timeout_ms);
void mc_import_queue_release(mc_import_queue *queue); // that job: it is free again
