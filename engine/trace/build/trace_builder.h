// trace_builder.h - puts steps, in any order, together to a trace.
//
// Use: create, add_step for every step (and add_holders behind it), then add_references for every
// pointer map, then finish.
// A call that fails leaves the builder as it was before the call, so that a bad step can be left
// out. Memory: the trace's columns, and one step beyond them. Threads: one object, one thread.
#pragma once
#include "engine/trace/trace.h"

typedef struct mc_trace_builder mc_trace_builder;

// Warnings (a node smaller than the sum of its children) go to `log`, which must outlive the
// builder.
mc_result mc_trace_builder_create(const mc_log *log, mc_trace_builder **builder, mc_error *error);
void mc_trace_builder_destroy(mc_trace_builder *builder); // NULL is fine

// Asked in long calls whether to go on, a few times a tenth of a second, in the calling thread;
// told how much of the call is done. NULL: nobody is. Must outlive the builder.
void mc_trace_builder_set_progress(mc_trace_builder *builder, const mc_progress *progress);

// `source` names the input in messages about two steps of one time. Errors: MC_ERROR_BAD_DATA with
// the byte offset of the node: two siblings with one key, one full key twice in a tree, a time that
// an earlier step has or that is out of range, another key kind than the steps before, a root with
// another key.
mc_result mc_trace_builder_add_step(mc_trace_builder *builder, const mc_step_tree *tree,
                                    const char *source, mc_error *error);

// Errors: a time without a step, a key that is no leaf of that step's tree, one pair twice.
mc_result mc_trace_builder_add_references(mc_trace_builder *builder, const mc_reference_map *map,
                                          mc_reference_direction direction, mc_error *error);

// By what the objects of the step that was added last are held. Errors: the time of another step,
// or of none; a node that is no leaf of its tree; a name or kind that is none; one entry twice.
mc_result mc_trace_builder_add_holders(mc_trace_builder *builder, const mc_step_holders *holders,
                                       mc_error *error);

// How the groups of the step that was added last are held. Errors: as of holders; of two paths the
// one that goes on from the other comes first.
mc_result mc_trace_builder_add_paths(mc_trace_builder *builder, const mc_step_paths *paths,
                                     mc_error *error);

// Sorts and packs everything. The builder can only be destroyed afterwards.
// Errors: MC_ERROR_BAD_DATA if no step was added.
mc_result mc_trace_builder_finish(mc_trace_builder *builder, mc_trace **trace, mc_error *error);
