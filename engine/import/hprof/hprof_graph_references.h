// hprof_graph_references.h - who references whom, by the graph of a heap, where that is there: the
// same as hprof_references.h, in one pass over the graph and none over the file.
//
// Numbers of the graph's vertices are used up: their words take the leaves instead that reference
// them. Memory: what hprof_reference_counts.h says; what has no room in a word, that is a third
// referrer of an object, or a second one where leaves are divided (hprof_divide.h), is in the set.
// Threads: those of the heap's crew.
#pragma once
#include "engine/import/hprof/hprof_heap.h"
#include "engine/import/hprof/hprof_reference_counts.h"

// `heap` is linked, and has notes. `references` is zeroed, and to be deinitialised in any case.
mc_result mc_hprof_find_graph_references(mc_hprof_references *references, mc_hprof_heap *heap,
                                         const mc_hprof_links *links, mc_error *error);
