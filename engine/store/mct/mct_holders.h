// mct_holders.h - reads and writes a step's fields and GC roots in an .mct file, over the nodes in
// the file's order; for the trace module's own files only.
//
// Untrusted input: nodes and names are checked against the numbers that the step and the file
// declare.
#pragma once
#include "engine/store/mct/mct_writer_state.h"

// What a step's fields and roots may refer to: numbers below these.
typedef struct mc_mct_holder_limits {
    uint32_t node_count, string_count;
} mc_mct_holder_limits;

// In the order of mc_field_count_compare() and mc_root_count_compare(). The caller frees what comes
// with mc_free(); NULL: there are none.
mc_result mc_mct_read_fields(mc_mct_file *file, mc_mct_codec *codec, int64_t step,
                             mc_mct_holder_limits limits, mc_field_count **fields, uint32_t *count,
                             mc_error *error);
mc_result mc_mct_read_roots(mc_mct_file *file, mc_mct_codec *codec, int64_t step,
                            mc_mct_holder_limits limits, mc_root_count **roots, uint32_t *count,
                            mc_error *error);

// Writes the rows of a step, in the builder's numbers.
mc_result mc_mct_write_holders(mc_mct_writer *writer, const mc_holders *holders, int64_t step,
                               mc_error *error);

// Refills the tables behind the views `reference_field` and `root` from two of the builder's steps.
// `has_children`: a byte per node.
mc_result mc_mct_write_holder_rows(mc_mct_writer *writer, uint32_t first_step, uint32_t last_step,
                                   const uint8_t *has_children, mc_error *error);
