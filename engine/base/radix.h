// radix.h - sorts words by their upper bits, and small numbers by counting, in linear time.
//
// Pure functions, any thread.
#pragma once
#include "engine/base/base.h"

// Sorts by the bits from `low_bit` (< 64) on, ascending; words whose upper bits are equal stay as
// they stood. Returns `words` or `spare`, both with room for `count`, whichever then holds them.
// O(count) for each eight bits in which words differ. No allocation.
uint64_t *mc_radix_sort(uint64_t *words, uint64_t *spare, uint32_t count, uint32_t low_bit);

// Where each of the numbers below `end` begins once `numbers` are sorted, and, at [end], `count`;
// for mc_free(). NULL: out of memory.
uint32_t *mc_find_firsts(const uint32_t *numbers, uint32_t count, uint32_t end);
