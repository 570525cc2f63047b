// flat_past.h - the former extents of a pane, by node, so that a pane of another tree of the same
// trace can transition from them, for example after a change of the order or of the "Other"
// entries.
//
// Zero-initialise, take, deinit. Threads: one object serves one thread at a time.
#pragma once
#include "engine/scene/flat_pane.h"

typedef struct mc_flat_past {
    mc_interval *intervals; // per node below the root; of one in an Other: the Other's. NULL: none
    uint32_t *colors;
    uint32_t node_count, root_node;
    double row_count;
} mc_flat_past;

// Takes what a pane shows at rest. If memory is out, there is no past. O(nodes).
void mc_flat_past_take(mc_flat_past *past, const mc_flat_pane *pane);
void mc_flat_past_deinit(mc_flat_past *past);

// Makes the pane, at rest with the same root, transition from the past; mc_flat_pane_build() mixes
// the two. False: there is no past, or it has another root. O(entries).
bool mc_flat_past_begin(const mc_flat_past *past, mc_flat_pane *pane);
