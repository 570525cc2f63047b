// mct.h - trace files of our own (.mct): written step by step, opened at once, read where one
// looks.
//
// An .mct file is an SQLite database; docs/mct.md describes it so that any program can read or
// write it. Opening reads the nodes and what the steps' totals are; a step's values are read when
// they are asked for. Many may read while one writes: a reader sees the steps that were committed
// when it opened the file, and never half a step. If the writer is killed, what was not committed
// is lost, nothing else.
// Untrusted input: what is damaged is never shown as right; messages begin with the file's name.
#pragma once
#include "engine/trace/build/trace_builder.h"

// Whether a file begins as an SQLite database does: then it is meant to be an .mct file.
bool mc_mct_detect(const void *data, size_t size);
#define MC_MCT_DETECT_SIZE 16 // bytes that tell it

typedef struct mc_mct_open_desc {
    const char *path;
    const void
        *memory; // not NULL: the file's bytes, which must outlive the trace; `path` is unused
    size_t memory_size;
    bool is_live;           // that its writer has not finished is no news
    const mc_trace *before; // of the same file, when it had fewer steps: what says the nodes is not
                            // read again, but shared, if it has not changed since; may be NULL
    bool skip_bad_steps;    // read everything once, and leave damaged steps out
    const mc_log *log;      // warnings, may be NULL; only used while opening
    const mc_progress *progress; // of the parts of the work, one after another; may be NULL
} mc_mct_open_desc;

typedef struct mc_mct_open_report {
    uint32_t skipped_count; // steps, or references of steps, left out
    bool is_finished;       // false: its writer is still at work, or was killed
} mc_mct_open_report;

// `report` may be NULL. On failure *trace is NULL. MC_ERROR_BAD_DATA says what is damaged and what
// can still be read.
mc_result mc_mct_open(const mc_mct_open_desc *desc, mc_trace **trace, mc_mct_open_report *report,
                      mc_error *error);

bool mc_mct_is_file(const mc_trace *trace); // whether it lies in an .mct file

// The nodes of a trace in the one that the same file became when steps were added: `*map` has an
// entry a node of `from`, MC_NONE if `to` lacks it; the caller frees it with mc_free().
// MC_ERROR_UNSUPPORTED: `to` is no continuation of `from`. O(nodes).
mc_result mc_mct_map_nodes(const mc_trace *from, const mc_trace *to, uint32_t **map,
                           mc_error *error);

// Of a merged trace (engine/trace/merge): the groups that a step has from before, because there was
// nothing of its own time; rising. `*is_merged`: it is such a trace; of others there are none. The
// caller frees *nodes with mc_free().
mc_result mc_mct_read_held(const mc_trace *trace, uint32_t step_index, bool *is_merged,
                           uint32_t **nodes, uint32_t *count, mc_error *error);

// What a file says of itself at this moment, for who waits for new steps. Cheap.
typedef struct mc_mct_state {
    uint32_t step_count;
    bool is_finished;
} mc_mct_state;

mc_result mc_mct_peek(const char *path, mc_mct_state *state, mc_error *error);

// ---- writing

typedef struct mc_mct_writer mc_mct_writer;

typedef enum mc_mct_sync {
    MC_MCT_SYNC_START, // the file without steps is on disk, the steps some time later: if the
                       // writer is killed all that were committed stay, after a power failure
                       // perhaps none
    MC_MCT_SYNC_STEPS, // every commit waits until the step is on disk: slow
    MC_MCT_SYNC_NEVER, // who is not finished throws the file away: a kill within a step spoils it
} mc_mct_sync;

typedef struct mc_mct_writer_desc {
    const char *path; // of a file that does not exist yet or is empty, or, to append, of one that
                      // has steps
    bool append;      // go on behind the file's steps: new ones must be later than those, which
                      // can't get references any more
    mc_mct_sync sync;
    const mc_log *log; // warnings, as of mc_trace_builder; must outlive the writer; may be NULL
    const mc_progress *progress; // asked in long calls whether to go on; likewise
} mc_mct_writer_desc;

// To append costs reading the nodes once; what a step costs does not depend on how many there are.
// MC_ERROR_BAD_DATA: what is there is no .mct file, or is damaged. Memory: the nodes, a few columns
// and a bit a node and step. Threads: one object, one thread.
mc_result mc_mct_writer_create(const mc_mct_writer_desc *desc, mc_mct_writer **writer,
                               mc_error *error);

// As mc_trace_builder_add_step() and …_add_references(): steps in any order of their times, nodes
// may come with any step, the references of a step may come any time after it. What is wrong with
// the input (MC_ERROR_BAD_DATA) leaves file and writer as they were before the call; after any
// other error the writer can only be destroyed, and what was committed stays.
mc_result mc_mct_writer_add_step(mc_mct_writer *writer, const mc_step_tree *tree,
                                 const char *source, mc_error *error);
mc_result mc_mct_writer_add_references(mc_mct_writer *writer, const mc_reference_map *map,
                                       mc_reference_direction direction, mc_error *error);

// As mc_trace_builder_add_holders(). A file that has no such table gets it, whatever its version.
mc_result mc_mct_writer_add_holders(mc_mct_writer *writer, const mc_step_holders *holders,
                                    mc_error *error);

// As mc_trace_builder_add_paths(). Likewise.
mc_result mc_mct_writer_add_paths(mc_mct_writer *writer, const mc_step_paths *paths,
                                  mc_error *error);

// How much the writer knows by name: nodes, and the bytes of their keys and names; for who takes
// steps of strangers.
void mc_mct_writer_measure(const mc_mct_writer *writer, size_t *node_count, size_t *name_size);

// What was added since the last commit is in the file from now on: for readers, and for all time.
mc_result mc_mct_writer_commit(mc_mct_writer *writer, mc_error *error);

// Commits, writes the table that answers in SQL what grew, and marks the file as finished. The
// writer can only be destroyed afterwards. MC_ERROR_BAD_DATA if there is no step.
mc_result mc_mct_writer_finish(mc_mct_writer *writer, mc_error *error);

// What was not committed is taken back. NULL is fine.
void mc_mct_writer_destroy(mc_mct_writer *writer);
