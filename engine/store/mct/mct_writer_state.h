// mct_writer_state.h - the state of an mc_mct_writer; for the trace module's own files only.
//
// The builder knows the nodes and validates the input. Once a step is in the file, the builder
// keeps only which nodes were in it, not its columns. All columns here are over the builder's
// nodes.
#pragma once
#include "engine/store/mct/mct.h"
#include "engine/store/mct/mct_columns.h"
#include "engine/trace/build/builder_state.h"

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

// A metric's own share of a node: what its children do not explain of its value. Of a metric that
// is not additive: the value of a node without children in the step's tree, and nothing of others.
typedef struct mc_mct_metric {
    uint64_t *max;    // a node's largest own share in any step
    uint64_t *shares; // own shares in the step that is being added
    size_t max_capacity, share_capacity;
    uint64_t largest;       // of all nodes' values, of the trace's own metrics
    mc_metric_info written; // as the file has it, without strings
    uint64_t written_largest;
} mc_mct_metric;

#define MC_MCT_BLOB_COUNT 7 // that a row may have

// How much of the builder's tables is in the file.
typedef struct mc_mct_written {
    uint32_t string_count, node_count, classifier_count, own_count, metric_count, path_count,
        owner_count;
} mc_mct_written;

// A step refers to the last full one at most this far back, so that far more than one value in
// thirty does not pay for the sake of one that changed.
#define MC_MCT_FULL_INTERVAL 32

// A row that one of several threads encodes; put into the file by the one that calls.
typedef struct mc_mct_job mc_mct_job;

#define MC_MCT_JOB_BLOBS 4
struct mc_mct_job {
    mc_result (*encode)(mc_mct_writer *writer, mc_mct_job *job, uint32_t thread);
    mc_mct_table table;
    mc_mct_field row[2 + MC_MCT_JOB_BLOBS];
    mc_mct_bytes blobs[MC_MCT_JOB_BLOBS];
    uint32_t first, count; // of what is encoded
    const mc_seen_step *step;
    int64_t step_key;
    mc_metric metric;
    mc_result result;
};

#define MC_MCT_JOBS_MOST 32u

typedef struct mc_mct_crew {
    mc_mct_job jobs[MC_MCT_JOBS_MOST];
    uint32_t job_count;
    size_t text_size; // of the strings in the jobs
    struct {
        mc_mct_codec codec;
        uint64_t *values;
    } threads[MC_BUILDER_THREADS_MAX];
} mc_mct_crew;

struct mc_mct_writer {
    const mc_log *log;
    const mc_mct_program *program; // until it is in the file
    mc_trace_builder *builder;
    mc_mct_file file;
    mc_mct_codec codec;
    mc_mct_crew crew;
    bool is_open;   // a transaction is
    bool is_failed; // something could not be written: what was not committed is lost
    mc_mct_written written;
    int64_t last_time_ms;           // of the steps that were there before; INT64_MIN: none
    uint32_t first_kept, last_kept; // of the steps that were added, by time; MC_NONE: none was
    bool is_reordered; // nodes have appeared in another order than that of their numbers
    mc_mct_base_column bases[MC_METRIC_MOST];
    uint64_t *present_base; // bits
    size_t present_capacity;
    int64_t present_step;
    mc_mct_metric metrics[MC_METRIC_MOST];
    size_t maximum_step_count; // steps that the maxima in the file cover
    bool has_stale_maxima;     // what the file has of them is of another kind of numbers
    uint32_t *owner_places;    // of the owners in the file, as it has them
    size_t owner_place_capacity;
    uint8_t *is_own; // has, or had, a share that no child explains, or references
    size_t own_capacity;
    uint64_t contradiction_count;
    uint32_t contradiction_node;

    // scratch
    uint64_t *values, *scratch;
    size_t value_capacity, scratch_capacity;
    uint8_t *marks; // all 0 between calls
    size_t mark_capacity;
    mc_mct_bytes blobs[MC_MCT_BLOB_COUNT];
};

// Restores what the writer of the file's steps knew; the file is open for appending.
mc_result mc_mct_writer_restore(mc_mct_writer *writer, mc_error *error);

// Columns over all nodes, with zeros for the nodes that are new.
bool mc_mct_writer_reserve_columns(mc_mct_writer *writer, size_t count);

// Computes the own shares of the builder's step into the metrics' `shares`, and raises the metrics'
// largest values.
void mc_mct_writer_compute_shares(mc_mct_writer *writer, const mc_seen_step *step);
// Takes the shares over, once the step is in the file; `metrics` has one bit per metric that has
// shares.
void mc_mct_writer_take_shares(mc_mct_writer *writer, uint64_t metrics, uint32_t count);

// Begins a transaction, if there is none.
mc_result mc_mct_writer_begin(mc_mct_writer *writer, mc_error *error);
// Marks the writer as failed: the builder holds data that the file lacks, so the writer is unusable
// from now on. Returns `result`.
mc_result mc_mct_writer_fail(mc_mct_writer *writer, mc_result result);

// mct_writer_columns.c: what a step has most of, encoded by several threads.

// Writes the builder's new strings.
mc_result mc_mct_writer_put_strings(mc_mct_writer *writer, mc_error *error);
// Writes the builder's new strings and nodes, and the step's columns.
mc_result mc_mct_writer_put_columns(mc_mct_writer *writer, const mc_seen_step *step,
                                    int64_t step_key, mc_error *error);
// The largest values of all metrics.
mc_result mc_mct_writer_put_maxima(mc_mct_writer *writer, mc_error *error);
void mc_mct_crew_deinit(mc_mct_crew *crew);

// Encodes a column into blobs[blob] and names it in the row.
mc_result mc_mct_writer_encode(mc_mct_writer *writer, int blob, const uint64_t *values,
                               uint32_t count, mc_mct_base base, mc_mct_field *field,
                               mc_error *error);
// Writes the rows of a table of the step with this key, or retaining paths or
// owners from this number on.
mc_result mc_mct_writer_put_side(mc_mct_writer *writer, mc_side_table table,
                                 const mc_side_rows *rows, int64_t key, mc_error *error);
// Notes that the file has the builder's owners, as they are now.
mc_result mc_mct_writer_note_owners(mc_mct_writer *writer, mc_error *error);
// Nodes, in rising order, that may have a share of their own from now on.
mc_result mc_mct_writer_put_own(mc_mct_writer *writer, const uint64_t *nodes, uint32_t count,
                                mc_error *error);
mc_result mc_mct_writer_put_step(mc_mct_writer *writer, const mc_seen_step *step, int64_t step_key,
                                 mc_error *error);
mc_result mc_mct_writer_put_trace(mc_mct_writer *writer, bool is_finished, mc_error *error);

// One bit a metric as one bit a kind of column.
uint64_t mc_mct_writer_get_kinds(const mc_mct_writer *writer, uint64_t metrics);
// Lists the columns of all steps, for reading them from the file; the caller frees it with
// mc_free(). NULL: out of memory.
mc_mct_step_columns *mc_mct_writer_list_columns(const mc_mct_writer *writer);

// Reads the metrics of the steps from first_step to below end_step again, and updates their largest
// values. Steps count from 0.
mc_result mc_mct_writer_add_to_maxima(mc_mct_writer *writer, uint64_t metrics, size_t first_step,
                                      size_t end_step, mc_error *error);

// Fills the tables behind the views `reference_field`, `root`, `retaining_path` and `owner` anew,
// from two of the builder's steps. `has_children`: a byte per node.
mc_result mc_mct_write_side_answers(mc_mct_writer *writer, uint32_t first_step, uint32_t last_step,
                                    const uint8_t *has_children, mc_error *error);
// Fills the table `node`, which the view `growth` reads, anew.
mc_result mc_mct_write_growth(mc_mct_writer *writer, mc_error *error);
