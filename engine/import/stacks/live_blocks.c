#include "engine/import/stacks/live_blocks.h"

#include "engine/base/clock.h"
#include "engine/base/hash.h"
#include "engine/base/memory.h"
#include <string.h>

#define TAKEN_BITS ((UINT32_C(1) << MC_LIVE_BLOCKS_A_LINE) - 1)
#define ONE_AWAY (TAKEN_BITS + 1) // of `taken`: a block that is in a later line
#define LINES_MOST (UINT32_C(1) << 29)

void mc_live_blocks_deinit(mc_live_blocks *blocks) {
    mc_free(blocks->lines);
    memset(blocks, 0, sizeof *blocks);
}

static uint32_t get_home(const mc_live_blocks *blocks, uint64_t address) {
    return (uint32_t)mc_hash_u64(address, blocks->seed) & (blocks->line_count - 1);
}

// One bit, of the block at the address; 0: it is not in this line.
static inline uint32_t find_in_line(const mc_live_line *line, uint64_t address) {
    uint32_t found = 0;
    for (uint32_t i = 0; i < MC_LIVE_BLOCKS_A_LINE; i++)
        found |= (uint32_t)(line->addresses[i] == address) << i;
    return found & line->taken;
}

void mc_live_blocks_prefetch(const mc_live_blocks *blocks, uint64_t address) {
    if (blocks->line_count > 0) __builtin_prefetch(&blocks->lines[get_home(blocks, address)], 1);
}

// The later line with a block that does not fit into its own, and its bit. NULL: it is in none.
static mc_live_line *find_away(const mc_live_blocks *blocks, uint32_t home, uint64_t address,
                               uint32_t *bit) {
    const uint32_t mask = blocks->line_count - 1;
    uint32_t left = blocks->lines[home].taken / ONE_AWAY;
    for (uint32_t at = (home + 1) & mask; left > 0; at = (at + 1) & mask) {
        mc_live_line *line = &blocks->lines[at];
        *bit = find_in_line(line, address);
        if (*bit) return line;
        for (uint32_t i = 0; i < MC_LIVE_BLOCKS_A_LINE; i++)
            left -= (line->taken >> i & 1) && get_home(blocks, line->addresses[i]) == home;
    }
    return NULL;
}

uint32_t mc_live_blocks_take(mc_live_blocks *blocks, uint64_t address) {
    if (blocks->line_count == 0) return MC_NONE;
    const uint32_t home = get_home(blocks, address);
    mc_live_line *own = &blocks->lines[home], *line = own;
    uint32_t bit = find_in_line(line, address);
    if (!bit) {
        if (own->taken < ONE_AWAY) return MC_NONE;
        line = find_away(blocks, home, address, &bit);
        if (!line) return MC_NONE;
        own->taken -= ONE_AWAY;
    }
    line->taken &= ~bit;
    blocks->count--;
    return line->kinds[__builtin_ctz(bit)];
}

// Of an address that is not there; there is room.
static void add(mc_live_blocks *blocks, uint64_t address, uint32_t kind) {
    const uint32_t mask = blocks->line_count - 1, home = get_home(blocks, address);
    mc_live_line *line = &blocks->lines[home];
    if ((line->taken & TAKEN_BITS) == TAKEN_BITS) {
        line->taken += ONE_AWAY;
        for (uint32_t at = home; (line->taken & TAKEN_BITS) == TAKEN_BITS;)
            line = &blocks->lines[at = (at + 1) & mask];
    }
    const uint32_t place = (uint32_t)__builtin_ctz(~line->taken);
    line->addresses[place] = address;
    line->kinds[place] = kind;
    line->taken |= UINT32_C(1) << place;
    blocks->count++;
}

static bool grow(mc_live_blocks *blocks) {
    mc_live_blocks grown = {.line_count = blocks->line_count ? blocks->line_count * 2 : 16,
                            .seed = blocks->seed};
    if (blocks->line_count >= LINES_MOST) return false;
    grown.lines = mc_alloc_zero_scattered(grown.line_count, sizeof *grown.lines);
    if (!grown.lines) return false;
    if (blocks->line_count == 0) grown.seed = mc_clock_now_ns() ^ (uint64_t)(uintptr_t)grown.lines;
    for (uint32_t i = 0; i < blocks->line_count; i++)
        for (uint32_t k = 0; k < MC_LIVE_BLOCKS_A_LINE; k++)
            if (blocks->lines[i].taken >> k & 1)
                add(&grown, blocks->lines[i].addresses[k], blocks->lines[i].kinds[k]);
    mc_free(blocks->lines);
    *blocks = grown;
    return true;
}

bool mc_live_blocks_put(mc_live_blocks *blocks, uint64_t address, uint32_t kind, uint32_t *before) {
    // Two blocks a line at most: then one of 60 lines has more than it has room for.
    if (blocks->count >= (uint64_t)blocks->line_count * 2 && !grow(blocks)) return false;
    const uint32_t home = get_home(blocks, address);
    mc_live_line *line = &blocks->lines[home];
    uint32_t bit = find_in_line(line, address);
    if (!bit && line->taken >= ONE_AWAY) {
        mc_live_line *away = find_away(blocks, home, address, &bit);
        if (away) line = away;
    }
    *before = bit ? line->kinds[__builtin_ctz(bit)] : MC_NONE;
    if (bit)
        line->kinds[__builtin_ctz(bit)] = kind;
    else if (line->taken > UINT32_MAX - ONE_AWAY)
        return false;
    else
        add(blocks, address, kind);
    return true;
}
