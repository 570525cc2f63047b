// slots.h - an open-addressing hash table of the numbers 0, 1, 2 …, whose keys the caller keeps.
//
// A slot is one word: the hash in the upper half, the number + 1 in the lower; 0 is empty. The
// caller does the lookup: from slot `hash & (count - 1)` on, up to an empty one, comparing keys
// where hashes are equal. Threads: one.
#pragma once
#include "engine/base/base.h"

static inline void mc_slots_enter(uint64_t *slots, uint32_t slot_count, uint64_t slot) {
    uint32_t mask = slot_count - 1, at = (uint32_t)(slot >> 32) & mask;
    while (slots[at] != 0)
        at = (at + 1) & mask;
    slots[at] = slot;
}

// Takes back the entry that was made last of those that are there. (Of an earlier one, others may
// stand behind its slot; after growing, none is the last.)
static inline void mc_slots_leave(uint64_t *slots, uint32_t slot_count, uint64_t slot) {
    uint32_t mask = slot_count - 1, at = (uint32_t)(slot >> 32) & mask;
    while (slots[at] != slot)
        at = (at + 1) & mask;
    slots[at] = 0;
}

// At least twice as many slots as `count`, the old ones entered anew. Zero-initialise both;
// free *slots with mc_free(). False: out of memory, and nothing has changed.
bool mc_slots_grow(uint64_t **slots, uint32_t *slot_count, size_t count);
