// versus.h - two traces as one: each group with what it was in the one and is in the other.
//
// Groups are the same if their keys are, from the root down, once names that differ from run to run
// are folded (mc_versus_desc.fold), or if they were moved: a district whose name is in one trace
// alone is that of the other one which holds most of the same. The nodes are called as `after`
// calls them, then come those that only `before` has. Steps are those of `after`, each beside one
// of `before`; metrics are those of both, as `after` has them, and again, named "before.KEY", as
// `before` had them. References, fields and roots are those of `after`.
//
// Only the nodes are made at once, steps are read from the two when they are asked for. The numbers
// of nodes follow from the two traces alone. Threads: as of any trace.
#pragma once
#include "engine/trace/trace.h"

typedef enum mc_versus_side { MC_BEFORE, MC_AFTER, MC_VERSUS_SIDES } mc_versus_side;

typedef enum mc_alignment {
    MC_ALIGN_END,  // last step beside last step
    MC_ALIGN_STEP, // first beside first
    MC_ALIGN_TIME  // by the time since the first
} mc_alignment;
extern const char *const mc_alignment_names[]; // ends with NULL

typedef struct mc_versus_desc {
    const mc_trace *sides[MC_VERSUS_SIDES]; // which have to outlive the trace
    mc_alignment alignment;
    bool no_moves; // what is called otherwise is another
    // Appends what a key is folded to; false: it is left as it is. Asked by one thread, the first
    // time of `before`, then of `after`. NULL: nothing is folded.
    bool (*fold)(void *user, const char *key, size_t size, mc_text *out);
    void *user;
} mc_versus_desc;

// A district, or a leaf, that `after` has elsewhere, with all in it that is in both.
typedef struct mc_versus_move {
    uint32_t node;        // of the trace
    uint32_t before_node; // of `before`
    uint32_t leaf_count;  // that are in both
} mc_versus_move;

// O(nodes).
mc_result mc_trace_versus(const mc_versus_desc *desc, const mc_progress *progress, mc_trace **trace,
                          mc_error *error);

// All below is of a trace that was made so.
const mc_versus_move *mc_versus_get_moves(const mc_trace *trace,
                                          uint32_t *count); // most leaves first
// The side's node of the same name, or the first of those that were folded to it; MC_NONE: there is
// none.
uint32_t mc_versus_get_node(const mc_trace *trace, mc_versus_side side, uint32_t node);
// The step of `before` that stands beside one of the trace.
uint32_t mc_versus_get_step_before(const mc_trace *trace, uint32_t step_index);
// The metric as `before` had it.
mc_metric mc_versus_get_metric_before(const mc_trace *trace, mc_metric metric);
// A metric of one side at a step of that side, by node of the trace, as mc_trace_read_column().
mc_result mc_versus_read_column(const mc_trace *trace, mc_versus_side side, uint32_t side_step,
                                mc_metric metric, uint64_t *values, mc_error *error);
