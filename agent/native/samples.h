// samples.h - the queue of sampled objects from the callbacks to the agent's thread.
//
// Threads: any may put; one takes. The lock is held only briefly, and never across a call into the
// JVM.
#pragma once
#include "agent/native/alloc_rows.h"
#include <jvmti.h>

typedef struct mc_sample {
    jweak object;
    mc_alloc_sample what;
    uint64_t collection; // how many there had been
} mc_sample;

// Zero-initialise; free the items.
typedef struct mc_samples {
    mc_sample *items;
    size_t count, capacity;
} mc_samples;

bool mc_samples_put(const mc_sample *sample); // false: there is no room
// To an array of one's own; false: memory is out.
bool mc_samples_add(mc_samples *samples, const mc_sample *sample, size_t most);
// All that was put since; `taken` had been taken before, and its memory is used again.
void mc_samples_take(mc_samples *taken);
