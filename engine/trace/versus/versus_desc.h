// versus_desc.h - of which two traces a pair is made and how; see versus.h.
#pragma once
#include "engine/trace/trace.h"

typedef enum mc_versus_side { MC_BEFORE, MC_AFTER, MC_VERSUS_SIDES } mc_versus_side;

typedef enum mc_alignment {
    MC_ALIGN_END,  // last step beside last step
    MC_ALIGN_STEP, // first beside first
    MC_ALIGN_TIME, // by the time since the first
    MC_ALIGN_PAIR  // by a step of each that somebody has chosen
} mc_alignment;

// How steps are paired. Where one side has no more steps, its last one is repeated; before its
// first step, the first one is.
typedef struct mc_versus_alignment {
    mc_alignment kind;
    uint32_t pair[MC_VERSUS_SIDES]; // of MC_ALIGN_PAIR
} mc_versus_alignment;

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

// A district or leaf that one trace has in another place than the other, with everything in it that
// both have.
typedef struct mc_versus_move {
    uint32_t node;        // of the trace
    uint32_t before_node; // of `before`
    uint32_t leaf_count;  // that are in both
    bool is_merged;       // `node` has more beside: it was there before, or took in others, too
} mc_versus_move;
