// trace_columns.h - the internals of an mc_trace; for engine/trace and engine/store only.
#pragma once
#include "engine/trace/packed_column.h"
#include "engine/trace/side_table.h"
#include "engine/trace/trace_types.h"
#include <stdatomic.h>

typedef struct mc_trace_step {
    mc_step_info info;
    mc_packed_column *columns; // by metric, of metrics that are not additive plus 1; 0: unknown
    uint32_t column_count;
    uint64_t *present;                  // one bit a node
    mc_side_rows side[MC_SIDE_OF_STEP]; // of steps in memory; in files no more than counts of some
    char *note;                         // NULL: none
} mc_trace_step;

// Values of nodes, to be added up by group.
typedef struct mc_group_sums {
    const uint32_t *groups; // per node, in the order of the source
    uint32_t count;         // of groups
    uint64_t *values;       // per group
} mc_group_sums;

// How a trace reads its steps, all but their info; one such table serves steps in memory, another a
// file. The functions behave like those of trace.h, but values of metrics that are not additive are
// as stored: plus 1, 0 where there is none.
typedef struct mc_step_source {
    mc_result (*read_column)(const mc_trace *trace, uint32_t step_index, mc_metric metric,
                             uint64_t *values, mc_error *error);
    // Whether read_sums() would add anything up now, as others read, too. NULL: it never would.
    bool (*can_read_sums)(const mc_trace *trace);
    // Each node's group as read_sums() wants it. False: columns are what can be read.
    bool (*order_groups)(const mc_trace *trace, const uint32_t *groups, uint32_t *ordered);
    // Adds values of objects or bytes up by group, to the largest count at most. *is_done false:
    // read_column takes no longer.
    mc_result (*read_sums)(const mc_trace *trace, uint32_t step_index, mc_metric metric,
                           const mc_group_sums *sums, bool *is_done, mc_error *error);
    mc_result (*read_values)(const mc_trace *trace, uint32_t step_index, mc_metric metric,
                             const uint32_t *nodes, uint32_t count, uint64_t *values,
                             mc_error *error);
    mc_result (*read_presence)(const mc_trace *trace, uint32_t step_index, uint32_t node_index,
                               bool *is_present, mc_error *error);
    // Reads a table of a step that may have rows of it, in any order; *rows is empty, and stays so
    // on failure.
    mc_result (*read_side)(const mc_trace *trace, uint32_t step_index, mc_side_table table,
                           mc_side_rows *rows, mc_error *error);
    // Of a node, where a step's retaining paths are known; NULL: of all nodes.
    bool (*knows_paths)(const mc_trace *trace, uint32_t node);
    // NULL: the step's info says it.
    mc_result (*read_size)(const mc_trace *trace, uint32_t step_index, mc_step_size *size,
                           mc_error *error);
    // The leaves' largest values over all steps, by node; NULL: they are not known.
    const mc_packed_column *(*get_maxima)(const mc_trace *trace, mc_metric metric);
    // Both traces are of this source; *map is NULL. NULL: no trace continues another.
    mc_result (*map_nodes)(const mc_trace *from, const mc_trace *to, uint32_t **map,
                           mc_error *error);
    double (*get_frame_ms)(const mc_trace *trace); // of methods in a frame of time; NULL: of none
    size_t (*get_memory_size)(const mc_trace *trace);
    // Of what it has beside the steps; what follows from the nodes only if no other trace has them.
    void (*destroy)(mc_trace *trace, bool has_nodes);
} mc_step_source;

extern const mc_step_source mc_steps_in_memory; // trace_memory.c

struct mc_trace {
    // The nodes' columns, the strings and the classifiers, which traces of one file share as long
    // as no node comes (see mc_trace_share_nodes()), counted by them. NULL: this one has them
    // alone.
    atomic_uint *node_holders;
    mc_node_columns nodes; // points into the arrays below
    uint32_t *parent, *first_child, *child_count, *child_by_appearance, *level, *key, *name, *role;
    uint8_t *flags;
    uint32_t input_node_count;
    mc_key_kind key_kind;
    mc_strings strings;
    uint32_t *classifiers; // string indices
    uint32_t classifier_count;
    mc_trace_step *steps;
    uint32_t step_count;
    bool has_references, has_referrers, has_paths, has_owners;
    // By the trace that it is made of; its own classifiers may say so as well.
    bool is_of_sites, is_of_typed_sites;
    mc_retaining_path *paths;
    uint32_t path_count;
    mc_owner *owners;
    uint32_t owner_count;
    mc_metrics metrics;
    const mc_step_source *source;
    void *store; // the source's own
};

static inline bool mc_bits_get(const uint64_t *bits, uint32_t index) {
    return bits[index / 64] >> (index % 64) & 1;
}
static inline void mc_bits_set(uint64_t *bits, uint32_t index) {
    bits[index / 64] |= (uint64_t)1 << (index % 64);
}
static inline size_t mc_bits_word_count(uint32_t count) {
    return ((size_t)count + 63) / 64;
}

// How a column's values are stored, so that 0 means that the node is absent.
static inline uint64_t mc_value_store(const mc_metric_info *info, uint64_t value) {
    return info->is_additive ? value : value + 1; // unknown: 0
}
static inline uint64_t mc_value_load(const mc_metric_info *info, uint64_t stored) {
    return info->is_additive ? stored : stored - 1;
}

// Self nodes of a trace, or of one that is being made.
typedef struct mc_self_nodes {
    const uint32_t *nodes;
    uint32_t count;
} mc_self_nodes;

// Sets the self nodes to the objects or bytes that their siblings leave of the parent's. O(their
// siblings).
void mc_trace_fill_self_nodes(const mc_trace *trace, mc_self_nodes self, uint64_t *values);

// Completes a column of one of the trace's own metrics: from the values in the input to those of
// all nodes. For an additive metric, a missing value is the sum of the children. `is_inner`: one
// bit per node, whether it has children in the step's tree; only read for metrics that are not
// additive. O(nodes).
void mc_trace_complete_column(const mc_trace *trace, const mc_metric_info *info, mc_self_nodes self,
                              const uint64_t *is_inner, uint64_t *values);

// Reads a table of a step, sorted as trace.h says; others by key. Frees what `rows` held before; on
// failure it is empty.
mc_result mc_trace_read_side(const mc_trace *trace, uint32_t step_index, mc_side_table table,
                             mc_side_rows *rows, mc_error *error);

void mc_trace_step_deinit(mc_trace_step *step);

// Makes a trace that has no nodes yet share those of another, and counts the reference.
void mc_trace_share_nodes(mc_trace *trace, const mc_trace *other);
// Likewise for a trace whose own nodes are the same; its own copy is freed.
void mc_trace_adopt_nodes(mc_trace *trace, const mc_trace *other);
