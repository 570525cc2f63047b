// versus_store.h - what a trace made of two holds beside its nodes, and how its nodes are found;
// for the trace module's own files only.
#pragma once
#include "engine/trace/build/builder_nodes.h"
#include "engine/trace/regroup/mapping.h"
#include "engine/trace/trace_columns.h"
#include "engine/trace/versus/versus_desc.h"
#include <pthread.h>

typedef struct mc_versus_members {
    uint32_t *node;  // per node of the side: that of the trace; of a self node its parent's
    uint32_t *leaf;  // per node of the side: the leaf that its objects are in; MC_NONE: no leaf
    uint32_t *first; // per node of the trace, and one behind: its leaves of the side in `leaves`
    uint32_t *leaves;
    uint32_t *same;   // per node of the trace: the side's; MC_NONE: there is none
    uint8_t *is_many; // per node of the trace: the side has several
} mc_versus_members;

typedef struct mc_versus_store {
    const mc_trace *sides[MC_VERSUS_SIDES];
    mc_trace *owned[MC_VERSUS_SIDES]; // or NULL
    mc_versus_members members[MC_VERSUS_SIDES];
    uint32_t *step[MC_VERSUS_SIDES];                    // per step: the side's
    mc_metric metrics[MC_VERSUS_SIDES][MC_METRIC_MOST]; // per metric: the side's; MC_NONE
    uint32_t metric_count;                              // of each of mc_versus_values
    bool is_folded[MC_VERSUS_SIDES];                    // some leaf is several of the side
    bool is_windowed[MC_VERSUS_SIDES];                  // it has steps that don't count
    uint32_t end_step;                                  // of mc_versus_get_end()
    uint32_t *same_after;    // per node: that of `after` with the same leaves; see mc_mapping
    uint32_t *strings_after; // per string of `after`: the trace's; NULL: they are the same
    mc_versus_move *moves;
    uint32_t move_count;
    uint64_t *moved; // bits, by node: it or what it is in was moved
    bool has_before_places;

    pthread_mutex_t mutex; // of what follows
    bool has_mutex;
    uint64_t *present;     // bits of step `present_step`, by node
    uint32_t present_step; // MC_NONE: none
    mc_packed_column maxima[MC_METRIC_MOST];
    bool has_maxima[MC_METRIC_MOST];
} mc_versus_store;

static inline bool mc_versus_is_moved(const mc_versus_store *store, uint32_t node) {
    return store->moved[node / 64] >> (node % 64) & 1;
}

// What a node was in `before`; what no other child explains was in what is around it. MC_NONE: it
// was not there.
static inline uint32_t mc_versus_find_before(const mc_trace *trace, const mc_versus_store *store,
                                             uint32_t node) {
    if (trace->flags[node] & MC_NODE_SELF) node = trace->parent[node];
    return store->members[MC_BEFORE].same[node];
}

// References, fields, roots, retaining paths and owners are those of `after`.
static inline mc_mapping mc_versus_get_mapping(const mc_versus_store *store) {
    return (mc_mapping){.base = store->sides[MC_AFTER],
                        .leaf = store->members[MC_AFTER].leaf,
                        .same = store->same_after,
                        .strings = store->strings_after};
}

extern const mc_step_source mc_steps_versus;

// Which steps the trace has, of which steps of the sides (versus_align.c).
mc_result mc_versus_align(const mc_versus_desc *desc, mc_trace *trace, mc_versus_store *store,
                          mc_error *error);

// The nodes of both, in the order in which they were seen: first those of the side that says where
// they are.
typedef struct mc_versus_join {
    const mc_versus_desc *desc;
    const mc_progress *progress;
    mc_trace_builder *builder;
    mc_slots slots;                  // of nodes by (parent, key)
    uint32_t *node[MC_VERSUS_SIDES]; // per node of the side: the joined one
    uint32_t *string;                // per string of the side that is joined: its folded key
    mc_versus_side first, second;    // the side that says so, and the other one
    uint32_t first_count;            // joined nodes that `first` has
    uint32_t *moved_to;              // of mc_versus_find_moves()
    uint8_t *is_merged;
    uint8_t *was_merged; // per node of `second`: it was moved into something that was more than it
    uint32_t *strings_after; // as of mc_versus_store, whose they become
    mc_text text;            // scratch
} mc_versus_join;

// Which nodes that only the second side has are which of those of the first: per joined node from
// first_count on, the node of the first, or MC_NONE, as join->moved_to; and whether it is but a
// part of that, as join->is_merged. The join owns both; both NULL and MC_OK: none is.
mc_result mc_versus_find_moves(mc_versus_join *join, mc_error *error);
