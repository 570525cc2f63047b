// time_axis.h - positions of steps in time, and round times for the ticks of an axis.
//
// Times as in mc_step_info: since the start of a run, or, if they are dates, since 1970. Threads:
// any.
#pragma once
#include "app/format.h"

typedef struct mc_time_tick {
    double place; // from 0, the first time, to 1, the last
    char text[24];
} mc_time_tick;

#define MC_TIME_TICK_MOST 12

// Round times from the first to the last one, ascending: at most `most` (2 or more) of them, and of
// MC_TIME_TICK_MOST. Returns how many; 0 where the times are too close to be told apart.
uint32_t mc_time_axis_make(int64_t first_ms, int64_t last_ms, uint32_t most,
                           mc_time_tick ticks[MC_TIME_TICK_MOST]);

// From 0, the first of `count` ascending times, to 1, the last; evenly if they are all the same.
double mc_time_axis_place(int64_t first_ms, int64_t last_ms, int64_t time_ms, uint32_t index,
                          uint32_t count);
