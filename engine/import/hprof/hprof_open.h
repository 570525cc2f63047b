// hprof_open.h - opens a heap dump and links it, for questions on what groups retain, what would be
// freed without them, and what keeps them alive (engine/heap).
//
// Opening takes one pass over the heap (more for loaders and modules, see hprof_origins.h); linking
// takes two more and computes the dominators. Memory when linked: see heap.h. If the data structure
// is a grouping criterion, linking makes the groups. Results for a damaged dump cover what could be
// read (mc_hprof_dump.report.damage). Threads: one object serves one thread at a time and uses as
// many threads as requested.
#pragma once
#include "engine/import/format/heap_format.h"
#include "engine/import/hprof/hprof_dump.h"

// `data` must outlive the dump, which stays where it is. MC_ERROR_BAD_DATA as mc_hprof_read(). To
// be closed in any case.
mc_result mc_hprof_dump_open(mc_hprof_dump *dump, const unsigned char *data, uint64_t size,
                             const mc_heap_desc *desc, mc_error *error);
void mc_hprof_dump_close(mc_hprof_dump *dump);

// Builds the graph and its dominators, and lists the groups by number. The desc it was opened with
// must have had has_graph. If it also had has_references, there are notes to count references by
// the graph, unless several objects share an id; ids that are no longer needed are freed.
// MC_ERROR_UNSUPPORTED beyond the limits of graph.h.
mc_result mc_hprof_dump_link(mc_hprof_dump *dump, mc_error *error);
// Frees the graph and what is known by its numbers.
void mc_hprof_dump_unlink(mc_hprof_dump *dump);
