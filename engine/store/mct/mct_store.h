// mct_store.h - the open .mct file behind an mc_trace whose steps are not in memory; for the trace
// module's own files only.
//
// The file numbers nodes in the order in which they were first seen, the trace breadth first. The
// store translates both and computes the shares of self nodes. Threads: any; a mutex guards the
// file, and whole columns of objects and bytes are decoded outside of it.
#pragma once
#include "engine/store/mct/mct_column_copy.h"

#define MC_MCT_CACHE_COUNT 12 // columns; a few steps in both metrics

typedef struct mc_mct_cached {
    uint32_t step_index;
    mc_metric metric;
    uint64_t used; // 0: empty
    mc_packed_column values;
} mc_mct_cached;

typedef struct mc_mct_store {
    pthread_mutex_t mutex;
    pthread_rwlock_t base_lock;   // of the reader; taken for reading while the mutex is held
    pthread_mutex_t maxima_mutex; // of who looks for maxima; taken before the other
    bool has_mutex, has_base_lock, has_maxima_mutex;
    mc_mct_file file;
    mc_mct_codec codec;
    mc_mct_column_reader reader;
    mc_mct_step_columns *columns; // by step key - 1
    int64_t *step_keys;           // by step index
    int kinds[MC_METRIC_MOST];    // of columns, by metric
    // What follows from the nodes alone, shared as they are (see mc_trace.node_holders).
    uint64_t fingerprint;      // of the rows that say them; 0: not known
    uint32_t seen_count;       // nodes in the file
    uint32_t *order;           // per node: its number in the file; self nodes: from seen_count on
    uint32_t *node_of;         // per node of the file: its number in the trace
    uint32_t *leaf_of;         // likewise, or its self node's: what has its references; may be
                               // `node_of` itself, where there are no self nodes
    uint32_t *classifier_rank; // per classifier of the file; NULL if there is none
    uint32_t *self_nodes;
    uint32_t self_count;
    // Per metric: the leaves' largest values over all steps, 0 where none is known; of count 0: not
    // known. Read when one is asked for the first time.
    mc_packed_column maxima[MC_METRIC_MOST];
    bool has_looked[MC_METRIC_MOST]; // for one
    uint32_t maxima_step_count;      // steps that the file has; 0: what it says is worth nothing

    // The column that was asked for last, by the file's nodes; block by block as it was needed.
    uint64_t *old_values;
    uint8_t *is_loaded; // per block
    uint32_t loaded_step;
    mc_metric loaded_metric;
    uint64_t *new_values;  // scratch, over the trace's nodes
    uint64_t *present;     // bits of step `present_step`, by the file's nodes
    uint32_t present_step; // MC_NONE: none
    uint64_t *inner;       // by the trace's nodes: those with children in the tree of `inner_step`
    uint32_t inner_step;   // MC_NONE: none
    mc_mct_cached cache[MC_MCT_CACHE_COUNT];
    uint64_t clock;
    mc_mct_column_copy *idle_copies;
    uint32_t busy_copy_count;
} mc_mct_store;

// A trace with this source has a store, or NULL while it is being opened.
extern const mc_step_source mc_steps_in_file;
