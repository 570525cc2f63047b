// versus.h - two traces as one: each group with what it was in the one and is in the other.
//
// Groups are the same if their keys are, from the root down, once names that differ from run to run
// are folded (mc_versus_desc.fold), or if they were moved: a district whose name is in one trace
// alone is that of the other one which holds most of the same; so is one of which everything went
// elsewhere, and then the other one may be several. The nodes are called as `after`
// calls them, then come those that only `before` has; or the other way round, as the description
// says (`has_before_places`). Steps are those of both, beside each other as
// the alignment says: each step of either side is in one at least. What a side is to be shown
// without unless somebody asks, as a shutdown, comes behind both (mc_versus_desc.end), so there is
// a step at which each is as it was before. Metrics are those of both, as
// `after` has them, again, named "before.KEY", as `before` had them, and a third time, named
// "larger.KEY": of each leaf the larger of both. References, fields and roots are those of `after`.
//
// Only the nodes are made at once, steps are read from the two when they are asked for. The numbers
// of nodes follow from the two traces and whose places they have. Threads: as of any trace.
#pragma once
#include "engine/trace/trace.h"

typedef enum mc_versus_side { MC_BEFORE, MC_AFTER, MC_VERSUS_SIDES } mc_versus_side;

typedef enum mc_alignment {
    MC_ALIGN_END,  // last step beside last step
    MC_ALIGN_STEP, // first beside first
    MC_ALIGN_TIME, // by the time since the first
    MC_ALIGN_PAIR  // by a step of each that somebody has chosen
} mc_alignment;
extern const char *const mc_alignment_names[]; // but of a pair; ends with NULL

// Which step is beside which. Where one side has no more, its last one stays, before its first one
// that.
typedef struct mc_versus_alignment {
    mc_alignment kind;
    uint32_t pair[MC_VERSUS_SIDES]; // of MC_ALIGN_PAIR
} mc_versus_alignment;

// "step", "time", "end", or a pair as "3:12". False: it is none of them.
bool mc_versus_alignment_parse(const char *text, mc_versus_alignment *alignment);

// Which values of a metric.
typedef enum mc_versus_values {
    MC_VERSUS_BEFORE = MC_BEFORE,
    MC_VERSUS_AFTER = MC_AFTER,
    MC_VERSUS_LARGER
} mc_versus_values;

typedef struct mc_versus_desc {
    const mc_trace *sides[MC_VERSUS_SIDES]; // which have to outlive the trace, but:
    mc_trace *owned[MC_VERSUS_SIDES]; // those that go with the trace, or where it can't be made
    mc_versus_alignment alignment;    // a pair's steps are steps of the sides
    // The first and the last step that counts, the side's own; NULL: all do. Within the side, and
    // within it a pair's step.
    const uint32_t *window[MC_VERSUS_SIDES];
    // The last step before what is left out unless somebody asks for it, the side's own: later ones
    // come behind all steps that are aligned. Within the window, not before a pair's step; NULL:
    // nothing is.
    const uint32_t *end[MC_VERSUS_SIDES];
    bool no_moves; // what is called otherwise is another
    // What was moved is where `before` has it, and called so. Districts that became one are apart
    // then: what is in the others beside the first is moved piece by piece, and nothing is merged.
    bool has_before_places;
    // Appends what a key is folded to; false: it is left as it is. Asked by one thread, the first
    // time of `before`, then of `after`. NULL: nothing is folded.
    bool (*fold)(void *user, const char *key, size_t size, mc_text *out);
    void *user;
} mc_versus_desc;

// A district, or a leaf, that one has elsewhere than the other, with all in it that is in both.
typedef struct mc_versus_move {
    uint32_t node;        // of the trace
    uint32_t before_node; // of `before`
    uint32_t leaf_count;  // that are in both
    bool is_merged;       // `node` has more beside: it was there before, or took in others, too
} mc_versus_move;

// O(nodes).
mc_result mc_trace_versus(const mc_versus_desc *desc, const mc_progress *progress, mc_trace **trace,
                          mc_error *error);

bool mc_trace_is_versus(const mc_trace *trace); // whether it was made so

// All below is of a trace that was made so.
// Whether what a node was in `before`, or what that was in, was moved; then `move` is the nearest,
// unless NULL. What took something in was not moved with it. O(moves * levels) where it was, else
// fast.
bool mc_versus_find_move(const mc_trace *trace, uint32_t node, mc_versus_move *move);
bool mc_versus_has_before_places(const mc_trace *trace);
const mc_versus_move *mc_versus_get_moves(const mc_trace *trace,
                                          uint32_t *count); // most leaves first
// The side's node of the same name, or the first of those that were folded to it, or else moved
// into it; MC_NONE: there is none.
uint32_t mc_versus_get_node(const mc_trace *trace, mc_versus_side side, uint32_t node);
// Whether several nodes of the side are it.
bool mc_versus_is_several(const mc_trace *trace, mc_versus_side side, uint32_t node);
// The node that the side's is in.
uint32_t mc_versus_find_node(const mc_trace *trace, mc_versus_side side, uint32_t side_node);
// Whether the side has the node; what no other child explains is there wherever what is around it
// is.
bool mc_versus_has_node(const mc_trace *trace, mc_versus_side side, uint32_t node);
// The step of the side that is in one of the trace.
uint32_t mc_versus_get_step(const mc_trace *trace, mc_versus_side side, uint32_t step_index);
// The step at which both sides are at their ends (mc_versus_desc.end); where nothing is left out,
// the last one.
uint32_t mc_versus_get_end(const mc_trace *trace);
const mc_trace *mc_versus_get_side(const mc_trace *trace, mc_versus_side side);
// The first of its metrics, as `after` has them.
uint32_t mc_versus_get_metric_count(const mc_trace *trace);
// Other values of the same metric, of which any may be given.
mc_metric mc_versus_get_metric(const mc_trace *trace, mc_metric metric, mc_versus_values values);
// A metric of one side at a step of that side, by node of the trace, as mc_trace_read_column().
mc_result mc_versus_read_column(const mc_trace *trace, mc_versus_side side, uint32_t side_step,
                                mc_metric metric, uint64_t *values, mc_error *error);
