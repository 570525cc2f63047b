// flat_small.h - a sunburst or icicle of one step, made once, for many small ones side by side,
// where a pane (flat_pane.h) for each would take too much memory.
//
// It keeps what is visible: strips, the places of entries, and which entries are there at all.
// Entries lie in order, so one that is thinner than a texel is found between its neighbours. Texels
// are finer than pixels, so a small tree can be drawn in any size up to the one it was made for.
// Entries are those of the pane's tree. Zero-initialise, make, deinit. Threads: one object serves
// one thread at a time.
#pragma once
#include "engine/scene/flat_pane.h"

enum { MC_FLAT_SMALL_MOST_LEVELS = 48 }; // of its root's, it included; deeper ones are left out

typedef struct mc_flat_small {
    mc_strips strips;
    uint32_t root; // entry
    uint64_t value;
    uint32_t *entries; // per row and texel: what is at its middle; MC_NONE: nothing
    uint8_t *present;  // a bit per entry: it has an extent
} mc_flat_small;

// Of what a pane shows at rest. On failure it is empty. O(entries below the root + texels).
mc_result mc_flat_small_make(mc_flat_small *small, const mc_flat_pane *pane, uint32_t form,
                             uint32_t texel_count, mc_error *error);
void mc_flat_small_deinit(mc_flat_small *small);

// In `rect`; its place in the buffers is left to the caller. No rows: there is nothing to be seen.
mc_flat_plane mc_flat_small_get_plane(const mc_flat_small *small, mc_flat_rect rect, double share);

// What is at a point, to a texel; MC_NONE: nothing.
uint32_t mc_flat_small_pick(const mc_flat_small *small, const mc_flat_plane *plane, double x,
                            double y);

// A frame as mc_flat_pane_get_mark() has it. O(texels of a row).
bool mc_flat_small_get_mark(const mc_flat_small *small, const mc_tree *tree,
                            const mc_flat_plane *plane, uint32_t entry, const float color[3],
                            double width, mc_flat_mark *mark);
