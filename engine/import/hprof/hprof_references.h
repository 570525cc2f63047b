// hprof_references.h - counts references between leaves in two more passes over a heap: one notes
// each object's leaf, if not known yet, one follows all references.
//
// Each object has a word for its own leaf and the first leaves that reference it, as many as fit in
// 64 bits: three of 65,535 leaves, five of 1,000. Memory: 8 bytes per object, the ids, and what
// hprof_reference_counts.h says. Threads: see hprof_crew.h.
#pragma once
#include "engine/import/hprof/hprof_leaves.h"
#include "engine/import/hprof/hprof_reference_counts.h"

// `references` is zeroed, and to be deinitialised in any case.
mc_result mc_hprof_find_references(mc_hprof_references *references, const mc_hprof_file *file,
                                   const mc_hprof_batch *batches, size_t batch_count,
                                   const mc_hprof_classes *classes, const mc_hprof_leaves *leaves,
                                   const mc_hprof_links *links, const mc_hprof_ids *ids,
                                   mc_hprof_crew *crew, mc_error *error);
