#include "engine/import/memray/memray_ranges.h"

#include "engine/base/memory.h"
#include <string.h>

void mc_memray_ranges_deinit(mc_memray_ranges *ranges) {
    mc_free(ranges->items);
    memset(ranges, 0, sizeof *ranges);
}

// The first that ends behind an address.
static size_t find(const mc_memray_ranges *ranges, uint64_t address) {
    size_t low = 0, high = ranges->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (ranges->items[middle].end <= address)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

bool mc_memray_ranges_add(mc_memray_ranges *ranges, uint64_t begin, uint64_t end, uint32_t kind) {
    size_t at = find(ranges, begin);
    if (!mc_reserve(&ranges->items, &ranges->capacity, ranges->count + 1, sizeof *ranges->items))
        return false;
    memmove(ranges->items + at + 1, ranges->items + at,
            (ranges->count - at) * sizeof *ranges->items);
    ranges->items[at] = (mc_memray_range){begin, end, kind};
    ranges->count++;
    return true;
}

bool mc_memray_ranges_take(mc_memray_ranges *ranges, uint64_t begin, uint64_t end,
                           mc_memray_range *taken) {
    size_t at = find(ranges, begin);
    if (at == ranges->count || ranges->items[at].begin >= end) return false;
    *taken = ranges->items[at];
    ranges->count--;
    memmove(ranges->items + at, ranges->items + at + 1,
            (ranges->count - at) * sizeof *ranges->items);
    return true;
}
