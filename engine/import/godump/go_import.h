// go_import.h - the format of Go's heap dumps (debug.WriteHeapDump), as trace and as heap.
//
// Threads: as format.h and heap_format.h say.
#pragma once
#include "engine/import/format/format.h"
#include "engine/import/format/heap_format.h"

extern const mc_format mc_go_format;
extern const mc_heap_format mc_go_heap_format;
