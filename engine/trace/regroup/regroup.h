// regroup.h - a trace grouped by other classifiers than its own, or in another order, as a trace.
//
// What a leaf is called by the wanted classifiers, outermost first, is where its objects are;
// leaves that agree in all of them become one, whose values and references are sums. A classifier
// of several levels (nested packages) keeps them. What a leaf lacks is left out: its objects then
// lie in the group above, as a building of its own where that has other groups, too. Of metrics
// that are not additive a group's value is known where the trace it is made of has a group of the
// very same leaves. Fields and roots are summed; how groups are held (step_paths.h) can't be, and
// is not known. A type's name is its whole name where its package does not stand before it.
//
// Only the nodes are made at once, steps when they are read, from those of `base`. Numbers of nodes
// depend on `base` and the grouping alone. Threads: as of any trace.
#pragma once
#include "engine/trace/trace.h"

#define MC_REGROUP_MOST 32 // classifiers

// Classifiers of a trace, outermost first, none twice.
typedef struct mc_regrouping {
    uint32_t classifiers[MC_REGROUP_MOST];
    uint32_t count;
    double frame_ms; // of a trace of methods: their elevation in such a frame (frame.h); 0: none
} mc_regrouping;

// Reads "type,package": names of the trace's classifiers, in which case, spaces and signs do not
// matter. MC_ERROR_BAD_DATA says which ones there are.
mc_result mc_regrouping_parse(const mc_trace *trace, const char *list, mc_regrouping *grouping,
                              mc_error *error);
// The trace's own; of a list that ends with NULL, or of the trace, "type,package".
void mc_regrouping_append(const mc_trace *trace, const mc_regrouping *grouping, mc_text *text);
// How a trace that no list was said for is best shown, as such a list: one of allocation sites by
// type and site, as each call path and thread apart names no line that piles up. "": as it is. Of a
// regrouped trace, that of its base.
const char *mc_regrouping_get_usual(const mc_trace *trace);
// Whether the trace is grouped so, as far as it is grouped by anything. O(nodes).
bool mc_regrouping_is_own(const mc_trace *trace, const mc_regrouping *grouping);

// `base`, which has to outlive the trace, is none that was regrouped. O(nodes). Errors:
// MC_ERROR_UNSUPPORTED where there would be too many groups.
mc_result mc_trace_regroup(const mc_trace *base, const mc_regrouping *grouping,
                           const mc_progress *progress, mc_trace **trace, mc_error *error);
// Likewise, where `before` may have the same nodes already, which are shared then, or have read
// what this one needs: another frame of one base, or of a base that goes on. NULL: there is none.
mc_result mc_trace_regroup_next(const mc_trace *base, const mc_regrouping *grouping,
                                const mc_trace *before, const mc_progress *progress,
                                mc_trace **trace, mc_error *error);
// From now on the trace destroys its base with itself.
void mc_trace_regroup_own_base(mc_trace *trace, mc_trace *base);
// What a regrouped trace is made of; of another one, itself.
const mc_trace *mc_trace_get_base(const mc_trace *trace);

// The node of `to` that stands best for `node` of `from`: that of the same leaves, or with the
// largest share of leaves in common; MC_NONE: none has at least half of them, and it is no leaf.
// Both have one base. O(leaves of the node * depth).
mc_result mc_trace_regroup_translate(const mc_trace *from, uint32_t node, const mc_trace *to,
                                     uint32_t *found, mc_error *error);
// Per node of `to` a node of `from` for it to come from: that of a leaf of it, or of the same
// leaves; MC_NONE: there is none. The caller frees it. O(nodes * depth).
mc_result mc_trace_regroup_map(const mc_trace *to, const mc_trace *from, uint32_t **map,
                               mc_error *error);
// Likewise of a trace that was regrouped alike before it went on: per node of `before` that of
// `after`. `base_map`: per node of the base before that of the base after; NULL: they are the same.
mc_result mc_trace_regroup_map_on(const mc_trace *before, const mc_trace *after,
                                  const uint32_t *base_map, uint32_t **map, mc_error *error);
