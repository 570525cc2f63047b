// mct_paths.h - reads and writes the retaining paths of a step's groups in an .mct file, over the
// nodes in the file's order; for the trace module's own files only.
//
// Untrusted input: numbers are checked against those that the step and the file declare.
#pragma once
#include "engine/store/mct/mct_writer_state.h"

// What paths and sums may refer to: numbers below these.
typedef struct mc_mct_path_limits {
    uint32_t node_count, string_count, path_count;
} mc_mct_path_limits;

// Reads all paths of the file. The caller frees them with mc_free(), also after a failure.
mc_result mc_mct_read_path_table(mc_mct_file *file, mc_mct_codec *codec, mc_mct_path_limits limits,
                                 mc_retaining_path **paths, uint32_t *count, mc_error *error);
// Reads the sums of a step, in the order of mc_path_sum_compare(). The caller frees them with
// mc_free(); after a failure there is nothing to free.
mc_result mc_mct_read_sums(mc_mct_file *file, mc_mct_codec *codec, int64_t step,
                           mc_mct_path_limits limits, mc_path_sum **sums, uint32_t *count,
                           mc_error *error);

// Writes the builder's paths that the file lacks, and a step's sums, in the builder's numbers.
mc_result mc_mct_write_paths(mc_mct_writer *writer, const mc_seen_step *step, int64_t step_key,
                             mc_error *error);

// Refills the tables behind the view `retaining_path` from two of the builder's steps.
mc_result mc_mct_write_path_rows(mc_mct_writer *writer, uint32_t first_step, uint32_t last_step,
                                 mc_error *error);
