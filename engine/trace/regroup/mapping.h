// mapping.h - what a trace that is made of another one's leaves (its base) reads of the base's side
// tables; for regrouped traces and pairs.
//
// References, fields and GC roots are of leaves: rows that become equal are merged and their counts
// summed. What a group's objects retain is no sum, so retaining paths are known of the nodes that
// have the very same leaves as a node of the base, and of no others. Owners are those of the whole
// heap, whatever its groups are.
#pragma once
#include "engine/trace/trace_columns.h"

#define MC_MAPPING_NOTHING (MC_NONE - 1) // as `same`: the node has no leaf of the base

typedef struct mc_mapping {
    const mc_trace *base;
    const uint32_t *leaf; // per node of the base: the node with a leaf's objects; MC_NONE: no leaf
    const uint32_t *same; // per node: the base's with the same leaves; MC_NONE: there is none.
                          // NULL: the base has no retaining paths
    const uint32_t *strings; // per string of the base: the trace's; NULL: they are the same
} mc_mapping;

// Looks for the nodes of the base with the same leaves. `first`, `members`: per node, and one
// behind, its leaves of the base. `work`: what was spent so far; MC_ERROR_UNSUPPORTED: hostile
// depths take more than there is. The caller frees *same with mc_free(), also after a failure.
mc_result mc_mapping_find_same(const mc_trace *trace, const mc_trace *base, const uint32_t *first,
                               const uint32_t *members, uint64_t *work, uint32_t **same,
                               mc_error *error);

// Like mc_step_source.read_side. O(rows), and sorting them; of paths O(nodes * log(rows)).
mc_result mc_mapping_read_side(const mc_mapping *mapping, const mc_trace *trace,
                               uint32_t step_index, mc_side_table table, mc_side_rows *rows,
                               mc_error *error);
// Takes over the base's retaining paths and owners, in the nearest groups around their places.
// O(nodes of the base).
mc_result mc_mapping_copy_paths(const mc_mapping *mapping, mc_trace *trace, mc_error *error);
bool mc_mapping_knows_paths(const mc_mapping *mapping, uint32_t node);

// Counts the nodes whose bits are set in `present`, and those of them without children.
void mc_mapped_count_nodes(const mc_trace *trace, const uint64_t *present, mc_step_size *size);
