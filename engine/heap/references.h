// references.h - counts the references between the leaves of a linked heap, in one pass over its
// graph.
//
// This overwrites the numbers of the graph's vertices: their words store the leaves that reference
// them instead. Memory: see reference_counts.h; referrers that do not fit in a word go to the set,
// that is an object's third referring leaf, or its second if leaves are divided (divide.h).
// Threads: those of the heap.
#pragma once
#include "engine/heap/heap.h"
#include "engine/heap/reference_counts.h"

// `references` is zeroed, and to be deinitialised in any case.
mc_result mc_heap_count_references(mc_heap *heap, mc_heap_references *references, mc_error *error);
