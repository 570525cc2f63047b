// graph_import.h - the format of graphs of rows (docs/reference/graph.md), as trace and as heap.
//
// Threads: as format.h and heap_format.h say.
#pragma once
#include "engine/import/format/format.h"
#include "engine/import/format/heap_format.h"

extern const mc_format mc_graph_format;
extern const mc_heap_format mc_graph_heap_format;
