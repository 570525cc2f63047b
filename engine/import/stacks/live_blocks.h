// live_blocks.h - which blocks of memory are alive, by their addresses, and of which kind each is.
//
// For recordings that say of an address that it is freed, and not what was there. Memory: the most
// blocks that were alive at a time, 32 to 64 bytes each. O(1) a call, one line of the cache, and no
// branch that depends on where in it a block is. Addresses are untrusted: their hashes have a seed
// of each table. Zero-initialise; deinit. Threads: one.
#pragma once
#include "engine/base/base.h"

#define MC_LIVE_BLOCKS_A_LINE 5

// As large as a line of the cache.
typedef struct mc_live_line {
    uint64_t addresses[MC_LIVE_BLOCKS_A_LINE];
    uint32_t kinds[MC_LIVE_BLOCKS_A_LINE];
    uint32_t taken; // one bit each; above them how many blocks of this line are in later ones
} mc_live_line;
_Static_assert(sizeof(mc_live_line) == 64, "one line");

typedef struct mc_live_blocks {
    mc_live_line *lines;
    uint32_t line_count; // a power of two, or 0
    uint32_t count;
    uint64_t seed;
} mc_live_blocks;

void mc_live_blocks_deinit(mc_live_blocks *blocks);

// Fetches where an address is looked up into the cache.
void mc_live_blocks_prefetch(const mc_live_blocks *blocks, uint64_t address);
// Takes the block at an address out, and returns its kind; MC_NONE: there is none.
uint32_t mc_live_blocks_take(mc_live_blocks *blocks, uint64_t address);
// Puts a block at an address, and returns the kind of the one that was there; MC_NONE: none was.
// False: out of memory, or too many.
bool mc_live_blocks_put(mc_live_blocks *blocks, uint64_t address, uint32_t kind, uint32_t *before);
