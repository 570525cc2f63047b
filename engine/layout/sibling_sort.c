#include "engine/layout/sibling_sort.h"

#include "engine/base/radix.h"
#include <string.h>

// Below this a radix sort's tables cost more than the comparisons they save.
enum { INSERTION_COUNT = 64 };

static uint64_t get_bits(double value) {
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

// The words are distinct, as the indices in their lower halves are.
static void sort_by_insertion(uint64_t *keys, uint32_t count) {
    for (uint32_t i = 1; i < count; i++) {
        uint64_t key = keys[i];
        uint32_t at = i;
        for (; at > 0 && keys[at - 1] > key; at--)
            keys[at] = keys[at - 1];
        keys[at] = key;
    }
}

// By the upper halves, so that the indices below stay ascending.
static uint64_t *sort_keys(uint64_t *keys, uint64_t *spare, uint32_t count) {
    if (count > INSERTION_COUNT) return mc_radix_sort(keys, spare, count, 32);
    sort_by_insertion(keys, count);
    return keys;
}

// A run whose upper halves are equal, out of order by the lower ones.
static void sort_run(const double *values, uint64_t *run, uint64_t *spare, uint32_t count) {
    uint64_t upper = run[0] >> 32 << 32;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t index = MC_SIBLING_INDEX(run[i]);
        run[i] = ~get_bits(values[index]) << 32 | index;
    }
    const uint64_t *sorted = sort_keys(run, spare, count);
    for (uint32_t i = 0; i < count; i++)
        run[i] = upper | MC_SIBLING_INDEX(sorted[i]);
}

uint64_t *mc_sibling_sort(const double *values, uint64_t *keys, uint64_t *spare, uint32_t count) {
    if (count == 0) return keys;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t index = MC_SIBLING_INDEX(keys[i]);
        keys[i] = (~get_bits(values[index]) >> 32 << 32) | index;
    }
    uint64_t *sorted = sort_keys(keys, spare, count);
    if (sorted == spare) spare = keys;
    for (uint32_t i = 1; i < count; i++) {
        if (!(values[MC_SIBLING_INDEX(sorted[i - 1])] < values[MC_SIBLING_INDEX(sorted[i])]))
            continue;
        uint32_t begin = i - 1, end = i + 1, upper = (uint32_t)(sorted[i] >> 32);
        while (begin > 0 && sorted[begin - 1] >> 32 == upper)
            begin--;
        while (end < count && sorted[end] >> 32 == upper)
            end++;
        sort_run(values, sorted + begin, spare, end - begin);
        i = end - 1;
    }
    return sorted;
}
