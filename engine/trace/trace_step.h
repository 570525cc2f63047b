// trace_step.h - converts a step of a trace back to its own tree and pointer maps, the form in
// which importers read them.
//
// Threads: any; `tree` and `map` serve one thread at a time.
#pragma once
#include "engine/trace/step_tree.h"
#include "engine/trace/trace.h"

// Fills `tree` (what it held before goes) with the nodes of the step's own tree, each one before
// its children, siblings in the order in which the input first named them. Self nodes are no nodes
// of the input. Errors: as mc_trace_read_column().
mc_result mc_trace_fill_step_tree(const mc_trace *trace, uint32_t step_index, mc_step_tree *tree,
                                  mc_error *error);

// Fills `map` with one direction of the step's references, if its input had such a map (see
// mc_step_info).
mc_result mc_trace_fill_reference_map(const mc_trace *trace, uint32_t step_index,
                                      mc_reference_direction direction, mc_reference_map *map,
                                      mc_error *error);

// Fills `referrers` with the step's fields and roots, of the nodes of the tree that
// mc_trace_fill_step_tree() makes of the step; nothing but the time if they are not known.
mc_result mc_trace_fill_step_referrers(const mc_trace *trace, uint32_t step_index,
                                       mc_step_referrers *referrers, mc_error *error);

// Likewise fills `paths` with the retaining paths of the step's groups.
mc_result mc_trace_fill_step_paths(const mc_trace *trace, uint32_t step_index, mc_step_paths *paths,
                                   mc_error *error);
// Likewise fills `owners`. Places that the step's tree lacks are its nearest groups around.
mc_result mc_trace_fill_step_owners(const mc_trace *trace, uint32_t step_index,
                                    mc_step_owners *owners, mc_error *error);
