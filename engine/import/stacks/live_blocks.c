#include "engine/import/stacks/live_blocks.h"

#include "engine/base/hash.h"
#include "engine/base/memory.h"
#include <string.h>

void mc_live_blocks_deinit(mc_live_blocks *blocks) {
    mc_free(blocks->slots);
    memset(blocks, 0, sizeof *blocks);
}

static uint32_t hash_address(uint64_t address) {
    return (uint32_t)mc_hash_u64(address, 3);
}

// The slot that it is in, or the empty one that it would be in.
static uint32_t find(const mc_live_blocks *blocks, uint64_t address, uint32_t hash) {
    uint32_t mask = blocks->slot_count - 1, at = hash & mask;
    while (blocks->slots[at].number != 0 && blocks->slots[at].address != address)
        at = (at + 1) & mask;
    return at;
}

void mc_live_blocks_prefetch(const mc_live_blocks *blocks, uint64_t address) {
    if (blocks->slot_count > 0)
        __builtin_prefetch(&blocks->slots[hash_address(address) & (blocks->slot_count - 1)], 1);
}

// Those behind the slot that becomes empty move up, unless that is before their first one.
uint32_t mc_live_blocks_take(mc_live_blocks *blocks, uint64_t address) {
    if (blocks->slot_count == 0) return MC_NONE;
    uint32_t mask = blocks->slot_count - 1;
    uint32_t empty = find(blocks, address, hash_address(address));
    if (blocks->slots[empty].number == 0) return MC_NONE;
    uint32_t kind = blocks->slots[empty].number - 1;
    for (uint32_t at = (empty + 1) & mask; blocks->slots[at].number != 0; at = (at + 1) & mask) {
        uint32_t first = blocks->slots[at].hash & mask;
        if (((at - first) & mask) < ((at - empty) & mask)) continue;
        blocks->slots[empty] = blocks->slots[at];
        empty = at;
    }
    blocks->slots[empty].number = 0;
    blocks->count--;
    return kind;
}

static bool grow(mc_live_blocks *blocks) {
    mc_live_blocks grown = {.slot_count = blocks->slot_count ? blocks->slot_count * 2 : 64,
                            .count = blocks->count};
    if (blocks->slot_count >= UINT32_C(1) << 31) return false;
    grown.slots = mc_alloc_zero(grown.slot_count, sizeof *grown.slots);
    if (!grown.slots) return false;
    for (uint32_t i = 0; i < blocks->slot_count; i++) {
        const mc_live_block *block = &blocks->slots[i];
        if (block->number != 0) grown.slots[find(&grown, block->address, block->hash)] = *block;
    }
    mc_free(blocks->slots);
    *blocks = grown;
    return true;
}

bool mc_live_blocks_put(mc_live_blocks *blocks, uint64_t address, uint32_t kind, uint32_t *before) {
    if ((uint64_t)blocks->count * 3 >= (uint64_t)blocks->slot_count * 2 && !grow(blocks))
        return false;
    uint32_t hash = hash_address(address), at = find(blocks, address, hash);
    mc_live_block *block = &blocks->slots[at];
    *before = block->number != 0 ? block->number - 1 : MC_NONE;
    if (block->number == 0) blocks->count++;
    *block = (mc_live_block){address, kind + 1, hash};
    return true;
}
