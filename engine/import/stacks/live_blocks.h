// live_blocks.h - which blocks of memory are alive, by their addresses, and of which kind each is.
//
// For recordings that say of an address that it is freed, and not what was there. Memory: the most
// blocks that were alive at a time. O(1) a call, one line of the cache. Zero-initialise; deinit.
// Threads: one.
#pragma once
#include "engine/base/base.h"

typedef struct mc_live_block {
    uint64_t address;
    uint32_t number; // of its kind, from 1 on; 0: the slot is empty
    uint32_t hash;
} mc_live_block;

typedef struct mc_live_blocks {
    mc_live_block *slots; // open addressing, linear probing; at most two of three are taken
    uint32_t slot_count;  // a power of two, or 0
    uint32_t count;
} mc_live_blocks;

void mc_live_blocks_deinit(mc_live_blocks *blocks);

// Fetches where an address is looked up into the cache.
void mc_live_blocks_prefetch(const mc_live_blocks *blocks, uint64_t address);
// Takes the block at an address out, and returns its kind; MC_NONE: there is none.
uint32_t mc_live_blocks_take(mc_live_blocks *blocks, uint64_t address);
// Puts a block at an address, and returns the kind of the one that was there; MC_NONE: none was.
// False: out of memory, or too many.
bool mc_live_blocks_put(mc_live_blocks *blocks, uint64_t address, uint32_t kind, uint32_t *before);
