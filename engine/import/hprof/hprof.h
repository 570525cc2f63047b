// hprof.h - reads a JVM's heap dump (HPROF 1.0.1 to 1.0.3, Android's too) into one step: its memory
// tree, and the references between the tree's leaves.
//
// Objects and both counts of references are exact. Bytes agree with the JVM's own class histogram
// as far as a dump allows (see hprof_sizes.h and docs/reference/heap-dumps.md). A truncated or
// damaged dump is read as far as possible: see the report. Untrusted input: memory is bounded by
// the data that exists, never by declared lengths. Passes over the heap: one for objects and bytes,
// and two more for the graph, or else for references. Memory: about 9 bytes per object with
// references; an entry per class without; for the graph see heap.h. Threads: as many as requested;
// `progress` is called in the calling thread.
#pragma once
#include "engine/import/format/heap_format.h"
#include "engine/import/hprof/hprof_dump.h"
#include "engine/trace/step_owners.h"
#include "engine/trace/step_paths.h"
#include "engine/trace/step_referrers.h"

// Reused from dump to dump. Zero-initialise, read, deinit.
typedef struct mc_hprof_step {
    mc_step_tree tree;
    mc_reference_map points_to, pointed_from; // by the tree's nodes; empty without references
    // With references: fields by from, to, and then the most first, roots by node, kind, the most
    // first; of roots of a leaf and kind the first ten texts, and the others together.
    mc_step_referrers referrers;
    mc_step_paths paths;   // if they are asked for
    mc_step_owners owners; // likewise; none if the dump names no roots
    mc_text thrower;       // with references: the thread that ran out of memory; the tree's note
    mc_hprof_report report;
} mc_hprof_step;

// Without the memory for a graph, what takes one is left out (report.lacks_memory), or it is an
// error where leaves depend on it. MC_ERROR_BAD_DATA with the byte offset if it is no heap dump or
// nothing of its heap is there.
mc_result mc_hprof_read(const unsigned char *data, uint64_t size, const mc_heap_desc *desc,
                        mc_hprof_step *step, mc_error *error);
void mc_hprof_step_deinit(mc_hprof_step *step);
