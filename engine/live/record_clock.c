#include "engine/live/record_clock.h"

#include <time.h>

#define LEAST_JUMP_MS 1500

mc_record_moment mc_record_moment_read(void) {
    struct timespec wall, steady;
    clock_gettime(CLOCK_REALTIME, &wall);
    clock_gettime(CLOCK_BOOTTIME, &steady);
    return (mc_record_moment){.wall_ms = (int64_t)wall.tv_sec * 1000 + wall.tv_nsec / 1000000,
                              .steady_ns =
                                  (uint64_t)steady.tv_sec * 1000000000u + (uint64_t)steady.tv_nsec};
}

static int64_t get_offset(mc_record_moment now) {
    return now.wall_ms - (int64_t)(now.steady_ns / 1000000);
}

int64_t mc_record_clock_begin(mc_record_clock *clock, mc_record_moment now, int64_t last_ms) {
    int64_t late_ms = last_ms >= now.wall_ms ? last_ms + 1 - now.wall_ms : 0;
    *clock = (mc_record_clock){.begin_ms = now.wall_ms + late_ms,
                               .offset_ms = get_offset(now),
                               .begin_ns = now.steady_ns,
                               .last_ms = last_ms};
    return late_ms;
}

int64_t mc_record_clock_get(mc_record_clock *clock, mc_record_moment now) {
    int64_t time_ms = clock->begin_ms + (int64_t)((now.steady_ns - clock->begin_ns) / 1000000);
    clock->last_ms = time_ms > clock->last_ms ? time_ms : clock->last_ms + 1;
    return clock->last_ms;
}

int64_t mc_record_clock_take_jump(mc_record_clock *clock, mc_record_moment now) {
    int64_t jump_ms = get_offset(now) - clock->offset_ms;
    if (jump_ms > -LEAST_JUMP_MS && jump_ms < LEAST_JUMP_MS) return 0;
    clock->offset_ms += jump_ms;
    return jump_ms;
}
