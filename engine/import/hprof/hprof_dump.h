// hprof_dump.h - an open heap dump: its classes and groups and, as a heap (heap.h), its objects.
//
// Opened, linked and closed by hprof_open.h; this is what the parts of a reader share.
#pragma once
#include "engine/import/hprof/hprof_kinds.h"
#include "engine/import/hprof/hprof_origins.h"
#include "engine/import/hprof/hprof_roots.h"

// What a graph takes (hprof_memory.h).
typedef struct mc_hprof_need {
    uint64_t objects, references; // references: null ones are among them
    uint64_t bytes;               // about; the most until the graph is gone again
    uint64_t free_bytes;          // UINT64_MAX: not known
} mc_hprof_need;

typedef struct mc_hprof_report {
    mc_hprof_damage damage; // kind MC_HPROF_WHOLE: all is there
    uint64_t object_count;
    uint64_t reference_count, dangling_count; // to objects in the dump, and to others
    uint64_t undescribed_count; // objects whose references are not (all) known: classes are missing
    uint64_t repeated_count;    // objects whose id another one has, too
    // With a graph:
    uint64_t root_count;      // objects that roots name; 0: nothing is known to be unreachable
    uint64_t unreached_count; // objects that no root reaches but by weak references
    // There was no memory for it, and all that takes one is left out.
    bool lacks_memory;
    mc_hprof_need need; // if it was asked for
} mc_hprof_report;

typedef struct mc_hprof_dump {
    mc_hprof_file file;
    mc_hprof_batch *batches;
    size_t batch_count;
    mc_hprof_crew crew;
    mc_hprof_tallies tallies;
    mc_grouping grouping;
    const char *collections; // as of the desc
    bool keeps_ids;          // when linked
    bool keeps_leaves;       // likewise; of each object
    bool has_notes;          // when linked: references can be counted by the graph
    bool has_waste;          // when linked: what is wasted is counted on the way
    uint64_t memory_limit;   // as of the desc
    uint64_t walk_size;      // of the progress: a walk over the heap
    mc_hprof_classes classes;
    mc_hprof_origins origins;
    mc_hprof_kinds kinds;
    mc_hprof_report report;
    mc_heap heap;
    // When linked, with notes.
    mc_hprof_root_records roots;
    uint64_t dangling_count; // references to ids that the dump lacks
    mc_group_sum *wasted;    // with waste: as of mc_hprof_count_wasted_bytes()
} mc_hprof_dump;

// A search for objects of the dump. `crew` is that of the dump, or another one.
static inline mc_hprof_lookup mc_hprof_dump_begin_lookup(const mc_hprof_dump *dump,
                                                         mc_hprof_crew *crew, mc_error *error) {
    return (mc_hprof_lookup){.file = &dump->file,
                             .batches = dump->batches,
                             .batch_count = dump->batch_count,
                             .spans = dump->tallies.spans,
                             .classes = &dump->classes,
                             .crew = crew,
                             .error = error};
}
