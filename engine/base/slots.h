// slots.h - an open-addressing hash table of the numbers 0, 1, 2 …, whose keys the caller keeps.
//
// A slot is one word: the hash in the upper half, the number + 1 in the lower; 0 is empty. Probing
// is linear, and at most two of three slots are taken. Zero-initialise; mc_slots_deinit() frees.
// Threads: one.
#pragma once
#include "engine/base/base.h"

typedef struct mc_slots {
    uint64_t *words;
    uint32_t slot_count; // a power of two, or 0
    uint32_t count;      // numbers in them
} mc_slots;

// The next number with that hash, whose key the caller compares; MC_NONE if there is no other.
// `*at` begins as the hash:
//     for (uint32_t at = hash, found; (found = mc_slots_find(slots, hash, &at)) != MC_NONE;)
//         if (keys[found] == key) return found;
static inline uint32_t mc_slots_find(const mc_slots *slots, uint32_t hash, uint32_t *at) {
    if (slots->slot_count == 0) return MC_NONE;
    for (uint64_t slot; (slot = slots->words[*at & (slots->slot_count - 1)]) != 0;) {
        ++*at;
        if (slot >> 32 == hash) return (uint32_t)slot - 1;
    }
    return MC_NONE;
}

// Fetches the place where that hash will be looked up into the cache.
static inline void mc_slots_prefetch(const mc_slots *slots, uint32_t hash) {
    if (slots->slot_count > 0) __builtin_prefetch(&slots->words[hash & (slots->slot_count - 1)]);
}

// Makes room for one more than `count` numbers in all. False: out of memory, or too many; nothing
// has changed.
bool mc_slots_grow(mc_slots *slots, size_t count);
static inline bool mc_slots_reserve(mc_slots *slots, size_t count) {
    return count * 3 < (size_t)slots->slot_count * 2 || mc_slots_grow(slots, count);
}

// Adds a number for which there is room.
static inline void mc_slots_enter(mc_slots *slots, uint32_t hash, uint32_t number) {
    uint32_t mask = slots->slot_count - 1, at = hash & mask;
    while (slots->words[at] != 0)
        at = (at + 1) & mask;
    slots->words[at] = (uint64_t)hash << 32 | (number + 1);
    slots->count++;
}

// The same, making room. False: as mc_slots_reserve().
static inline bool mc_slots_add(mc_slots *slots, uint32_t hash, uint32_t number) {
    if (!mc_slots_reserve(slots, slots->count)) return false;
    mc_slots_enter(slots, hash, number);
    return true;
}

void mc_slots_remove(mc_slots *slots, uint32_t hash, uint32_t number); // which is there
void mc_slots_deinit(mc_slots *slots);
