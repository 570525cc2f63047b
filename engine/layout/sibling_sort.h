// sibling_sort.h - sorts siblings by descending value, equal ones as they stood. Internal to
// engine/layout.
//
// Method: radix sort over the upper half of the doubles' bit patterns (which order as the doubles
// do, being >= 0), packed with the index into one word; the few runs that differ below are sorted
// once more. Short lists are sorted by insertion. O(n). No allocation.
#pragma once
#include "engine/base/base.h"

#define MC_SIBLING_INDEX(key) ((uint32_t)(key))

// `keys` holds `count` indices into `values` in ascending order; sorted, they are in the lower
// halves of the words returned, which lie in `keys` or in `spare` (both with room for `count`).
// Values are >= 0, not -0 and not NaN.
uint64_t *mc_sibling_sort(const double *values, uint64_t *keys, uint64_t *spare, uint32_t count);
