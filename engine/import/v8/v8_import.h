// v8_import.h - the format of V8's heap snapshots, as trace and as heap.
//
// Threads: as format.h and heap_format.h say.
#pragma once
#include "engine/import/format/format.h"
#include "engine/import/format/heap_format.h"

extern const mc_format mc_v8_format;
extern const mc_heap_format mc_v8_heap_format;
