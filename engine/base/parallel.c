#include "engine/base/parallel.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

typedef struct shared_task {
    void (*run)(void *user, uint32_t part, uint32_t thread);
    void *user;
    uint32_t part_count;
    _Atomic uint32_t next;
} shared_task;

typedef struct helper {
    shared_task *task;
    uint32_t number;
    pthread_t thread;
} helper;

uint32_t mc_parallel_get_core_count(void) {
    cpu_set_t cores;
    int count = sched_getaffinity(0, sizeof cores, &cores) == 0 ? CPU_COUNT(&cores) : 1;
    return count > 1 ? (uint32_t)count : 1;
}

static void take_parts(shared_task *task, uint32_t thread) {
    for (;;) {
        uint32_t part = atomic_fetch_add(&task->next, 1);
        if (part >= task->part_count) return;
        task->run(task->user, part, thread);
    }
}

static void *run_helper(void *user) {
    helper *self = user;
    take_parts(self->task, self->number);
    return NULL;
}

void mc_parallel_run(uint32_t part_count, uint32_t thread_count,
                     void (*run)(void *user, uint32_t part, uint32_t thread), void *user) {
    shared_task task = {.run = run, .user = user, .part_count = part_count};
    helper helpers[MC_PARALLEL_THREADS_MAX] = {{0}};
    uint32_t started = 0;
    if (thread_count > MC_PARALLEL_THREADS_MAX) thread_count = MC_PARALLEL_THREADS_MAX;
    if (thread_count > part_count) thread_count = part_count;
    while (started + 1 < thread_count) {
        helper *next = &helpers[started];
        *next = (helper){.task = &task, .number = started + 1};
        if (pthread_create(&next->thread, NULL, run_helper, next) != 0) break;
        started++;
    }
    take_parts(&task, 0);
    for (uint32_t i = 0; i < started; i++)
        pthread_join(helpers[i].thread, NULL);
}

typedef struct ranges {
    uint32_t count, size;
    void (*run)(void *user, uint32_t begin, uint32_t end, uint32_t thread);
    void *user;
} ranges;

static void run_range(void *user, uint32_t part, uint32_t thread) {
    const ranges *self = user;
    const uint32_t begin = part * self->size, rest = self->count - begin;
    self->run(self->user, begin, rest < self->size ? self->count : begin + self->size, thread);
}

void mc_parallel_run_ranges(uint32_t count, uint32_t size, uint32_t thread_count,
                            void (*run)(void *user, uint32_t begin, uint32_t end, uint32_t thread),
                            void *user) {
    ranges task = {count, size, run, user};
    if (count > 0) mc_parallel_run((count - 1) / size + 1, thread_count, run_range, &task);
}

#define PAGE_SIZE 4096               // at least
#define PIECE_SIZE ((size_t)4 << 20) // that one thread touches at a time: two huge pages

typedef struct touched_blocks {
    const mc_memory_block *first;
} touched_blocks;

static size_t count_pieces(const mc_memory_block *block) {
    return (block->size + PIECE_SIZE - 1) / PIECE_SIZE;
}

static void touch_piece(void *user, uint32_t part, uint32_t thread) {
    const touched_blocks *self = user;
    const mc_memory_block *block = self->first;
    size_t piece = part;
    (void)thread;
    for (; piece >= count_pieces(block); block++)
        piece -= count_pieces(block);
    // Reading first would take two faults a page: one for a page of zeros, one for its copy.
    _Atomic unsigned char *memory = block->memory;
    volatile unsigned char zero = 0; // or the compiler may read alone
    const unsigned char nothing = zero;
    const size_t begin = piece * PIECE_SIZE, rest = block->size - begin;
    const size_t end = rest < PIECE_SIZE ? block->size : begin + PIECE_SIZE;
    for (size_t at = begin; at < end; at += PAGE_SIZE)
        atomic_fetch_or_explicit(&memory[at], nothing, memory_order_relaxed);
}

void mc_parallel_touch_blocks(const mc_memory_block *blocks, uint32_t count,
                              uint32_t thread_count) {
    touched_blocks task = {blocks};
    size_t piece_count = 0;
    for (uint32_t i = 0; i < count; i++)
        piece_count += count_pieces(&blocks[i]);
    if (piece_count > 1 && thread_count > 1)
        mc_parallel_run((uint32_t)piece_count, thread_count, touch_piece, &task);
}

void mc_parallel_touch(void *memory, size_t size, uint32_t thread_count) {
    const mc_memory_block block = {memory, size};
    mc_parallel_touch_blocks(&block, 1, thread_count);
}
