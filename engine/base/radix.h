// radix.h - sorts words by their upper bits, and small numbers by counting, in linear time.
//
// Pure functions, any thread.
#pragma once
#include "engine/base/base.h"

// Sorts by the bits from `low_bit` (< 64) on, ascending; words whose upper bits are equal stay as
// they stood. Returns `words` or `spare`, both with room for `count`, whichever then holds them.
// O(count) for each eight bits in which words differ. No allocation.
uint64_t *mc_radix_sort(uint64_t *words, uint64_t *spare, uint32_t count, uint32_t low_bit);

// A number in each of some rows.
typedef struct mc_row_numbers {
    const void *rows;
    size_t row_size, offset; // offset: of the number, a uint32_t, in its row
    uint32_t count;
} mc_row_numbers;

// Where each of the numbers below `end` begins once the rows are sorted by them, and, at [end],
// how many rows there are; for mc_free(). NULL: out of memory. O(rows + end).
uint32_t *mc_find_firsts(mc_row_numbers numbers, uint32_t end);
// The rows sorted by their numbers, those of one number as they stood; for mc_free(). `firsts` as
// found above; it is used meanwhile. NULL: out of memory. O(rows + end).
uint32_t *mc_find_order(mc_row_numbers numbers, uint32_t *firsts, uint32_t end);
