// Parts of a task in several threads: each part once, each thread number by one thread at a time.
#include "engine/base/parallel.h"
#include "tests/test.h"
#include <stdatomic.h>

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

int main(void) {
    CHECK(mc_parallel_get_core_count() >= 1);
    test_parts(0, 3);
    test_parts(1, 4);
    test_parts(2, 3);
    for (uint32_t threads = 1; threads <= 20; threads++)
        test_parts(PART_COUNT, threads);
    return test_finish();
}
