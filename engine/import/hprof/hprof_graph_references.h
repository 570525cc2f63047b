// hprof_graph_references.h - counts references between leaves from a heap's graph, if there is one:
// the same result as hprof_references.h, in one pass over the graph and none over the file.
//
// This overwrites the numbers of the graph's vertices: their words store the leaves that reference
// them instead. Memory: see hprof_reference_counts.h; referrers that do not fit in a word go to the
// set, that is an object's third referring leaf, or its second if leaves are divided
// (hprof_divide.h). Threads: those of the heap's crew.
#pragma once
#include "engine/import/hprof/hprof_heap.h"
#include "engine/import/hprof/hprof_reference_counts.h"

// `heap` is linked, and has notes. `references` is zeroed, and to be deinitialised in any case.
mc_result mc_hprof_find_graph_references(mc_hprof_references *references, mc_hprof_heap *heap,
                                         const mc_hprof_links *links, mc_error *error);
