// live_blocks.h - which blocks of memory are alive, by their addresses, and of which kind each is.
//
// For recordings that say of an address that it is freed, and not what was there. Memory: the most
// blocks that were alive at a time. O(1) a call. Zero-initialise but for `free`; deinit. Threads:
// one.
#pragma once
#include "engine/base/slots.h"

typedef struct mc_live_blocks {
    uint64_t *addresses;
    uint32_t *kinds; // of which they are; of free ones the next free one
    size_t count, address_capacity, kind_capacity;
    uint32_t free; // MC_NONE: none
    mc_slots slots;
} mc_live_blocks;

void mc_live_blocks_init(mc_live_blocks *blocks);
void mc_live_blocks_deinit(mc_live_blocks *blocks);

// The block at an address; MC_NONE: there is none.
uint32_t mc_live_blocks_find(const mc_live_blocks *blocks, uint64_t address);
// One that is not there yet. False: out of memory, or too many.
bool mc_live_blocks_add(mc_live_blocks *blocks, uint64_t address, uint32_t kind);
// Removes a block that was found, and returns its kind.
uint32_t mc_live_blocks_remove(mc_live_blocks *blocks, uint32_t block);
