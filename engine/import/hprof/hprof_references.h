// hprof_references.h - who references whom: two more walks over a heap, one that notes each
// object's leaf, if that is not known, and one that follows all references.
//
// Of every object the first leaves that reference it stand beside its own leaf, as many as 64 bits
// have room for: three of 65,535 leaves, five of 1,000. Memory: 8 bytes an object, the ids, and what
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
