// mapped_rows.h - maps references, fields and GC roots to the leaves of a regrouped trace; for the
// trace module's own files only.
//
// `leaf`: per node of `base`, the node that contains a leaf's objects. Rows that become equal are
// merged and their counts summed. Otherwise like the functions of mc_step_source. Cost: O(rows),
// and sorting them.
#pragma once
#include "engine/trace/trace_columns.h"

mc_result mc_mapped_read_side(const mc_trace *base, uint32_t step_index, const uint32_t *leaf,
                              mc_side_table table, mc_side_rows *rows, mc_error *error);
// Counts the nodes whose bits are set in `present`, and those of them without children.
void mc_mapped_count_nodes(const mc_trace *trace, const uint64_t *present, mc_step_size *size);
