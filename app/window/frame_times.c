#include "app/window/frame_times.h"

#include <math.h>

#define LEAST_MS 0.125
enum { BINS_PER_ROW = MC_FRAME_TIMES_PER_OCTAVE / 2 };

static uint32_t get_bin(double frame_ms) {
    const double last = MC_FRAME_TIMES_BIN_COUNT - 1;
    if (!(frame_ms > LEAST_MS)) return 0;
    return (uint32_t)fmin(log2(frame_ms / LEAST_MS) * MC_FRAME_TIMES_PER_OCTAVE, last);
}

static double get_begin_ms(double bin) {
    return LEAST_MS * exp2(bin / MC_FRAME_TIMES_PER_OCTAVE);
}

void mc_frame_times_add(mc_frame_times *times, double frame_ms) {
    times->bins[get_bin(frame_ms)]++;
    times->count++;
    times->longest_ms = fmax(times->longest_ms, frame_ms);
}

// The bin in which that one of them is, in order of time.
static uint32_t find_bin(const mc_frame_times *times, uint64_t place) {
    uint64_t before = 0;
    for (uint32_t i = 0; i < MC_FRAME_TIMES_BIN_COUNT; i++) {
        before += times->bins[i];
        if (before > place) return i;
    }
    return MC_FRAME_TIMES_BIN_COUNT - 1;
}

static uint64_t get_place(const mc_frame_times *times, double share) {
    return (uint64_t)(share * (double)(times->count - 1));
}

double mc_frame_times_get_quantile(const mc_frame_times *times, double share) {
    if (times->count == 0) return 0;
    double middle_ms = get_begin_ms(find_bin(times, get_place(times, share)) + 0.5);
    return fmin(middle_ms, times->longest_ms);
}

uint64_t mc_frame_times_count_slow(const mc_frame_times *times) {
    uint64_t count = 0;
    if (times->count == 0) return 0;
    uint32_t twice = find_bin(times, get_place(times, 0.5)) + MC_FRAME_TIMES_PER_OCTAVE;
    for (uint32_t i = twice + 1; i < MC_FRAME_TIMES_BIN_COUNT; i++)
        count += times->bins[i];
    return count;
}

void mc_frame_times_put(const mc_frame_times *times, const char *key, mc_print *print) {
    mc_print_begin_object(print, key);
    MC_PRINT(print, {"frames", mc_cell_count(times->count)},
             {"median_ms", mc_cell_real(mc_frame_times_get_quantile(times, 0.5), 4)},
             {"p95_ms", mc_cell_real(mc_frame_times_get_quantile(times, 0.95), 4)},
             {"longest_ms", mc_cell_real(times->longest_ms, 4)},
             {"over_twice_median", mc_cell_count(mc_frame_times_count_slow(times))});
    mc_print_begin_list(print, "histogram");
    for (uint32_t i = 0; i < MC_FRAME_TIMES_BIN_COUNT; i += BINS_PER_ROW) {
        uint64_t count = 0;
        for (uint32_t bin = i; bin < i + BINS_PER_ROW; bin++)
            count += times->bins[bin];
        if (count == 0) continue;
        mc_print_put(print, NULL,
                     MC_LIST(mc_cell_real(i > 0 ? get_begin_ms(i) : 0, 4), mc_cell_count(count)));
    }
    mc_print_end_list(print);
    mc_print_end_object(print);
}
