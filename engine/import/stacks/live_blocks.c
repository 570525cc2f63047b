#include "engine/import/stacks/live_blocks.h"

#include "engine/base/hash.h"
#include "engine/base/memory.h"
#include <string.h>

void mc_live_blocks_init(mc_live_blocks *blocks) {
    memset(blocks, 0, sizeof *blocks);
    blocks->free = MC_NONE;
}

void mc_live_blocks_deinit(mc_live_blocks *blocks) {
    mc_free(blocks->addresses);
    mc_free(blocks->kinds);
    mc_slots_deinit(&blocks->slots);
    mc_live_blocks_init(blocks);
}

static uint32_t hash_address(uint64_t address) {
    return (uint32_t)mc_hash_u64(address, 3);
}

uint32_t mc_live_blocks_find(const mc_live_blocks *blocks, uint64_t address) {
    uint32_t hash = hash_address(address);
    for (uint32_t at = hash, found; (found = mc_slots_find(&blocks->slots, hash, &at)) != MC_NONE;)
        if (blocks->addresses[found] == address) return found;
    return MC_NONE;
}

bool mc_live_blocks_add(mc_live_blocks *blocks, uint64_t address, uint32_t kind) {
    uint32_t number = blocks->free;
    if (number != MC_NONE) {
        if (!mc_slots_add(&blocks->slots, hash_address(address), number)) return false;
        blocks->free = blocks->kinds[number];
    } else {
        number = (uint32_t)blocks->count;
        if (blocks->count >= MC_NONE / 4 ||
            !mc_reserve(&blocks->addresses, &blocks->address_capacity, blocks->count + 1,
                        sizeof address) ||
            !mc_reserve(&blocks->kinds, &blocks->kind_capacity, blocks->count + 1, sizeof kind) ||
            !mc_slots_add(&blocks->slots, hash_address(address), number))
            return false;
        blocks->count++;
    }
    blocks->addresses[number] = address;
    blocks->kinds[number] = kind;
    return true;
}

uint32_t mc_live_blocks_remove(mc_live_blocks *blocks, uint32_t block) {
    uint32_t kind = blocks->kinds[block];
    mc_slots_remove(&blocks->slots, hash_address(blocks->addresses[block]), block);
    blocks->kinds[block] = blocks->free;
    blocks->free = block;
    return kind;
}
