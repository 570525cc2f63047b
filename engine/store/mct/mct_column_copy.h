// mct_column_copy.h - a column of objects or bytes that is decoded outside of the file's lock, so
// that several threads read columns at a time; for the trace module's own files only.
//
// Threads: one object serves one thread at a time, which starts others where there is much to do.
#pragma once
#include "engine/store/mct/mct_columns.h"

typedef struct mc_mct_column_copy mc_mct_column_copy;
struct mc_mct_column_copy {
    mc_mct_rows rows;
    struct mc_mct_decoder {
        mc_mct_codec codec;
        uint64_t *values; // of a block
    } * decoders;         // per thread
    uint32_t decoder_count;
    mc_mct_column_copy *next; // of those that wait to be used again
};

// NULL: out of memory.
mc_mct_column_copy *mc_mct_column_copy_create(void);
void mc_mct_column_copy_destroy(mc_mct_column_copy *copy);
size_t mc_mct_column_copy_memory_size(const mc_mct_column_copy *copy);

// Decodes the rows: node i of the file goes to values[places[i]]. `base_lock` is held for reading.
mc_result mc_mct_column_copy_decode(mc_mct_column_copy *copy, const mc_mct_column_reader *reader,
                                    const uint32_t *places, uint32_t thread_count, uint64_t *values,
                                    mc_error *error);
// Adds them up by group instead, in this thread; groups are in the order of the file.
mc_result mc_mct_column_copy_add_up(mc_mct_column_copy *copy, const mc_mct_column_reader *reader,
                                    const mc_group_sums *sums, mc_error *error);
