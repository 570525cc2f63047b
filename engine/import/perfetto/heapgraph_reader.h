// heapgraph_reader.h - reads the Java heap graph of a trace of Perfetto into a heap of objects.
//
// Of several graphs, the last whole one. Sources: google/perfetto,
// protos/third_party/android/art/heap_graph.proto, and how trace_processor reads it
// (heap_graph_module.cc, heap_graph_tracker.cc). There are objects, sizes, references by their
// fields and roots, but no contents. Threads: as object_import.h says.
#pragma once
#include "engine/import/objects/object_import.h"

// Whether there is such a graph in a whole trace, or in the beginning of one.
bool mc_heapgraph_detect(const void *data, size_t size);

extern const mc_object_reader mc_heapgraph_reader;
