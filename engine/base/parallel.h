// parallel.h - runs the parts of a task on several cores.
//
// For tasks of some milliseconds or more: threads are started for each call. Allocates nothing.
#pragma once
#include "engine/base/base.h"

// The cores that this process may use, at least 1.
uint32_t mc_parallel_get_core_count(void);

// Calls run(user, part, thread) once for every part < part_count, in any order, in at most
// `thread_count` threads. Threads are numbered from 0, and no two parts run with the same number at
// a time. The calling thread is one of them, and the only one if no other can be started.
void mc_parallel_run(uint32_t part_count, uint32_t thread_count,
                     void (*run)(void *user, uint32_t part, uint32_t thread), void *user);
// The same for the ranges of `size` numbers, the last one shorter, that make up 0 to `count`.
void mc_parallel_run_ranges(uint32_t count, uint32_t size, uint32_t thread_count,
                            void (*run)(void *user, uint32_t begin, uint32_t end, uint32_t thread),
                            void *user);
typedef struct mc_memory_block {
    void *memory;
    size_t size;
} mc_memory_block;

// Touches fresh memory in several threads, so that one thread that fills it later need not wait for
// the system to provide page after page. What is in it stays; nobody else uses it meanwhile. With
// one thread, and of a few megabytes, nothing happens.
void mc_parallel_touch(void *memory, size_t size, uint32_t thread_count);
void mc_parallel_touch_blocks(const mc_memory_block *blocks, uint32_t count, uint32_t thread_count);
#define MC_PARALLEL_THREADS_MAX 16
// The alignment of what each thread writes to often, so that cores don't share a line of the cache,
// nor the one that is fetched with it. In bytes.
#define MC_PARALLEL_APART 128
