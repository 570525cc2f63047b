// hprof_queue.h - reads heap dumps side by side, and hands them out in the order in which they
// came.
//
// A dump is read by all cores, but much of what follows is done by one: finding dominators, putting
// references in order. So others are read meanwhile, as many as there are cores, four at most, and
// as there is memory for: what they are expected to take stays below half of what is free. A packed
// one is read alone, as it takes room on a disk. A dump that nothing is expected of is always read.
// What comes out is the same. Threads: all functions are for the thread that imports; each dump has
// one more, and those that reading it takes.
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

// `desc` says how they are read; its progress does not count: the context's watch is told, and
// asked. Both must outlive the queue.
mc_result mc_hprof_queue_create(const mc_import_context *context, const mc_hprof_desc *desc,
                                mc_hprof_queue **queue, mc_error *error);
// Ends what is being read first, once the watch says that all is to stop. NULL is fine.
void mc_hprof_queue_destroy(mc_hprof_queue *queue);

// Whether there is room for one more; not while others take it.
bool mc_hprof_queue_has_room(const mc_hprof_queue *queue, const mc_file_map *mapping);
// Begins to read; takes the mapping over, which becomes zero. There is room, or the queue is empty.
void mc_hprof_queue_submit(mc_hprof_queue *queue, const mc_source_file *file, mc_file_map *mapping);
bool mc_hprof_queue_is_empty(const mc_hprof_queue *queue);
// The job that was submitted first, once it is done, with progress until then; the queue is not
// empty. MC_ERROR_CANCELLED: all is to stop.
mc_result mc_hprof_queue_wait(mc_hprof_queue *queue, mc_hprof_job **job, mc_error *error);
void mc_hprof_queue_release(mc_hprof_queue *queue); // that job; closes its mapping
