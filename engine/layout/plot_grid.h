// plot_grid.h - a ground plan in which every leaf has the same square plot: districts are packed
// bottom up, in rows.
//
// Pure CPU code: no I/O, no globals. A leaf's square is the unit. A district is as large as its
// content and its border; its children stand in rows, the tallest first, with the row width that
// makes the district most nearly square. The result is scaled to fit the ground and centred. The
// cuts are straight, as in the treemaps. Threads: any, on separate outputs.
#pragma once
#include "engine/layout/treemap.h"

typedef enum mc_grid_order {
    MC_GRID_BY_SIZE, // the tallest first, from the far left on
    // By the number of leaves, those with the most first; leaves, and others that are equal, as
    // siblings are; from the near left on. Rows change only where that saves much, so that what is
    // there moves little when more comes.
    MC_GRID_BY_COUNT
} mc_grid_order;

// As mc_treemap_layout(), but that the tiling does not matter, and of weights only whether they are
// above 0: what has no such leaf has no plot. Relative padding is made one of a leaf's side; of
// another kind there is none. `value` is the number of leaves; children are in the order in which
// they stand. O(n log n), deterministic.
mc_result mc_plot_grid_layout(const mc_treemap_desc *desc, mc_grid_order order,
                              const mc_tree_view *tree, const mc_progress *progress,
                              const mc_treemap_columns *out);
