// hprof_heap.h - heap dumps as a format of heaps that may be asked (heap_format.h).
#pragma once
#include "engine/import/format/heap_format.h"

extern const mc_heap_format mc_hprof_heap_format;
