// clock.h - monotonic time, and until when to wait.
#pragma once
#include "engine/base/base.h"
#include <time.h>

uint64_t mc_clock_now_ns(void);
// The time by `clock` in `wait_ns`: what functions take that wait until then.
struct timespec mc_clock_get_deadline(clockid_t clock, uint64_t wait_ns);
