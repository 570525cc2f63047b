// hprof_references.h - who references whom: two more walks over a heap, one that notes each
// object's leaf, if that is not known, and one that follows all references.
//
// Counted are distinct objects, so that for every object the leaves that reference it have to be
// known: the first three (one, if there are 65,535 leaves or more) stand beside the object's own
// leaf, the few others in a set. Memory: 8 bytes an object, the ids, and up to 11 bytes for every
// leaf more that references an object. Threads: see hprof_crew.h.
#pragma once
#include "engine/import/hprof/hprof_leaves.h"
#include "engine/import/hprof/hprof_links.h"
#include "engine/import/hprof/hprof_roots.h"

typedef struct mc_hprof_reference_report {
    uint64_t count;          // references to objects in the dump
    uint64_t dangling_count; // to ids that the dump lacks
} mc_hprof_reference_report;

// Who references by what: leaf << 32 | link (hprof_links.h).
typedef struct mc_hprof_sources {
    uint64_t *items;
    size_t count, capacity;
    mc_hprof_pairs known; // leaf, link -> where it is + 1
} mc_hprof_sources;

typedef struct mc_hprof_references {
    mc_hprof_pairs pairs; // of leaves, sorted
    // By which fields: source << 32 | leaf that is referenced, sorted; points_to is the number of
    // references, each of them counted.
    mc_hprof_pairs fields;
    mc_hprof_sources sources;
    mc_hprof_root_notes roots;
    mc_hprof_reference_report report;
} mc_hprof_references;

// `references` is zeroed, and to be deinitialised in any case.
mc_result mc_hprof_find_references(mc_hprof_references *references, const mc_hprof_file *file,
                                   const mc_hprof_batch *batches, size_t batch_count,
                                   const mc_hprof_classes *classes, const mc_hprof_leaves *leaves,
                                   const mc_hprof_links *links, const mc_hprof_ids *ids,
                                   mc_hprof_crew *crew, mc_error *error);
void mc_hprof_references_deinit(mc_hprof_references *references);
