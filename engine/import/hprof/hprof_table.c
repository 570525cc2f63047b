#include "engine/import/hprof/hprof_table.h"

#include "engine/base/clock.h"
#include "engine/base/memory.h"
#include <string.h>

static bool grow(mc_hprof_table *table) {
    size_t count = table->slot_count > 0 ? table->slot_count * 2 : 64;
    mc_hprof_slot *slots = mc_alloc_scattered(count, sizeof *slots);
    if (!slots) return false;
    for (size_t i = 0; i < count; i++)
        slots[i] = (mc_hprof_slot){.value = MC_HPROF_NO_VALUE};
    if (table->slot_count == 0) table->seed = mc_clock_now_ns() ^ (uint64_t)(uintptr_t)slots;
    for (size_t i = 0; i < table->slot_count; i++) {
        if (table->slots[i].value == MC_HPROF_NO_VALUE) continue;
        size_t at = (size_t)mc_hash_u64(table->slots[i].key, table->seed) & (count - 1);
        while (slots[at].value != MC_HPROF_NO_VALUE)
            at = (at + 1) & (count - 1);
        slots[at] = table->slots[i];
    }
    mc_free(table->slots);
    table->slots = slots;
    table->slot_count = count;
    return true;
}

uint64_t *mc_hprof_table_put(mc_hprof_table *table, uint64_t key) {
    if (table->count >= table->slot_count / 2 && !grow(table)) return NULL;
    size_t mask = table->slot_count - 1;
    for (size_t i = (size_t)mc_hash_u64(key, table->seed) & mask;; i = (i + 1) & mask) {
        mc_hprof_slot *slot = &table->slots[i];
        if (slot->value == MC_HPROF_NO_VALUE) {
            slot->key = key;
            table->count++;
            return &slot->value;
        }
        if (slot->key == key) return &slot->value;
    }
}

void mc_hprof_table_deinit(mc_hprof_table *table) {
    mc_free(table->slots);
    memset(table, 0, sizeof *table);
}
