// radix.h - sorts words by their upper bits, in linear time.
//
// Pure function, any thread. No allocation.
#pragma once
#include "engine/base/base.h"

// Sorts by the bits from `low_bit` (< 64) on, ascending; words whose upper bits are equal stay as
// they stood. Returns `words` or `spare`, both with room for `count`, whichever then holds them.
// O(count) for each eight bits in which words differ.
uint64_t *mc_radix_sort(uint64_t *words, uint64_t *spare, uint32_t count, uint32_t low_bit);
