// Blocks that are alive beside a list of them: random ones, and those that belong into one line.
#include "engine/base/hash.h"
#include "engine/base/memory.h"
#include "engine/import/stacks/live_blocks.h"
#include "tests/random.h"
#include "tests/test.h"

#define ADDRESSES 3000

typedef struct reference {
    uint64_t addresses[ADDRESSES];
    uint32_t kinds[ADDRESSES]; // MC_NONE: not alive
    uint32_t alive_count;
} reference;

static reference wanted;

// Those that begin in the same line of a table of up to 2^16 lines, and so go on into later ones.
static void fill_addresses(uint32_t alike_count) {
    uint64_t candidate = 0;
    wanted.alive_count = 0;
    for (uint32_t i = 0; i < ADDRESSES; i++) {
        wanted.kinds[i] = MC_NONE;
        wanted.addresses[i] = i == 0 ? 0 : (uint64_t)i << 40 | i * 16;
        if (i == 0 || i > alike_count) continue;
        do
            candidate += 8;
        while ((mc_hash_u64(candidate, 3) & 0xffff) > 1);
        wanted.addresses[i] = candidate;
    }
}

static void try_events(uint32_t alike_count, uint32_t event_count, uint64_t seed) {
    mc_live_blocks blocks = {.count = 0};
    fill_addresses(alike_count);
    CHECK(mc_live_blocks_take(&blocks, 5) == MC_NONE);
    for (uint32_t event = 0; event < event_count; event++) {
        // Now more come than go, now the other way round.
        bool is_put = test_random(&seed) % 8 < (event / 5000 % 2 ? 2u : 6u);
        uint32_t i = (uint32_t)(test_random(&seed) % ADDRESSES), before = 0;
        if (test_random(&seed) % 2 && alike_count > 0) i %= alike_count + 1;
        mc_live_blocks_prefetch(&blocks, wanted.addresses[i]);
        if (is_put) {
            REQUIRE(mc_live_blocks_put(&blocks, wanted.addresses[i], event, &before));
            CHECK(before == wanted.kinds[i]);
            wanted.alive_count += wanted.kinds[i] == MC_NONE;
            wanted.kinds[i] = event;
        } else {
            CHECK(mc_live_blocks_take(&blocks, wanted.addresses[i]) == wanted.kinds[i]);
            wanted.alive_count -= wanted.kinds[i] != MC_NONE;
            wanted.kinds[i] = MC_NONE;
        }
        CHECK(blocks.count == wanted.alive_count);
    }
    for (uint32_t i = 0; i < ADDRESSES; i++)
        CHECK(mc_live_blocks_take(&blocks, wanted.addresses[i]) == wanted.kinds[i]);
    CHECK(blocks.count == 0);
    mc_live_blocks_deinit(&blocks);
}

static void test_memory(void) {
    mc_live_blocks blocks = {.count = 0};
    uint32_t before, put_count = 0;
    mc_memory_fail_after(2);
    while (mc_live_blocks_put(&blocks, put_count * 64, put_count, &before))
        put_count++;
    mc_memory_fail_after(UINT64_MAX);
    CHECK(put_count > 16 && blocks.count == put_count);
    for (uint32_t i = 0; i < put_count; i++)
        CHECK(mc_live_blocks_take(&blocks, i * 64) == i);
    mc_live_blocks_deinit(&blocks);
}

int main(void) {
    try_events(0, 60000, 1);
    try_events(40, 60000, 2);
    try_events(400, 60000, 3);
    test_memory();
    return test_finish();
}
