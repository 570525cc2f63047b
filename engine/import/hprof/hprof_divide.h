// hprof_divide.h - divides the leaves of a heap's classes by data structures, if that is a
// criterion.
//
// An object's leaf is then its class's leaf within its structure (hprof_structures.h); the leaves'
// sums are exact, objects with the id of another one being in no structure. Memory: 8 bytes an
// object on the way, 4 in the end. Threads: those of the heap's crew.
#pragma once
#include "engine/import/hprof/hprof_structures.h"

#define MC_HPROF_NO_STRUCTURE "(none)" // the key of what is in none

// `heap` is linked. Fills heap->leaves.of; if the data structure is a criterion, also makes
// heap->groups anew, and with them all that is by group. If it fails, the heap can only be closed.
mc_result mc_hprof_divide(mc_hprof_heap *heap, mc_error *error);
