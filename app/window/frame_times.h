// frame_times.h - a histogram of frame times, of constant size.
//
// Bins are a sixteenth of an octave wide, so quantiles are off by 2 % at most. Threads: the
// caller's.
#pragma once
#include "app/print/print.h"
#include "engine/base/text.h"

enum { MC_FRAME_TIMES_PER_OCTAVE = 16, MC_FRAME_TIMES_BIN_COUNT = 16 * MC_FRAME_TIMES_PER_OCTAVE };

// Zeroed: empty. Bins begin at 1/8 ms; times outside of all bins go into the first or last.
typedef struct mc_frame_times {
    uint32_t bins[MC_FRAME_TIMES_BIN_COUNT];
    uint64_t count;
    double longest_ms;
} mc_frame_times;

void mc_frame_times_add(mc_frame_times *times, double frame_ms);
// The time that a `share` of the frames, 0 to 1, did not exceed; 0 if there are none.
double mc_frame_times_get_quantile(const mc_frame_times *times, double share);
// How many frames took more than twice the median.
uint64_t mc_frame_times_count_slow(const mc_frame_times *times);
// Appends a JSON object. Its histogram has a pair for each half octave: its lower bound in ms, and
// the count.
void mc_frame_times_put(const mc_frame_times *times, const char *key, mc_print *print);
