// regroup_store.h - the state of a regrouped trace beside its nodes; for the trace module's own
// files only.
#pragma once
#include "engine/trace/regroup/mapping.h"
#include "engine/trace/regroup/regrouping.h"
#include "engine/trace/trace_columns.h"
#include <pthread.h>
#include <stdatomic.h>

typedef struct mc_regroup_store {
    const mc_trace *base;
    mc_trace *owned; // base, if the trace destroys it
    mc_regrouping grouping;
    // From the nodes of the base to those of the trace and back, shared by traces whose bases and
    // groupings are the same, counted by them.
    atomic_uint *map_holders;
    uint32_t *leaf; // per node of the base: the leaf that its objects are in; MC_NONE: no leaf
    uint32_t
        *first; // per node, and one behind: its leaves of the base in `members`; only of leaves
    uint32_t *members;
    uint32_t *same;         // per node: the base's node of the same leaves; MC_NONE: there is none
    bool is_one_to_one;     // each leaf is one of the base
    struct mc_frame *frame; // whose metrics the trace has, instead of its base's; NULL: none

    pthread_mutex_t mutex; // of what follows
    bool has_mutex;
    uint64_t *present;                       // bits of step `present_step`, by node
    uint32_t present_step;                   // MC_NONE: none
    mc_packed_column maxima[MC_METRIC_MOST]; // of count 0: not known
    bool has_looked[MC_METRIC_MOST];
    // The leaf of each node of the base, in the order of its source. NULL: no sums are read.
    uint32_t *ordered_groups;
    bool has_ordered_groups; // has looked for them
} mc_regroup_store;

static inline mc_mapping mc_regroup_get_mapping(const mc_regroup_store *store) {
    return (mc_mapping){.base = store->base, .leaf = store->leaf, .same = store->same};
}

extern const mc_step_source mc_steps_regrouped;

static inline mc_regroup_store *mc_regroup_get_store(const mc_trace *trace) { // NULL: it is none
    return trace->source == &mc_steps_regrouped ? trace->store : NULL;
}
