// frame_times.h - how long frames took: a histogram, so that any number of them fits.
//
// Bins are a sixteenth of an octave wide, so what is read from them is 2 % off at most. Threads:
// the caller's.
#pragma once
#include "engine/base/text.h"

enum { MC_FRAME_TIMES_PER_OCTAVE = 16, MC_FRAME_TIMES_BIN_COUNT = 16 * MC_FRAME_TIMES_PER_OCTAVE };

// Zeroed: none. From 1/8 ms on; what is shorter or longer than all bins is in the first or last.
typedef struct mc_frame_times {
    uint32_t bins[MC_FRAME_TIMES_BIN_COUNT];
    uint64_t count;
    double longest_ms;
} mc_frame_times;

void mc_frame_times_add(mc_frame_times *times, double frame_ms);
// `share` of them, 0 to 1, took no longer; 0 if there are none.
double mc_frame_times_get_quantile(const mc_frame_times *times, double share);
// How many took more than twice the median.
uint64_t mc_frame_times_count_slow(const mc_frame_times *times);
// A JSON object; its histogram has pairs: milliseconds from which on, and how many, by half
// octaves.
void mc_frame_times_append_json(const mc_frame_times *times, mc_text *out);
