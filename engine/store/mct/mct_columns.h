// mct_columns.h - reads a step's columns from an .mct file, over the nodes in the
// file's order; for the trace module's own files only.
//
// Untrusted input: counts are checked against those that the step declares.
#pragma once
#include "engine/store/mct/mct_codec.h"
#include "engine/store/mct/mct_file.h"
#include "engine/trace/build/builder_state.h"
#include <pthread.h>

// The full blocks that others refer to, kept because the next step probably refers to them too.
typedef struct mc_mct_base_cache {
    uint64_t *values;
    int64_t *steps; // per block: whose values these are; 0: nobody's
} mc_mct_base_cache;

// What the columns of a step (counted from 1) have.
typedef struct mc_mct_step_columns {
    uint32_t known_node_count;       // values each
    uint64_t column_mask, real_mask; // one bit a kind: it is there; its values are real numbers
} mc_mct_step_columns;

// The state for reading columns; the caller fills the first members. Threads: one at a time, but
// for what is decoded of copied rows.
typedef struct mc_mct_column_reader {
    mc_mct_file *file;
    mc_mct_codec *codec;
    const mc_mct_step_columns *steps; // by step - 1
    const mc_metrics *metrics;
    uint32_t node_count;
    pthread_rwlock_t *base_lock; // held while bases change; NULL: rows are not copied
    mc_mct_base_cache bases[MC_MCT_KIND_COUNT];
} mc_mct_column_reader;

void mc_mct_column_reader_deinit(mc_mct_column_reader *reader);
size_t mc_mct_column_reader_memory_size(const mc_mct_column_reader *reader);

// Reads the values of `step` for the nodes that it knows. Values of metrics other than objects and
// bytes are stored plus 1.
mc_result mc_mct_read_column(mc_mct_column_reader *reader, int64_t step, int kind, uint64_t *values,
                             mc_error *error);
// Reads one block of a column: the nodes from block * MC_MCT_BLOCK_COUNT on.
mc_result mc_mct_read_block(mc_mct_column_reader *reader, int64_t step, int kind, uint32_t block,
                            uint64_t *values, mc_error *error);
// Reads one bit per node that the step knows: whether it is in the step's tree.
mc_result mc_mct_read_present(mc_mct_column_reader *reader, int64_t step, uint64_t *bits,
                              mc_error *error);

// The rows of a column of objects or bytes, copied out of the file. Zero-initialise.
typedef struct mc_mct_rows {
    mc_mct_bytes bytes;
    struct mc_mct_row {
        size_t at, size;   // in `bytes`
        int64_t base_step; // 0: it stands for itself
    } * rows;              // per block
    size_t row_capacity;
    uint32_t count;
    int64_t step;
    int kind;
} mc_mct_rows;

void mc_mct_rows_deinit(mc_mct_rows *rows);
// Copies the rows of all blocks and loads their bases. These stay until the next call for another
// step, or as long as `base_lock` is held for reading.
mc_result mc_mct_rows_copy(mc_mct_rows *rows, mc_mct_column_reader *reader, int64_t step, int kind,
                           mc_error *error);
// Decodes a block, while `base_lock` is held for reading. Any thread with a codec of its own.
mc_result mc_mct_rows_decode(const mc_mct_rows *rows, const mc_mct_column_reader *reader,
                             mc_mct_codec *codec, uint32_t block, uint64_t *values,
                             mc_error *error);
