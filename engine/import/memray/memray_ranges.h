// memray_ranges.h - mapped ranges of addresses, none of which overlap, in their order.
//
// Zero-initialise; deinit. O(log n) to find, O(n) to add or remove. Threads: one.
#pragma once
#include "engine/base/base.h"

typedef struct mc_memray_range {
    uint64_t begin, end;
    uint32_t kind; // the caller's
} mc_memray_range;

typedef struct mc_memray_ranges {
    mc_memray_range *items;
    size_t count, capacity;
} mc_memray_ranges;

void mc_memray_ranges_deinit(mc_memray_ranges *ranges);
// One that overlaps none. False: out of memory.
bool mc_memray_ranges_add(mc_memray_ranges *ranges, uint64_t begin, uint64_t end, uint32_t kind);
// Removes the first that overlaps with this. False: there is none.
bool mc_memray_ranges_take(mc_memray_ranges *ranges, uint64_t begin, uint64_t end,
                           mc_memray_range *taken);
