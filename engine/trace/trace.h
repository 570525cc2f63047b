// trace.h - a recorded heap over time, as columns: the nodes once, their counts step by step.
//
// Nodes are in breadth-first order: node 0 is the root, parents precede children, and the children
// of a node are contiguous and sorted by key in byte order. A node that is a leaf in one step and
// an inner node in another, or whose children do not explain its whole value, has an extra child
// flagged MC_NODE_SELF that holds the unexplained share. So a value of an additive metric is always
// the sum of the leaves below it (unless the input contradicts itself, which the builder reports).
// For a metric that is not additive, the extra child has a value only where its parent is a leaf.
// Ownership: everything returned belongs to the trace, except references, fields, roots, path
// sums and owners that were read. A finished trace does not change, except for its notes. A trace
// may lie in a file that is read on demand (mct.h). Functions that read a step can then fail
// (MC_ERROR_IO, MC_ERROR_BAD_DATA if the file is damaged there, MC_ERROR_OUT_OF_MEMORY) and leave
// their output undefined. Threads: reading from any thread.
#pragma once
#include "engine/trace/step_referrers.h"
#include "engine/trace/trace_types.h"

void mc_reference_rows_deinit(mc_reference_rows *references);
void mc_path_sums_deinit(mc_path_sums *sums);
void mc_field_rows_deinit(mc_field_rows *fields);
void mc_root_rows_deinit(mc_root_rows *roots);
void mc_owner_rows_deinit(mc_owner_rows *owners);
void mc_owner_way_rows_deinit(mc_owner_way_rows *ways);

void mc_trace_destroy(mc_trace *trace); // NULL is fine

const mc_node_columns *mc_trace_get_nodes(const mc_trace *trace);
uint32_t mc_trace_get_step_count(const mc_trace *trace); // at least 1
const mc_step_info *mc_trace_get_step(const mc_trace *trace, uint32_t step_index);
uint32_t mc_trace_get_classifier_count(const mc_trace *trace);
// As mc_trace_get_string(). No two classifiers have one name.
const char *mc_trace_get_classifier(const mc_trace *trace, uint32_t classifier_index, size_t *size);
// Whether the trace records allocation sites by call path: it has the classifiers Site and Caller,
// however it is grouped now. O(classifiers).
bool mc_trace_is_of_sites(const mc_trace *trace);
// Whether it has Type as well, as an agent's recordings have.
bool mc_trace_is_of_typed_sites(const mc_trace *trace);
mc_key_kind mc_trace_get_key_kind(const mc_trace *trace);
bool mc_trace_has_references(const mc_trace *trace);
// Whether at least one step has them: see mc_step_info. Inputs that have fields have roots, too.
bool mc_trace_has_fields(const mc_trace *trace);
bool mc_trace_has_roots(const mc_trace *trace);
bool mc_trace_has_paths(const mc_trace *trace);
bool mc_trace_has_owners(const mc_trace *trace); // likewise
// Whether the retaining paths of a step, if it has some, are known of this node. False only of some
// nodes of regrouped traces and pairs: those whose objects were no group of the trace behind.
bool mc_trace_knows_paths(const mc_trace *trace, uint32_t node_index);
// All retaining paths of the trace; a path comes after its parent.
const mc_retaining_path *mc_trace_get_paths(const mc_trace *trace, uint32_t *count);
// All owners of the trace (step_owners.h); one comes after its parent. Their strings are the
// trace's, their nodes too: however it is grouped, owners are those of the whole heap.
const mc_owner *mc_trace_get_owners(const mc_trace *trace, uint32_t *count);

// The trace's metrics: objects and bytes, then its own in the order in which its input brought
// them.
uint32_t mc_trace_get_metric_count(const mc_trace *trace);
const mc_metric_info *mc_trace_get_metric(const mc_trace *trace, mc_metric metric);
mc_metric mc_trace_find_metric(const mc_trace *trace, const char *key); // or MC_NONE
// The metric to show by default: bytes, or the first of the trace's own if it has neither objects
// nor bytes. Always bytes for an agent's recording, of which nothing may be alive yet. What was
// allocated for a recording that knows the Java heap after collections: its bytes are malloc's.
mc_metric mc_trace_get_usual_metric(const mc_trace *trace);
// Whether any step has objects: some inputs know bytes alone. O(steps).
bool mc_trace_counts_objects(const mc_trace *trace);
// Whether both have the same nodes with the same numbers: one file, opened again after it grew.
bool mc_trace_shares_nodes(const mc_trace *a, const mc_trace *b);
// Whether `b` continues `a`: it shares the nodes of `a` and has all its steps, maybe with more
// behind them. O(steps).
bool mc_trace_goes_on(const mc_trace *a, const mc_trace *b);
// Maps the nodes of `from` to those of `to`, the same file opened again after steps were added.
// `*map` has an entry per node of `from`, MC_NONE if `to` lacks it; the caller frees it with
// mc_free(). MC_ERROR_UNSUPPORTED: `to` is no continuation of `from`. O(nodes).
mc_result mc_trace_map_nodes(const mc_trace *from, const mc_trace *to, uint32_t **map,
                             mc_error *error);
// Nodes that the input has: all but those flagged MC_NODE_SELF.
uint32_t mc_trace_get_input_node_count(const mc_trace *trace);

// Reads a metric at a step; `values` has room for every node. For an additive metric all are known;
// for any other, MC_COUNT_UNKNOWN stands where the input has none. O(nodes).
mc_result mc_trace_read_column(const mc_trace *trace, uint32_t step_index, mc_metric metric,
                               uint64_t *values, mc_error *error);
// The same as whole numbers, unknown ones as 0: see mc_metric_get_count().
mc_result mc_trace_read_counts(const mc_trace *trace, uint32_t step_index, mc_metric metric,
                               uint64_t *counts, mc_error *error);
mc_result mc_trace_read_value(const mc_trace *trace, uint32_t step_index, mc_metric metric,
                              uint32_t node_index, uint64_t *value, mc_error *error);
// The values of some nodes, in any order.
mc_result mc_trace_read_values(const mc_trace *trace, uint32_t step_index, mc_metric metric,
                               const uint32_t *nodes, uint32_t count, uint64_t *values,
                               mc_error *error);
// The root's value; of objects and bytes it is known without reading.
mc_result mc_trace_read_total(const mc_trace *trace, uint32_t step_index, mc_metric metric,
                              uint64_t *value, mc_error *error);
// The size of a step's tree. O(1); for a regrouped trace O(nodes and references of the step).
mc_result mc_trace_read_size(const mc_trace *trace, uint32_t step_index, mc_step_size *size,
                             mc_error *error);
// Whether the step's own tree has the node.
mc_result mc_trace_read_presence(const mc_trace *trace, uint32_t step_index, uint32_t node_index,
                                 bool *is_present, mc_error *error);
// Frees what `references` held before; on failure it is zeroed. O(references of the step).
mc_result mc_trace_read_references(const mc_trace *trace, uint32_t step_index,
                                   mc_reference_rows *references, mc_error *error);
// Likewise; empty if the step's fields, roots, paths or owners are not known. O(those of the step).
mc_result mc_trace_read_fields(const mc_trace *trace, uint32_t step_index, mc_field_rows *fields,
                               mc_error *error);
mc_result mc_trace_read_roots(const mc_trace *trace, uint32_t step_index, mc_root_rows *roots,
                              mc_error *error);
mc_result mc_trace_read_paths(const mc_trace *trace, uint32_t step_index, mc_path_sums *sums,
                              mc_error *error);
mc_result mc_trace_read_owners(const mc_trace *trace, uint32_t step_index, mc_owner_rows *owners,
                               mc_error *error);
mc_result mc_trace_read_owner_ways(const mc_trace *trace, uint32_t step_index,
                                   mc_owner_way_rows *ways, mc_error *error);

// Whether the largest value of every leaf over all steps is known without reading all of them.
bool mc_trace_has_maximum(const mc_trace *trace, mc_metric metric);
// Those values, 0 where none is known and for inner nodes. Only if mc_trace_has_maximum().
// O(nodes).
void mc_trace_get_maximum(const mc_trace *trace, mc_metric metric, uint64_t *values);

// A NUL stands behind a string, but may also be within it: its length is `size`, which may be NULL.
// Strings are UTF-8, unless an .mct file of another program holds something else.
const char *mc_trace_get_string(const mc_trace *trace, uint32_t string_index, size_t *size);
const char *mc_trace_get_name(const mc_trace *trace, uint32_t node_index, size_t *size);

// The user's note on a step ("deploy"): a line of printable text; NULL: none.
const char *mc_trace_get_note(const mc_trace *trace, uint32_t step_index);
// Replaces the note of a step; an empty text removes it. What can't be printed on a line is
// replaced, and a long text is truncated. False: out of memory.
bool mc_trace_set_note(mc_trace *trace, uint32_t step_index, const char *text, size_t size);

// Appends "Heap#java.util#LinkedList" or "Heap → Package: java.util → Type: LinkedList". O(depth).
void mc_trace_append_full_key(const mc_trace *trace, uint32_t node_index, mc_text *text);
void mc_trace_append_path(const mc_trace *trace, uint32_t node_index, mc_text *text);

// Finds the node with this full key; MC_NONE if there is none. If two nodes have the same full key,
// returns the first. O(nodes).
uint32_t mc_trace_find_node(const mc_trace *trace, const char *full_key, size_t size);

size_t mc_trace_memory_size(const mc_trace *trace); // bytes held by the columns
