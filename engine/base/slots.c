#include "engine/base/slots.h"

#include "engine/base/memory.h"

bool mc_slots_grow(mc_slots *slots, size_t count) {
    mc_slots grown = {.slot_count = 64};
    if (count > UINT32_MAX / 4) return false;
    while (count * 3 >= (size_t)grown.slot_count * 2)
        grown.slot_count *= 2;
    grown.words = mc_alloc_zero(grown.slot_count, sizeof *grown.words);
    if (!grown.words) return false;
    for (uint32_t at = 0; at < slots->slot_count; at++)
        if (slots->words[at] != 0)
            mc_slots_enter(&grown, (uint32_t)(slots->words[at] >> 32),
                           (uint32_t)slots->words[at] - 1);
    mc_free(slots->words);
    *slots = grown;
    return true;
}

// Those behind the slot that becomes empty move up, unless that is before their first one.
void mc_slots_remove(mc_slots *slots, uint32_t hash, uint32_t number) {
    uint32_t mask = slots->slot_count - 1, empty = hash & mask;
    while (slots->words[empty] != ((uint64_t)hash << 32 | (number + 1)))
        empty = (empty + 1) & mask;
    for (uint32_t at = (empty + 1) & mask; slots->words[at] != 0; at = (at + 1) & mask) {
        uint32_t first = (uint32_t)(slots->words[at] >> 32) & mask;
        if (((at - first) & mask) < ((at - empty) & mask)) continue;
        slots->words[empty] = slots->words[at];
        empty = at;
    }
    slots->words[empty] = 0;
    slots->count--;
}

void mc_slots_deinit(mc_slots *slots) {
    mc_free(slots->words);
    *slots = (mc_slots){.count = 0};
}
