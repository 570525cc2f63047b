#include "engine/base/strings_block.h"

#include "engine/base/memory.h"

uint64_t *mc_strings_reserve_sizes(mc_strings *strings, uint32_t count) {
    size_t total = (size_t)strings->count + count;
    if (total >= UINT32_MAX / 4 || !mc_reserve(&strings->offsets, &strings->offsets_capacity,
                                               total + 1, sizeof *strings->offsets))
        return NULL;
    return strings->offsets + strings->count + 1;
}

bool mc_strings_append_sized(mc_strings *strings, uint32_t count, size_t size) {
    uint64_t *offsets = strings->offsets + strings->count, end = strings->bytes_size;
    if (!mc_reserve(&strings->bytes, &strings->bytes_capacity, strings->bytes_size + size, 1))
        return false;
    offsets[0] = end;
    for (uint32_t i = 1; i <= count; i++)
        offsets[i] = end += offsets[i] + 1;
    assert(end == strings->bytes_size + size);
    strings->bytes_size = (size_t)end;
    strings->count += count;
    return true;
}
