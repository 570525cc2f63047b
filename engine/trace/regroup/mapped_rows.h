// mapped_rows.h - references, fields and roots of a trace whose leaves are put together anew; for
// the trace module's own files only.
//
// `leaf`: per node of `base`, the node that a leaf's objects are in. Rows that come to be the same
// become one, whose counts are sums. As the functions of mc_step_source; O(rows, sorted).
#pragma once
#include "engine/trace/trace_columns.h"

mc_result mc_mapped_read_references(const mc_trace *base, uint32_t step_index, const uint32_t *leaf,
                                    mc_reference_columns *references, mc_error *error);
mc_result mc_mapped_read_fields(const mc_trace *base, uint32_t step_index, const uint32_t *leaf,
                                mc_field_count **fields, uint32_t *count, mc_error *error);
mc_result mc_mapped_read_roots(const mc_trace *base, uint32_t step_index, const uint32_t *leaf,
                               mc_root_count **roots, uint32_t *count, mc_error *error);
// Nodes of the trace that is made, and those without children, of which `present` has the bits.
void mc_mapped_count_nodes(const mc_trace *trace, const uint64_t *present, mc_step_size *size);

// What such a trace does not know: there are none of any step.
mc_result mc_mapped_read_no_paths(const mc_trace *trace, uint32_t step_index, mc_path_sum **sums,
                                  uint32_t *count, mc_error *error);
mc_result mc_mapped_read_no_renames(const mc_trace *trace, uint32_t step_index, mc_rename **renames,
                                    mc_error *error);
