// divide.h - divides the leaves of a heap by data structure, if that is a level of its groups.
//
// An object's leaf is then its kind's leaf within its structure (structures.h). The leaves' sums
// stay exact; objects that the graph lacks belong to no structure. Memory: 8 bytes per object while
// dividing, 4 afterwards. Threads: those of the heap.
#pragma once
#include "engine/heap/structures.h"

#define MC_HEAP_NO_STRUCTURE "(none)" // the key of what is in none

// `heap` is linked. Makes its leaves and groups anew: as `groups`, which are empty, have one level
// more, at `level`, and belong to the heap from now on, whatever the result. If it fails, the heap
// can only be deinitialised.
mc_result mc_heap_divide(mc_heap *heap, mc_heap_groups *groups, uint32_t level, mc_error *error);
// Lists the leaf of each object (mc_heap_leaves.of). After dividing, if that is wanted; before the
// graph is gone. MC_ERROR_OUT_OF_MEMORY.
mc_result mc_heap_list_leaves(mc_heap *heap, mc_error *error);
