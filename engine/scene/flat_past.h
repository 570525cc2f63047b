// flat_past.h - where everything was in a pane, by node: from there a pane of another tree of the
// same trace can move, such as of another order, or with other Others.
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

// Of what a pane shows at rest. Without memory there is none. O(nodes).
void mc_flat_past_take(mc_flat_past *past, const mc_flat_pane *pane);
void mc_flat_past_deinit(mc_flat_past *past);

// The pane, at rest with the same root, comes from there: mc_flat_pane_build() mixes the two.
// False: there is no past, or of another root. O(entries).
bool mc_flat_past_begin(const mc_flat_past *past, mc_flat_pane *pane);
