// hprof.h - reads a JVM's heap dump (HPROF 1.0.1 to 1.0.3, Android's too) into one step: its memory
// tree, and the references between the tree's leaves.
//
// Objects and both counts of references are exact. Bytes agree with the JVM's own class histogram
// as far as a dump allows (see hprof_sizes.h and docs/heap-dumps.md). A truncated or damaged dump
// is read as far as possible: see the report. Untrusted input: memory is bounded by the data that
// exists, never by declared lengths. Passes over the heap: one for objects and bytes, and two more
// for the graph, or else for references. Memory: about 9 bytes per object with references; an entry
// per class without; for the graph see hprof_heap.h. Threads: as many as requested; `progress` is
// called in the calling thread.
#pragma once
#include "engine/import/hprof/hprof_file.h"
#include "engine/import/jvm/grouping.h"
#include "engine/trace/step_holders.h"
#include "engine/trace/step_paths.h"

typedef struct mc_hprof_desc {
    const mc_grouping *grouping;
    bool has_references;
    bool has_graph;              // what groups retain; see hprof_heap.h for what that takes
    bool has_waste;              // see hprof_wasted_bytes.h
    bool has_paths;              // how groups are held; takes the graph, too: see hprof_paths.h
    const char *collections;     // more classes that are such; see hprof_collections.h
    bool is_mapped;              // `data` is a mapped file: what was read need not stay in memory
    uint32_t thread_count;       // at least 1
    const mc_progress *progress; // in bytes of the dump; may be NULL
} mc_hprof_desc;

typedef struct mc_hprof_report {
    mc_hprof_damage damage; // kind MC_HPROF_WHOLE: all is there
    uint64_t object_count;
    uint64_t reference_count, dangling_count; // to objects in the dump, and to others
    uint64_t undescribed_count; // objects whose references are not (all) known: classes are missing
    uint64_t repeated_count;    // objects whose id another one has, too
    // With a graph:
    uint64_t root_count;      // objects that roots name; 0: nothing is known to be unreachable
    uint64_t unreached_count; // objects that no root reaches but by weak references
} mc_hprof_report;

// Reused from dump to dump. Zero-initialise, read, deinit.
typedef struct mc_hprof_step {
    mc_step_tree tree;
    mc_reference_map points_to, pointed_from; // by the tree's nodes; empty without references
    // With references: fields by from, to, and then the most first, roots by node, kind, the most
    // first; of roots of a leaf and kind the first ten texts, and the others together.
    mc_step_holders holders;
    mc_step_paths paths; // if they are asked for
    mc_hprof_report report;
} mc_hprof_step;

// MC_ERROR_BAD_DATA with the byte offset if it is no heap dump or nothing of its heap is there.
mc_result mc_hprof_read(const unsigned char *data, uint64_t size, const mc_hprof_desc *desc,
                        mc_hprof_step *step, mc_error *error);
void mc_hprof_step_deinit(mc_hprof_step *step);

// Appends a sentence on what is missing; nothing if the dump is complete.
void mc_hprof_report_append_damage(const mc_hprof_report *report, uint64_t size, mc_text *text);
