// mct.h - memcity's own trace files (.mct): written step by step, opened at once, read on demand.
//
// An .mct file is an SQLite database; docs/reference/mct.md describes it so that any program can
// read or write it. Opening reads the nodes and the totals of the steps; the values of a step are
// read on demand. Many may read while one writes: a reader sees the steps that were committed when
// it opened the file, and never half a step. If the writer is killed, only what was not committed
// is lost. Untrusted input: damaged data is never shown as correct. Messages begin with the file's
// name.
#pragma once
#include "engine/trace/build/trace_builder.h"
#include "engine/trace/notes.h"

// Whether a file begins like an SQLite database, and so is meant to be an .mct file.
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

// For a merged trace (engine/store/merge): lists, in ascending order, the groups whose values a
// step carries over from an earlier one because they had no data of its own time. `*is_merged`
// tells whether the trace is merged; for any other trace the list is empty. The caller frees *nodes
// with mc_free().
mc_result mc_mct_read_held(const mc_trace *trace, uint32_t step_index, bool *is_merged,
                           uint32_t **nodes, uint32_t *count, mc_error *error);

// The current state of a file, for callers that wait for new steps. Cheap to read.
typedef struct mc_mct_state {
    uint32_t step_count;
    bool is_finished;
} mc_mct_state;

mc_result mc_mct_peek(const char *path, mc_mct_state *state, mc_error *error);

// A running program that is recorded.
#define MC_MCT_PROGRAM_NAME_SIZE 96
typedef struct mc_mct_program {
    uint32_t pid; // 0: not known
    int64_t start_ms;
    char name[MC_MCT_PROGRAM_NAME_SIZE]; // its main class
} mc_mct_program;

// The one that the last steps of a file are of. Cheap to read.
mc_result mc_mct_read_program(const char *path, mc_mct_program *program, mc_error *error);

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
    const mc_progress *progress;   // asked in long calls whether to go on; likewise
    const mc_mct_program *program; // that the steps are of; likewise
} mc_mct_writer_desc;

// Appending reads the nodes once; the cost of adding a step does not depend on how many steps there
// are. MC_ERROR_BAD_DATA: the existing file is no .mct file, or is damaged. Memory: the nodes, a
// few columns, and one bit per node and step. Threads: one object, one thread.
mc_result mc_mct_writer_create(const mc_mct_writer_desc *desc, mc_mct_writer **writer,
                               mc_error *error);

// Like mc_trace_builder_add_step() and …_add_references(). Steps may come in any order of their
// times, any step may bring new nodes, and the references of a step may come any time after it. Bad
// input (MC_ERROR_BAD_DATA) leaves file and writer as they were before the call. After any other
// error the writer can only be destroyed; what was committed stays.
mc_result mc_mct_writer_add_step(mc_mct_writer *writer, const mc_step_tree *tree,
                                 const char *source, mc_error *error);
mc_result mc_mct_writer_add_references(mc_mct_writer *writer, const mc_reference_map *map,
                                       mc_reference_direction direction, mc_error *error);

// Like mc_trace_builder_add_referrers(). The table is created if the file lacks it, whatever the
// file's version.
mc_result mc_mct_writer_add_referrers(mc_mct_writer *writer, const mc_step_referrers *referrers,
                                      mc_error *error);

// Like mc_trace_builder_add_paths(). The tables are created likewise.
mc_result mc_mct_writer_add_paths(mc_mct_writer *writer, const mc_step_paths *paths,
                                  mc_error *error);
mc_result mc_mct_writer_add_owners(mc_mct_writer *writer, const mc_step_owners *owners,
                                   mc_error *error);

// Returns the number of nodes that the writer knows, and the bytes of their keys and names; for
// callers that accept steps from untrusted clients.
void mc_mct_writer_measure(const mc_mct_writer *writer, size_t *node_count, size_t *name_size);

// Commits what was added since the last commit: readers see it from now on, and it stays.
mc_result mc_mct_writer_commit(mc_mct_writer *writer, mc_error *error);

// Replaces the notes of the steps that were written by these.
mc_result mc_mct_writer_take_notes(mc_mct_writer *writer, const mc_note_list *notes,
                                   mc_error *error);
// Commits, writes the table that answers in SQL what grew, and marks the file as finished. The
// writer can only be destroyed afterwards. MC_ERROR_BAD_DATA if there is no step.
mc_result mc_mct_writer_finish(mc_mct_writer *writer, mc_error *error);

// Rolls back what was not committed. NULL is fine.
void mc_mct_writer_destroy(mc_mct_writer *writer);
