// merge_file.h - writes an .mct file subtree by subtree, with all steps of each, for more nodes
// than a writer that goes step by step can hold (mct.h).
//
// The nodes below the root are written in ranges. A range is written completely, step by step,
// before the next one begins; data that shares one row across ranges waits in a spool. Memory: a
// few columns of the range, the strings up to a limit, the owners of each step, and for each step
// the part of it that fits into the spool's memory. Nodes are numbered as in the file: 0 is the
// root, and each range follows the one before. The file is usable once it is finished. Threads: one
// object, one thread.
#pragma once
#include "engine/store/mct/mct.h"
#include "engine/store/merge/spool.h"
#include "engine/trace/trace_columns.h"

typedef struct mc_merge_file mc_merge_file;

typedef struct mc_merge_file_desc {
    const char *path;        // of a file that does not exist or is empty
    const int64_t *times_ms; // rising
    uint32_t step_count;
    const mc_metrics *metrics;
    const mc_strings *classifiers;
    const char *root_key; // and its name
    size_t root_key_size;
} mc_merge_file_desc;

mc_result mc_merge_file_create(const mc_merge_file_desc *desc, mc_merge_file **file,
                               mc_error *error);
void mc_merge_file_destroy(mc_merge_file *file); // NULL is fine

// A string's number. Up to a limit a string that came before has the number that it had.
mc_result mc_merge_file_add_string(mc_merge_file *file, const char *bytes, size_t size,
                                   uint32_t *index, mc_error *error);

typedef struct mc_merge_node {
    uint32_t parent;    // a node of the file, of a lower number
    uint32_t key, name; // strings
    uint32_t role;      // classifier; MC_NONE: none
} mc_merge_node;

uint32_t mc_merge_file_get_node_count(const mc_merge_file *file);
// Begins a range behind the nodes that are there.
mc_result mc_merge_file_add_nodes(mc_merge_file *file, const mc_merge_node *nodes, uint32_t count,
                                  mc_error *error);

// Of the range, as they are stored: of own metrics plus 1, 0 for nothing. Each step and metric
// once, the steps in their order.
mc_result mc_merge_file_add_values(mc_merge_file *file, uint32_t step, mc_metric metric,
                                   const uint64_t *values, mc_error *error);
// A byte a node of the range: whether the step's tree has it. Each step once.
mc_result mc_merge_file_add_presence(mc_merge_file *file, uint32_t step, const uint8_t *is_present,
                                     mc_error *error);
// The range's largest own shares over all steps. Each metric once.
mc_result mc_merge_file_add_maxima(mc_merge_file *file, mc_metric metric, const uint64_t *values,
                                   mc_error *error);
// Nodes of the range that may have a share of their own, rising.
mc_result mc_merge_file_add_own(mc_merge_file *file, uint32_t node, mc_error *error);

// Rows of the range, in the file's numbers, sorted by key.
mc_result mc_merge_file_add_rows(mc_merge_file *file, uint32_t step, mc_side_table table,
                                 const mc_side_rows *rows, mc_error *error);
// A retaining path's number: that of one that came before, if it is the same. `parent` is one of
// those.
mc_result mc_merge_file_add_path(mc_merge_file *file, const mc_retaining_path *path,
                                 uint32_t *index, mc_error *error);

// An owner's number: that of one that came before, if it is the same in all but its place; where
// places differ, it becomes the root. `parent` is one of those.
mc_result mc_merge_file_add_owner(mc_merge_file *file, const mc_owner *owner, uint32_t *index,
                                  mc_error *error);
// Rows of a step's owners or their ways, in the file's numbers; what other parts had of the same
// owner is added up.
mc_result mc_merge_file_add_owner_rows(mc_merge_file *file, uint32_t step, mc_side_table table,
                                       const mc_side_rows *rows, mc_error *error);

// What a step is as a whole.
typedef struct mc_merge_step {
    uint64_t totals[MC_METRIC_MOST]; // the root's values, as they are stored
    uint32_t node_count, leaf_count; // without the root
    uint32_t directions;
    uint64_t heap_limit; // 0: not known
    mc_liveness liveness;
    const char *missing; // what it lacks; NULL: nothing
    const char *note;    // NULL: none
    bool has_referrers, has_paths, has_owners;
} mc_merge_step;

// `steps`: one a step. `root_max`: the root's largest own share, by metric. `largest`: of all
// values of a metric. `ranks`: the order in which siblings appeared, of all nodes, as
// docs/reference/mct.md has it; NULL: that of their numbers.
typedef struct mc_merge_finish {
    const mc_merge_step *steps;
    const uint64_t *root_max, *largest;
    const mc_mct_bytes *ranks; // content of a chain column of as many numbers as there are nodes
} mc_merge_finish;

// Writes what is left. The file can only be destroyed afterwards.
mc_result mc_merge_file_finish(mc_merge_file *file, const mc_merge_finish *finish, mc_error *error);
