// perfetto_import.h - traces of Perfetto as an input format.
#pragma once
#include "engine/import/format/format.h"
#include "engine/import/format/heap_format.h"

// Java heap graphs; they come first, as both may be in a trace.
extern const mc_heap_format mc_heapgraph_heap_format;
extern const mc_format mc_heapgraph_format;
// What heapprofd wrote.
extern const mc_format mc_perfetto_format;
