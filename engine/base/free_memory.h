// free_memory.h - the memory available to work that can adapt its use of it. Threads: any.
#pragma once
#include "engine/base/base.h"

// Bytes that the system could give this process now without swapping, and that the limits of its
// control group (v2, a container's) and of its address space and data (ulimit) leave it; caches
// that would be dropped count as free. A guess, which is old as soon as it is made. 0: not known.
// Reads /proc and /sys: some 50 microseconds.
uint64_t mc_free_memory_get(void);
