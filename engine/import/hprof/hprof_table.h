// hprof_table.h - a hash table from 64-bit keys (ids of a heap dump) to 64-bit values.
//
// Zero-initialise, put, get, deinit. The hash is seeded when the table is made, so that an input
// can't be crafted to collide; nothing else may depend on a key's place. Threads: get, any number
// at a time; otherwise one.
#pragma once
#include "engine/base/base.h"
#include "engine/base/hash.h"

#define MC_HPROF_NO_VALUE UINT64_MAX

typedef struct mc_hprof_slot {
    uint64_t key, value;
} mc_hprof_slot;

typedef struct mc_hprof_table {
    mc_hprof_slot *slots; // free where the value is MC_HPROF_NO_VALUE
    size_t slot_count;    // a power of two
    size_t count;
    uint64_t seed;
} mc_hprof_table;

// The key's value, which is MC_HPROF_NO_VALUE in a slot that was just taken: the caller then sets
// it. NULL if memory is out. Valid until the next call.
uint64_t *mc_hprof_table_put(mc_hprof_table *table, uint64_t key);
void mc_hprof_table_deinit(mc_hprof_table *table);

static inline uint64_t mc_hprof_table_get(const mc_hprof_table *table, uint64_t key) {
    if (table->slot_count == 0) return MC_HPROF_NO_VALUE;
    size_t mask = table->slot_count - 1;
    for (size_t i = (size_t)mc_hash_u64(key, table->seed) & mask;; i = (i + 1) & mask) {
        const mc_hprof_slot *slot = &table->slots[i];
        if (slot->key == key || slot->value == MC_HPROF_NO_VALUE) return slot->value;
    }
}

// What keys stand for that were looked up last: ids of classes, of which a heap has few at a time.
// Zero-initialise; one a thread.
#define MC_HPROF_RECENT 256 // a power of two
typedef struct mc_hprof_recent {
    struct {
        uint64_t key;
        uint32_t value;
        bool is_known;
    } items[MC_HPROF_RECENT];
} mc_hprof_recent;

// Where the key's value is. False: it is not there yet, and the caller sets it at once.
static inline bool mc_hprof_recent_get(mc_hprof_recent *recent, uint64_t key, uint32_t **value) {
    uint32_t at = (uint32_t)(key >> 3 ^ key >> 10) & (MC_HPROF_RECENT - 1);
    bool is_known = recent->items[at].is_known && recent->items[at].key == key;
    recent->items[at].key = key;
    recent->items[at].is_known = true;
    *value = &recent->items[at].value;
    return is_known;
}
