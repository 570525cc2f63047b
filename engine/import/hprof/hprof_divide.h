// hprof_divide.h - divides the leaves of a heap's classes by data structure, if that is a grouping
// criterion.
//
// An object's leaf is then its class's leaf within its structure (hprof_structures.h). The leaves'
// sums stay exact; objects that share an id with another object belong to no structure. Memory: 8
// bytes per object while dividing, 4 afterwards. Threads: those of the heap's crew.
#pragma once
#include "engine/import/hprof/hprof_structures.h"

#define MC_HPROF_NO_STRUCTURE "(none)" // the key of what is in none

// `heap` is linked. Fills heap->leaves.of; if the data structure is a criterion, also makes
// heap->groups anew, and with them all that is by group. If it fails, the heap can only be closed.
mc_result mc_hprof_divide(mc_hprof_heap *heap, mc_error *error);
