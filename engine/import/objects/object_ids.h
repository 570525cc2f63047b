// object_ids.h - finds the objects of a heap by the numbers that a file knows them by: ids, or
// addresses.
//
// The numbers themselves are the heap's (object_ids). Untrusted input: numbers are hashed with a
// seed of each run, and no look-up takes more than some thousand probes. Zero-initialise, set the
// seed; mc_slots_deinit(&ids->slots) frees. Threads: one that adds, or many that find.
#pragma once
#include "engine/base/hash.h"
#include "engine/base/slots.h"
#include "engine/import/objects/object_heap.h"

#define MC_OBJECT_PROBES_MAX 4096u // of numbers whose hashes collide: nobody writes such

typedef struct mc_object_ids {
    mc_slots slots;
    uint64_t seed;
} mc_object_ids;

static inline uint32_t mc_object_ids_look(const mc_object_ids *ids, const mc_object_heap *heap,
                                          uint64_t id, bool *is_crowded) {
    const uint32_t hash = (uint32_t)mc_hash_u64(id, ids->seed);
    uint32_t probes = 0;
    *is_crowded = false;
    for (uint32_t at = hash, i; (i = mc_slots_find(&ids->slots, hash, &at)) != MC_NONE;) {
        if (heap->object_ids[i] == id) return i;
        *is_crowded = ++probes > MC_OBJECT_PROBES_MAX;
        if (*is_crowded) return MC_NONE;
    }
    return MC_NONE;
}

// Fetches what finding will look at first into the cache.
static inline void mc_object_ids_prefetch(const mc_object_ids *ids, uint64_t id) {
    mc_slots_prefetch(&ids->slots, (uint32_t)mc_hash_u64(id, ids->seed));
}

// The object of this number; MC_NONE: there is none.
static inline uint32_t mc_object_ids_find(const mc_object_ids *ids, const mc_object_heap *heap,
                                          uint64_t id) {
    bool is_crowded;
    return mc_object_ids_look(ids, heap, id, &is_crowded);
}

// Whether no other object may have this number: one has it, or too many have its hash.
static inline bool mc_object_ids_is_taken(const mc_object_ids *ids, const mc_object_heap *heap,
                                          uint64_t id) {
    bool is_crowded;
    return mc_object_ids_look(ids, heap, id, &is_crowded) != MC_NONE || is_crowded;
}

// Room for one more. False: memory is out.
static inline bool mc_object_ids_reserve(mc_object_ids *ids) {
    return mc_slots_reserve(&ids->slots, ids->slots.count);
}

// Enters an object for which there is room.
static inline void mc_object_ids_enter(mc_object_ids *ids, uint64_t id, uint32_t object) {
    mc_slots_enter(&ids->slots, (uint32_t)mc_hash_u64(id, ids->seed), object);
}
