// alloc_rows.h - counts live and allocated objects by class, stack and thread, and tracks which
// counts were sent.
//
// Threads: the agent's.
#pragma once
#include "agent/native/frames.h"
#include <stdint.h>

// A sample of `size` bytes stands for `weight` objects like it: one over the probability that an
// object of that size is sampled. The estimate's variance is the sum of (1 - p) / p^2 * size^2.
typedef struct mc_alloc_sample {
    uint32_t class_number, stack, thread;
    uint64_t size;
} mc_alloc_sample;

void mc_alloc_rows_begin(uint64_t interval); // in bytes; 0: each allocation is counted
void mc_alloc_rows_end(void);                // frees all
// The number of the row, to take it back with; UINT32_MAX: memory is out, or there are too many.
uint32_t mc_alloc_rows_add(const mc_alloc_sample *sample);
void mc_alloc_rows_remove(uint32_t row, uint64_t size); // it is dead
// Appends the differences since the last time, as far as names are sent and there is room. True:
// all.
bool mc_alloc_rows_flush(mc_frames *out, uint64_t now_ns);
