// trace_builder.h - builds a trace from steps that come in any order.
//
// Use: create; add_step for every step, each followed by its add_referrers, add_paths and
// add_owners if there are any; then add_references for every pointer map; then finish. A call that
// fails leaves the builder as it was before the call, so a bad step can be skipped. Memory: the
// trace's columns, and one step beyond them. Threads: one object, one thread.
#pragma once
#include "engine/trace/trace.h"

typedef struct mc_trace_builder mc_trace_builder;

// Warnings (a node smaller than the sum of its children) go to `log`, which must outlive the
// builder.
mc_result mc_trace_builder_create(const mc_log *log, mc_trace_builder **builder, mc_error *error);
void mc_trace_builder_destroy(mc_trace_builder *builder); // NULL is fine

// Sets the progress callback: long calls invoke it in the calling thread, a few times per tenth of
// a second, to report how much of the call is done and to ask whether to continue. NULL: no
// callback. It must outlive the builder.
void mc_trace_builder_set_progress(mc_trace_builder *builder, const mc_progress *progress);

// `source` names the input in messages about two steps with the same time. Errors:
// MC_ERROR_BAD_DATA with the byte offset of the node, if two siblings have the same key, a full key
// occurs twice in the tree, the time is out of range or belongs to an earlier step, the key kind
// differs from that of earlier steps, or the root has another key.
mc_result mc_trace_builder_add_step(mc_trace_builder *builder, const mc_step_tree *tree,
                                    const char *source, mc_error *error);

// Errors: no step has this time; a key is not that of a leaf in the step's tree; a pair occurs
// twice.
mc_result mc_trace_builder_add_references(mc_trace_builder *builder, const mc_reference_map *map,
                                          mc_reference_direction direction, mc_error *error);

// Adds the fields and GC roots that reference objects of the step added last. Errors: the time is
// that of another step or of none; a node is no leaf of the step's tree; a name or kind does not
// exist; an entry occurs twice.
mc_result mc_trace_builder_add_referrers(mc_trace_builder *builder,
                                         const mc_step_referrers *referrers, mc_error *error);

// Adds the retaining paths of the groups of the step added last. Errors: as for add_referrers. A
// path must come after its parent.
mc_result mc_trace_builder_add_paths(mc_trace_builder *builder, const mc_step_paths *paths,
                                     mc_error *error);

// Adds the owners of the step added last. Errors: as for add_referrers. An owner must come after
// its parent; an owner with a sum needs one of its parent. Where an owner's objects lie in other
// groups than before, its place becomes the nearest group around both.
mc_result mc_trace_builder_add_owners(mc_trace_builder *builder, const mc_step_owners *owners,
                                      mc_error *error);

// Sorts and packs everything. The builder can only be destroyed afterwards.
// Errors: MC_ERROR_BAD_DATA if no step was added.
mc_result mc_trace_builder_finish(mc_trace_builder *builder, mc_trace **trace, mc_error *error);
