// Parts of a task in several threads: each part once, each thread number by one thread at a time,
// and the threads side by side.
#include "engine/base/parallel.h"
#include "tests/test.h"
#include <stdatomic.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#define PART_COUNT 1000

static uint8_t done[PART_COUNT];
static _Atomic int busy[MC_PARALLEL_THREADS_MAX];
static _Atomic int wrong;

static void run(void *user, uint32_t part, uint32_t thread) {
    uint32_t thread_count = *(const uint32_t *)user;
    if (part >= PART_COUNT || thread >= thread_count || thread >= MC_PARALLEL_THREADS_MAX) {
        wrong++;
        return;
    }
    if (atomic_fetch_add(&busy[thread], 1) != 0) wrong++;
    done[part]++;
    atomic_fetch_sub(&busy[thread], 1);
}

static void test_parts(uint32_t part_count, uint32_t thread_count) {
    memset(done, 0, sizeof done);
    wrong = 0;
    mc_parallel_run(part_count, thread_count, run, &thread_count);
    CHECK(wrong == 0);
    for (uint32_t i = 0; i < PART_COUNT; i++)
        CHECK(done[i] == (i < part_count));
}

static void mark(void *user, uint32_t begin, uint32_t end, uint32_t thread) {
    const uint32_t size = *(const uint32_t *)user;
    (void)thread;
    if (begin % size != 0 || end <= begin || end - begin > size) wrong++;
    for (uint32_t i = begin; i < end; i++)
        done[i]++;
}

static void test_ranges(uint32_t count, uint32_t size) {
    memset(done, 0, sizeof done);
    wrong = 0;
    mc_parallel_run_ranges(count, size, 3, mark, &size);
    CHECK(wrong == 0);
    for (uint32_t i = 0; i < PART_COUNT; i++)
        CHECK(done[i] == (i < count));
}

// How many pages of fresh memory are there afterwards.
static size_t count_touched(size_t size, uint32_t thread_count) {
    static unsigned char states[(16 << 20) / 4096];
    const size_t page = (size_t)sysconf(_SC_PAGESIZE);
    void *memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    size_t count = 0;
    REQUIRE(memory != MAP_FAILED);
    (void)madvise(memory, size, MADV_NOHUGEPAGE);
    mc_parallel_touch(memory, size, thread_count);
    CHECK(mincore(memory, size, states) == 0);
    for (size_t i = 0; i < size / page; i++)
        count += states[i] & 1;
    munmap(memory, size);
    return count;
}

static void test_touch(void) {
    const size_t page = (size_t)sysconf(_SC_PAGESIZE), size = 13 << 20;
    CHECK(count_touched(size, 2) == size / page);
    CHECK(count_touched(size, 1) == 0);
    CHECK(count_touched(4096, 2) == 0);
}

// Content stays, and threads may be more than pieces.
static void test_touch_blocks(uint32_t thread_count) {
    static unsigned char blocks[3][(9 << 20) + 3];
    const mc_memory_block list[] = {
        {blocks[0], sizeof blocks[0]}, {NULL, 0}, {blocks[1], 1}, {blocks[2], sizeof blocks[2]}};
    for (size_t i = 0; i < sizeof blocks; i++)
        blocks[i / sizeof *blocks][i % sizeof *blocks] = (unsigned char)(i * 7 + i / 4096);
    mc_parallel_touch_blocks(list, sizeof list / sizeof *list, thread_count);
    size_t wrong_count = 0;
    for (size_t i = 0; i < sizeof blocks; i++)
        wrong_count +=
            blocks[i / sizeof *blocks][i % sizeof *blocks] != (unsigned char)(i * 7 + i / 4096);
    CHECK(wrong_count == 0);
}

static _Atomic uint32_t arrived;

// Each part waits for the others, which one thread after the other would never see.
static void meet(void *user, uint32_t part, uint32_t thread) {
    uint32_t thread_count = *(const uint32_t *)user;
    (void)part, (void)thread;
    atomic_fetch_add(&arrived, 1);
    for (int i = 0; atomic_load(&arrived) < thread_count && atomic_load(&wrong) == 0; i++) {
        if (i == 20000) { // ms
            wrong++;
            return;
        }
        nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
    }
}

static void test_at_once(uint32_t thread_count) {
    arrived = 0;
    wrong = 0;
    mc_parallel_run(thread_count, thread_count, meet, &thread_count);
    CHECK_MSG(wrong == 0, "%u threads: %d parts ran alone", thread_count, wrong);
}

int main(void) {
    CHECK(mc_parallel_get_core_count() >= 1);
    test_parts(0, 3);
    test_parts(1, 4);
    test_parts(2, 3);
    for (uint32_t threads = 1; threads <= 20; threads++)
        test_parts(PART_COUNT, threads);
    for (uint32_t count = 0; count <= 9; count++)
        test_ranges(count, 4);
    test_ranges(PART_COUNT, PART_COUNT + 1);
    test_touch();
    test_touch_blocks(1);
    test_touch_blocks(2);
    test_touch_blocks(16);
    test_at_once(2);
    test_at_once(MC_PARALLEL_THREADS_MAX);
    return test_finish();
}
