// versus.h - presents two traces as one: each group with its values before and after.
//
// Groups are the same if their keys are, from the root down, after names that differ from run to
// run are folded (mc_versus_desc.fold). Groups are also the same if they were moved. A district
// whose name only one trace has is matched with the district of the other that contains most of the
// same leaves. So is a district whose whole content moved elsewhere; it may then be matched with
// several. Nodes are named as in `after`, followed by those that only `before` has; or the other
// way round (`has_before_places`). Steps pair those of both traces as the alignment says: each step
// of either side is in at least one pair. Steps that are hidden unless the user asks for them, such
// as a shutdown, come last (mc_versus_desc.end), so one step shows both sides as they were before
// it. Metrics are those of both traces, three times: with the values of `after`; named "before.KEY"
// with those of `before`; named "larger.KEY" with, for each leaf, the larger of both. References,
// fields, GC roots, retaining paths and owners are those of `after`, paths of the groups that hold
// the same there.
//
// Creating the trace makes only the nodes; steps are read from the two traces on demand. Node
// numbers depend on the two traces and `has_before_places`. Threads: as for any trace.
#pragma once
#include "engine/trace/versus/versus_desc.h"

extern const char *const mc_alignment_names[]; // but of a pair; ends with NULL

// "step", "time", "end", or a pair as "3:12". False: it is none of them.
bool mc_versus_alignment_parse(const char *text, mc_versus_alignment *alignment);

// O(nodes).
mc_result mc_trace_versus(const mc_versus_desc *desc, const mc_progress *progress, mc_trace **trace,
                          mc_error *error);

bool mc_trace_is_versus(const mc_trace *trace); // whether it was made so

// All functions below take a trace that was made so.

// Whether the node of `before` that corresponds to this one, or a group around it, was moved; then
// `move`, unless NULL, receives the innermost such move. A group that others were moved into does
// not count as moved. O(moves * levels) if it was moved, else fast.
bool mc_versus_find_move(const mc_trace *trace, uint32_t node, mc_versus_move *move);
bool mc_versus_has_before_places(const mc_trace *trace);
const mc_versus_move *mc_versus_get_moves(const mc_trace *trace,
                                          uint32_t *count); // most leaves first
// The corresponding node of a side: the one of the same name, or the first of those that were
// folded or moved into it; MC_NONE: there is none.
uint32_t mc_versus_get_node(const mc_trace *trace, mc_versus_side side, uint32_t node);
// Whether several nodes of the side correspond to it.
bool mc_versus_is_several(const mc_trace *trace, mc_versus_side side, uint32_t node);
// The node of the trace that contains a side's node.
uint32_t mc_versus_find_node(const mc_trace *trace, mc_versus_side side, uint32_t side_node);
// Whether the side has the node; a self node exists wherever its parent does.
bool mc_versus_has_node(const mc_trace *trace, mc_versus_side side, uint32_t node);
// The side's step that a step of the trace shows.
uint32_t mc_versus_get_step(const mc_trace *trace, mc_versus_side side, uint32_t step_index);
// The step at which both sides are at their ends (mc_versus_desc.end); if nothing is left out, the
// last one.
uint32_t mc_versus_get_end(const mc_trace *trace);
const mc_trace *mc_versus_get_side(const mc_trace *trace, mc_versus_side side);
// The number of metrics with the values of `after`, which come first.
uint32_t mc_versus_get_metric_count(const mc_trace *trace);
// The same metric with the values of `values`; `metric` may be any of the three.
mc_metric mc_versus_get_metric(const mc_trace *trace, mc_metric metric, mc_versus_values values);
// Whether the metric has the values of `before`, of which no references, roots and owners are told;
// false of a trace that is not of two.
bool mc_versus_is_before(const mc_trace *trace, mc_metric metric);
// Reads a metric of one side at a step of that side, by node of the trace, like
// mc_trace_read_column().
mc_result mc_versus_read_column(const mc_trace *trace, mc_versus_side side, uint32_t side_step,
                                mc_metric metric, uint64_t *values, mc_error *error);
