// hprof_references.h - who references whom: two more walks over a heap, one that notes each
// object's leaf, one that follows all references.
//
// Counted are distinct objects, so that for every object the leaves that reference it have to be
// known: the first one stands beside the object's own leaf, the few others in a set. Memory: 4
// bytes an object (8 if there are 65,535 leaves or more), the ids, and up to 11 bytes for every
// leaf more that references an object. Threads: see hprof_crew.h.
#pragma once
#include "engine/import/hprof/hprof_classes.h"
#include "engine/import/hprof/hprof_pairs.h"

typedef struct mc_hprof_reference_report {
    uint64_t count;          // references to objects in the dump
    uint64_t dangling_count; // to ids that the dump lacks
} mc_hprof_reference_report;

// Fills `pairs` (zeroed), sorted by leaves.
mc_result mc_hprof_find_references(const mc_hprof_file *file, const mc_hprof_batch *batches,
                                   size_t batch_count, const mc_hprof_classes *classes,
                                   const mc_hprof_ids *ids, mc_hprof_crew *crew,
                                   mc_hprof_pairs *pairs, mc_hprof_reference_report *report,
                                   mc_error *error);
