#include "engine/base/clock.h"

uint64_t mc_clock_now_ns(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

struct timespec mc_clock_get_deadline(clockid_t clock, uint64_t wait_ns) {
    struct timespec deadline;
    clock_gettime(clock, &deadline);
    wait_ns += (uint64_t)deadline.tv_nsec;
    deadline.tv_sec += (time_t)(wait_ns / 1000000000);
    deadline.tv_nsec = (long)(wait_ns % 1000000000);
    return deadline;
}
