// graph_reader.h - reads a graph of rows (graph_rows.h, docs/reference/graph.md) as a heap of
// objects.
//
// Two passes over the data: objects, then references and roots. Untrusted input. Memory: 24 bytes
// an object and 12 a reference while reading, beside what object_heap.h says. Threads: one.
#pragma once
#include "engine/import/objects/object_import.h"

extern const mc_object_reader mc_graph_reader;

// Whether data begins as a graph of rows that says so.
bool mc_graph_detect(const void *data, size_t size);
