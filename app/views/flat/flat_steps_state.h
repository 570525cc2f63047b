// flat_steps_state.h - the state of a sunburst's or icicle's timeline (flat_steps.h).
#pragma once
#include "app/answers/slot.h"
#include "app/flat/flat_timeline.h"
#include "engine/scene/flat_small.h"

typedef struct mc_flat_step_tree {
    uint32_t step;
    uint32_t version;    // version of its inputs; 0: not made yet
    mc_flat_small small; // without a value: empty, or it can't be read
    mc_flat_rect rect;   // of the last frame: what it may fill
    mc_flat_plane plane; // likewise; no rows: it was not drawn
} mc_flat_step_tree;

// The inputs of all small trees, beside their step.
typedef struct mc_flat_steps_key {
    uint32_t layout_version, tree_version, hits_version;
    uint32_t root, levels, color, colors_version, palette, texel_count;
    bool dark;
} mc_flat_steps_key;

typedef struct mc_flat_steps {
    mc_slot *slot;
    mc_flat_step_tree items[MC_FLAT_MOST_TREES]; // by step
    uint32_t count;                              // 0: there is no timeline
    mc_flat_steps_key key;
    uint32_t version;          // of the key
    uint32_t changes;          // changes with the picture
    uint32_t first;            // the first visible one, where there is no room for all
    uint32_t step, seen_count; // of the last frame
} mc_flat_steps;
