// perf_data.h - how large a JVM's heap is, from the file of counters that it keeps in /tmp.
//
// No JVM is asked. Such a file is another program's: nothing in it is trusted. Threads: any.
#pragma once
#include "engine/base/base.h"

// What the heap's spaces hold by the counters in `bytes`, garbage included; 0: they don't say.
uint64_t mc_perf_data_get_heap_used(const void *bytes, size_t size);
