// hprof_queue.h - reads several heap dumps at the same time, and returns them in the order in which
// they were submitted.
//
// All cores read a dump, but much of the work that follows is serial: finding dominators, sorting
// references. Meanwhile other dumps are read: at most as many as there are cores, at most four, and
// only while their expected memory stays below half of what is free. A packed dump is read alone,
// because it takes disk space. If no other dump is being read, one is always admitted. The result
// does not depend on this. Threads: all functions are for the importing thread; each dump has one
// thread more, and those that reading it takes.
#pragma once
#include "engine/import/format/format.h"
#include "engine/import/hprof/hprof.h"

typedef struct mc_hprof_job {
    const mc_source_file *file;
    mc_file_map mapping; // of the file
    // What came out.
    mc_result result;
    mc_error error;
    mc_hprof_step step;
    uint64_t dump_size; // unpacked
    bool is_unpacked;   // offsets are not those of the file on disk
    bool is_cut;        // the packed data ended too early
} mc_hprof_job;

typedef struct mc_hprof_queue mc_hprof_queue;

// `desc` tells how to read the dumps. Its progress is ignored: the context's watch takes the
// progress and the requests to stop. Both must outlive the queue.
mc_result mc_hprof_queue_create(const mc_import_context *context, const mc_heap_desc *desc,
                                mc_hprof_queue **queue, mc_error *error);
// Waits for running reads to end, once the watch tells them to stop. NULL is fine.
void mc_hprof_queue_destroy(mc_hprof_queue *queue);

// Whether there is room for one more dump, beside those being read; always true for an empty queue.
bool mc_hprof_queue_has_room(const mc_hprof_queue *queue, const mc_file_map *mapping);
// Begins to read a dump and takes over its mapping, which becomes zero. There must be room, or the
// queue be empty.
void mc_hprof_queue_submit(mc_hprof_queue *queue, const mc_source_file *file, mc_file_map *mapping);
bool mc_hprof_queue_is_empty(const mc_hprof_queue *queue);
// Waits for the job that was submitted first, and reports progress meanwhile; the queue must not be
// empty. MC_ERROR_CANCELLED: the import is to stop.
mc_result mc_hprof_queue_wait(mc_hprof_queue *queue, mc_hprof_job **job, mc_error *error);
void mc_hprof_queue_release(mc_hprof_queue *queue); // that job; closes its mapping
