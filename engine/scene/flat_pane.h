// flat_pane.h - a sunburst or icicle of one trace at a step, and its transition to the next.
//
// A pane shows the subtree of a root, at a step, coloured. It keeps the step, root and colours
// shown before, so that extents and colours can move from there (mc_flat_pane_build with a blend
// below 1). Columns are over the entries of its tree (engine/tree/tree.h), which must outlive it.
// Zero-initialise, init, deinit. Threads: one object serves one thread at a time.
#pragma once
#include "engine/scene/flat_color.h"
#include "engine/tree/flat_plane.h"
#include "engine/tree/strips.h"
#include "engine/tree/tree.h"

typedef struct mc_flat_state {
    uint64_t *values;
    mc_interval *intervals; // shares of the base
    uint32_t *colors;
    uint32_t root;
    double row_count; // levels that are shown
} mc_flat_state;

typedef struct mc_flat_pane {
    const mc_tree *tree;
    mc_flat_state now, before;
    bool has_before;
    uint32_t
        base; // entry whose extent intervals are shares of: the root, or what both roots are in
} mc_flat_pane;

mc_result mc_flat_pane_init(mc_flat_pane *pane, const mc_tree *tree, mc_error *error);
void mc_flat_pane_deinit(mc_flat_pane *pane);

// Shows other values (over nodes of the trace, as mc_trace_read_counts() has them), a root (entry)
// and `level_count` levels from it on, 0: all. Colours stay until they are set. `keeps_before`:
// what is shown now is where it comes from. O(entries below the base).
void mc_flat_pane_show(mc_flat_pane *pane, const uint64_t *node_values, uint32_t root,
                       uint32_t level_count, bool keeps_before);
// Where it comes from is forgotten; intervals are exact shares of the root again.
void mc_flat_pane_settle(mc_flat_pane *pane);

// What is seen at a moment, `blend` 0 to 1: which row of the base's is the first one (fractions on
// the way), and how many there are.
void mc_flat_pane_get_rows(const mc_flat_pane *pane, double blend, double *first_row,
                           double *row_count);

// The strips of that moment; of all levels of the base that are or come into sight.
mc_result mc_flat_pane_build(const mc_flat_pane *pane, double blend, uint32_t form,
                             uint32_t texel_count, mc_strips *strips, mc_error *error);

// A plane for the strips in `rect`; their place in the buffers is left to the caller.
mc_flat_plane mc_flat_pane_get_plane(const mc_flat_pane *pane, double blend, uint32_t form,
                                     mc_flat_rect rect, double share, const mc_strips *strips);

// What is at a point of the pane at rest, MC_NONE: nothing.
// `levels_per_row` is the strips'.
uint32_t mc_flat_pane_pick(const mc_flat_pane *pane, const mc_flat_plane *plane,
                           uint32_t levels_per_row, double x, double y);

// A frame around a part of a row; colour sRGB-encoded.
mc_flat_mark mc_flat_plane_get_mark(const mc_flat_plane *plane, double row, mc_interval span,
                                    const float color[3], double width);
// A frame around an entry at rest, in a plane of the pane; colour sRGB-encoded. False: it is not in
// the pane, or without extent.
bool mc_flat_pane_get_mark(const mc_flat_pane *pane, const mc_flat_plane *plane, uint32_t entry,
                           const float color[3], double width, mc_flat_mark *mark);
