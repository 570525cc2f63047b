// regroup.h - presents a trace grouped by other classifiers than its own, or in another order, as a
// trace.
//
// A leaf's objects are placed by its names in the chosen classifiers, outermost first. Leaves that
// agree in all of them become one, whose values and references are sums. A classifier of several
// levels (nested packages) keeps them. A classifier that a leaf lacks is skipped: its objects then
// lie in the group above, as a building of its own if that group also has child groups. For a
// metric that is not additive, a group's value is known only if the original trace has a group of
// exactly the same leaves; so are its retaining paths (mc_trace_knows_paths()), as what objects
// retain is no sum. Fields and GC roots are summed. A type is shown by its whole name unless its
// package stands before it.
//
// Creating the trace makes only the nodes; steps are read from `base` on demand. Node numbers
// depend on `base` and the grouping alone. Threads: as for any trace.
#pragma once
#include "engine/trace/regroup/regrouping.h"
#include "engine/trace/trace.h"

// Reads a list such as "type,package" of the trace's classifiers; case, spaces and punctuation do
// not matter. MC_ERROR_BAD_DATA lists the available ones.
mc_result mc_regrouping_parse(const mc_trace *trace, const char *list, mc_regrouping *grouping,
                              mc_error *error);
// The trace's own; of a list that ends with NULL, or of the trace, "type,package".
void mc_regrouping_append(const mc_trace *trace, const mc_regrouping *grouping, mc_text *text);
// The default grouping of a trace, as such a list: by type, where it is known, and site for a trace
// of allocation sites, because single call paths and threads hide which line piles up. "": no
// regrouping. For a regrouped trace, the default of its base.
const char *mc_regrouping_get_usual(const mc_trace *trace);
// Whether the trace is grouped so, as far as it is grouped by anything. O(nodes).
bool mc_regrouping_is_own(const mc_trace *trace, const mc_regrouping *grouping);

// `base` has to outlive the trace and must not be regrouped itself. O(nodes). Errors:
// MC_ERROR_UNSUPPORTED if there would be too many groups.
mc_result mc_trace_regroup(const mc_trace *base, const mc_regrouping *grouping,
                           const mc_progress *progress, mc_trace **trace, mc_error *error);
// The same, reusing `before`: nodes are shared if they are the same, and cached steps are reused if
// `before` is another frame of the same base, or of one that `base` continues. NULL: none.
mc_result mc_trace_regroup_next(const mc_trace *base, const mc_regrouping *grouping,
                                const mc_trace *before, const mc_progress *progress,
                                mc_trace **trace, mc_error *error);
// From now on the trace destroys its base with itself.
void mc_trace_regroup_own_base(mc_trace *trace, mc_trace *base);
// The base of a regrouped trace; of any other trace, the trace itself.
const mc_trace *mc_trace_get_base(const mc_trace *trace);

// Finds the node of `to` that best corresponds to `node` of `from`: the one with the same leaves,
// or with the largest share of leaves in common. MC_NONE: none has at least half of them, and
// `node` is no leaf. Both traces have the same base. O(leaves of the node * depth).
mc_result mc_trace_regroup_translate(const mc_trace *from, uint32_t node, const mc_trace *to,
                                     uint32_t *found, mc_error *error);
// Maps each node of `to` to the node of `from` that it moves from in a transition: the node of one
// of its leaves, or of the same leaves; MC_NONE: there is none. The caller frees it. O(nodes *
// depth).
mc_result mc_trace_regroup_map(const mc_trace *to, const mc_trace *from, uint32_t **map,
                               mc_error *error);
// The same for two traces with the same grouping, `after` continuing `before`: per node of `before`
// that of `after`. `base_map`: per node of the old base that of the new one; NULL: they are the
// same.
mc_result mc_trace_regroup_map_on(const mc_trace *before, const mc_trace *after,
                                  const uint32_t *base_map, uint32_t **map, mc_error *error);
