// Large blocks that were freed serve again, never more of them than their limit and the peak allow.
#include "engine/base/block_reuse.h"
#include "engine/base/memory.h"
#include "tests/test.h"
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#define MB ((size_t)1 << 20)

static void *use(size_t size) {
    void *block = malloc(size);
    CHECK(block);
    mc_block_reuse_note_use(size);
    return block;
}

static void keep(void *block, size_t size) {
    CHECK(mc_block_reuse_keep(block, size));
}

static void *take(size_t size) {
    void *block = mc_block_reuse_take(size);
    if (block) mc_block_reuse_note_use(size);
    return block;
}

static void drop(void *block, size_t size) {
    mc_block_reuse_note_end(size);
    free(block);
}

// The block that fits best, and another one resized where none fits.
static void test_choice(void) {
    mc_block_reuse_set_limit(64 * MB);
    char *small = use(2 * MB), *middle = use(8 * MB), *large = use(12 * MB);
    memset(small, 'x', 2 * MB);
    keep(large, 12 * MB);
    keep(small, 2 * MB);
    keep(middle, 8 * MB);
    CHECK(take(8 * MB) == middle);
    CHECK(take(11 * MB) == large); // a little too large
    char *grown = take(3 * MB);    // the only one left has 2
    CHECK(grown && memcmp(grown, "xxx", 3) == 0);
    if (grown) grown[3 * MB - 1] = 1;
    CHECK(!mc_block_reuse_take(2 * MB));
    drop(middle, 8 * MB);
    drop(large, 11 * MB);
    drop(grown, 3 * MB);
    mc_block_reuse_set_limit(0);
}

static void test_limits(void) {
    void *block = use(4 * MB);
    CHECK(!mc_block_reuse_keep(block, 4 * MB)); // at first nothing is kept
    mc_block_reuse_set_limit(6 * MB);
    void *other = use(4 * MB);
    mc_block_reuse_note_use(4 * MB);
    keep(block, 4 * MB);
    keep(other, 4 * MB); // the older one is freed
    CHECK(take(4 * MB) == other);
    CHECK(!mc_block_reuse_take(4 * MB));
    void *wide = use(7 * MB);
    CHECK(!mc_block_reuse_keep(wide, 7 * MB));
    free(wide);
    keep(other, 4 * MB);
    mc_block_reuse_set_limit(0); // frees it
    CHECK(!mc_block_reuse_take(4 * MB));
}

// Kept ones and those in use together are no more than were in use at once.
static void test_peak(void) {
    mc_block_reuse_set_limit(1024 * MB);
    void *block = use(200 * MB); // the most so far
    keep(block, 200 * MB);
    mc_block_reuse_note_use(1 * MB);
    CHECK(!mc_block_reuse_take(200 * MB));
    mc_block_reuse_note_end(1 * MB);
    mc_block_reuse_set_limit(0);
}

// Through the allocator, which gives zeros where they are asked for. A sanitized one keeps nothing.
static void test_allocator(void) {
    mc_block_reuse_set_limit(64 * MB);
    unsigned char *block = mc_alloc(4 * MB, 1);
    CHECK(block);
    if (!block) return;
    memset(block, 1, 4 * MB);
    mc_free(block);
    unsigned char *zero = mc_alloc_zero(4 * MB, 1);
    CHECK(zero && zero[0] == 0 && memcmp(zero, zero + 1, 4 * MB - 1) == 0);
    unsigned char *grown = mc_realloc(zero, 9 * MB, 1);
    CHECK(grown && grown[4 * MB - 1] == 0);
    mc_free(grown);
    unsigned char *scattered = mc_alloc_zero_scattered(9 * MB, 1);
    CHECK(scattered && scattered[9 * MB - 1] == 0);
    mc_free(scattered);
    mc_block_reuse_set_limit(0);
}

// What is kept does not make memory scarce.
static void test_scarce(void) {
    struct rlimit before, limited;
    unsigned long pages = 0;
    FILE *sizes = fopen("/proc/self/statm", "r");
    CHECK(sizes && fscanf(sizes, "%lu", &pages) == 1);
    if (sizes) fclose(sizes);
    if (MC_TEST_SANITIZED || pages == 0 || getrlimit(RLIMIT_AS, &before) != 0) return;
    mc_block_reuse_set_limit(128 * MB);
    mc_free(mc_alloc(64 * MB, 1));
    limited = before;
    limited.rlim_cur = pages * (rlim_t)sysconf(_SC_PAGESIZE) + 80 * MB;
    CHECK(setrlimit(RLIMIT_AS, &limited) == 0);
    void *scattered = mc_alloc_scattered(64 * MB, 1); // never a kept block
    CHECK(scattered);
    CHECK(!mc_block_reuse_drop());
    mc_free(scattered);
    CHECK(setrlimit(RLIMIT_AS, &before) == 0);
    mc_block_reuse_set_limit(0);
}

int main(void) {
    test_choice();
    test_limits();
    test_peak();
    test_allocator();
    test_scarce();
    return test_finish();
}
