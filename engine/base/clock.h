// clock.h - monotonic time.
#pragma once
#include "engine/base/base.h"

uint64_t mc_clock_now_ns(void);
