// sibling_sort.h - a stable sort of siblings by descending value. Internal to engine/layout.
//
// Method: radix sort over the upper half of the doubles' bit patterns (which sort like the doubles,
// as these are >= 0), packed with the index into one word; the few runs that differ only in the
// lower half are sorted once more. Short lists use insertion sort. O(n). No allocation.
#pragma once
#include "engine/base/base.h"

#define MC_SIBLING_INDEX(key) ((uint32_t)(key))

// `keys` holds `count` indices into `values` in ascending order; sorted, they are in the lower
// halves of the words returned, which lie in `keys` or in `spare` (both with room for `count`).
// Values are >= 0, not -0 and not NaN.
uint64_t *mc_sibling_sort(const double *values, uint64_t *keys, uint64_t *spare, uint32_t count);
