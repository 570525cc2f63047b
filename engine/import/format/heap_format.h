// heap_format.h - what a format of heaps that may be asked is: a row in the table of heap_file.c.
//
// A heap is opened, so that its groups are known, linked, so that it can be asked (heap.h), or
// written as rows. Threads: one heap serves one thread at a time, and takes as many as requested.
#pragma once
#include "engine/base/ordered_output.h"
#include "engine/base/row_text.h"
#include "engine/heap/heap.h"
#include "engine/import/jvm/grouping.h"

typedef struct mc_heap_desc {
    const mc_grouping *grouping;
    bool has_references;
    bool has_graph;              // what groups retain; see heap.h for what that takes
    bool has_waste;              // see hprof_wasted_bytes.h
    bool has_paths;              // how groups are held; takes the graph, too: see path_step.h
    bool has_owners;             // who owns it; likewise: see owner_profile.h
    const char *collections;     // more classes that are such; see hprof_collections.h
    const char *path;            // of the file, if it has one; NULL: not known
    const char *binary;          // as of mc_import_deep
    const mc_log *log;           // of what is used beside the file; NULL: silent
    bool has_counts_only;        // none of these: edges and roots may be left out
    uint32_t moment_count;       // of a film of its objects (object_births.h), at most; 0: none
    bool is_by_generation;       // it is one of collections, if the heap does not say times
    bool is_mapped;              // `data` is a mapped file: what was read need not stay in memory
    uint32_t thread_count;       // at least 1
    uint64_t memory_limit;       // of the graph, in bytes; 0: what is free then
    const mc_progress *progress; // in bytes of the heap's file; may be NULL
} mc_heap_desc;

struct mc_hprof_columns;
struct mc_hprof_cells;
struct mc_hprof_shapes;

typedef struct mc_heap_format {
    bool (*detect)(const void *data, size_t size); // MC_HEAP_DETECT_SIZE bytes, or all
    // The time in a heap's header, in ms since 1970; 0: these first bytes of it do not say. NULL:
    // no heap of the format does.
    int64_t (*peek_time)(const unsigned char *data, size_t size);
    // `data` must outlive the reader, which is to be closed in any case, and owns *heap.
    mc_result (*open)(const unsigned char *data, uint64_t size, const mc_heap_desc *desc,
                      void **reader, mc_heap **heap, mc_error *error);
    // Progress from here on is mc_heap.progress.
    mc_result (*link)(void *reader, mc_error *error);
    mc_result (*write_rows)(void *reader, const struct mc_hprof_columns *columns, mc_row_form form,
                            mc_output_sink sink, mc_error *error);
    // All NULL: it has none. See hprof_cells.h, hprof_shapes.h.
    uint64_t (*count_rows)(const void *reader);
    mc_result (*read_cells)(void *reader, const struct mc_hprof_columns *columns,
                            struct mc_hprof_cells *cells, mc_error *error);
    mc_result (*read_shapes)(void *reader, const struct mc_hprof_columns *columns,
                             struct mc_hprof_shapes *shapes, mc_error *error);
    // Appends a sentence on what is missing; nothing if the heap is complete.
    void (*append_damage)(const void *reader, mc_text *text);
    void (*close)(void *reader); // NULL is fine
} mc_heap_format;

#define MC_HEAP_DETECT_SIZE (64 << 10) // of packed data; of other data, all of it
