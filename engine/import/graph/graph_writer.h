// graph_writer.h - writes any heap that is linked as a graph of rows (docs/reference/graph.md):
// objects, then references, then roots.
//
// What is read again has the same objects, sizes, groups, references, weak ones among them, and
// roots. Memory: 8 bytes an object, and the names of links. Threads: one.
#pragma once
#include "engine/base/ordered_output.h"
#include "engine/heap/heap.h"

// `time_ms`: of the heap; 0: not known. `progress`: of all of it; may be NULL. MC_ERROR_IO: the
// sink has failed.
mc_result mc_graph_write(const mc_heap *heap, int64_t time_ms, const mc_progress *progress,
                         mc_output_sink sink, mc_error *error);
