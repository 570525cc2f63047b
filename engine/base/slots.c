#include "engine/base/slots.h"

#include "engine/base/memory.h"

bool mc_slots_grow(uint64_t **slots, uint32_t *slot_count, size_t count) {
    uint32_t new_count = 64;
    while (new_count / 2 <= count)
        new_count *= 2;
    uint64_t *grown = mc_alloc_zero(new_count, sizeof *grown);
    if (!grown) return false;
    for (uint32_t at = 0; at < *slot_count; at++)
        if ((*slots)[at] != 0) mc_slots_enter(grown, new_count, (*slots)[at]);
    mc_free(*slots);
    *slots = grown;
    *slot_count = new_count;
    return true;
}
