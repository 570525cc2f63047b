// mct_writer_state.h - what an mc_mct_writer holds; for the trace module's own files only.
//
// The builder knows the nodes and checks what comes in; its steps keep no columns once they are in
// the file, only which nodes were there. All columns here are over the builder's nodes.
#pragma once
#include "engine/trace/build/builder_state.h"
#include "engine/trace/mct/mct.h"
#include "engine/trace/mct/mct_columns.h"

// Of every block of a kind, the last one that was written in full; others are written as
// differences to it.
typedef struct mc_mct_base_block {
    int64_t step;     // 0: none
    size_t full_size; // bytes in the file
    uint32_t count;   // values
} mc_mct_base_block;

typedef struct mc_mct_base_column {
    uint64_t *values;
    mc_mct_base_block *blocks;
    size_t value_capacity, block_capacity;
} mc_mct_base_column;

typedef struct mc_mct_metric {
    uint64_t *max;    // a node's largest own share in any step
    uint64_t *shares; // own shares in the step that is being added
    size_t max_capacity, share_capacity;
} mc_mct_metric;

// How much of the builder's tables is in the file.
typedef struct mc_mct_written {
    uint32_t string_count, node_count, classifier_count, own_count;
} mc_mct_written;

struct mc_mct_writer {
    const mc_log *log;
    mc_trace_builder *builder;
    mc_mct_file file;
    mc_mct_codec codec;
    bool is_open;   // a transaction is
    bool is_failed; // something could not be written: what was not committed is lost
    mc_mct_written written;
    int64_t last_time_ms; // of the steps that were there before; INT64_MIN: none
    bool is_reordered;    // nodes have appeared in another order than that of their numbers
    mc_mct_base_column bases[MC_COLUMN_COUNT];
    uint64_t *present_base; // bits
    size_t present_capacity;
    int64_t present_step;
    mc_mct_metric metrics[2];
    size_t maximum_step_count; // steps that the maxima in the file cover
    uint8_t *is_own;           // has, or had, a share that no child explains, or references
    size_t own_capacity;
    uint64_t contradiction_count;
    uint32_t contradiction_node;

    // scratch
    uint64_t *values, *scratch;
    size_t value_capacity, scratch_capacity;
    uint8_t *marks; // all 0 between calls
    size_t mark_capacity;
    mc_mct_bytes blobs[4];
};

// Restores what the writer of the file's steps knew; the file is open for appending.
mc_result mc_mct_writer_restore(mc_mct_writer *writer, mc_error *error);

// Columns over all nodes, with zeros for the nodes that are new.
bool mc_mct_writer_reserve_columns(mc_mct_writer *writer, size_t count);
// Values in the metric's `shares` become own shares.
void mc_mct_writer_compute_shares(mc_mct_writer *writer, int metric, uint32_t count);
// Once the step is in the file.
void mc_mct_writer_take_shares(mc_mct_writer *writer, uint32_t count);

// Fills the table `node`, which the view `growth` reads, anew.
mc_result mc_mct_write_growth(mc_mct_writer *writer, mc_error *error);
