// ruby_import.h - the format of what Ruby writes of its objects, as trace and as heap.
//
// Threads: as format.h and heap_format.h say.
#pragma once
#include "engine/import/format/format.h"
#include "engine/import/format/heap_format.h"

extern const mc_format mc_ruby_format;
extern const mc_heap_format mc_ruby_heap_format;
