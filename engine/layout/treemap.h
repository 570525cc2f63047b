// treemap.h - packs weighted siblings into nested rectangles, the ground plan of a city.
//
// Pure CPU code: no I/O, no globals; allocates only in create and, when a larger tree comes, in
// layout. Units: lengths in world units, weights in any unit. Doubles, in the order of operations
// of d3-hierarchy's treemap, so that results agree to rounding also where a decision hangs on an
// equality. Threads: separate objects may run in parallel; one object serves one thread at a time,
// and places the districts of a wide level in several of its own. `progress` is told in the calling
// one.
// Methods: Bruls, Huizing, van Wijk, "Squarified Treemaps", 2000 (target ratio: golden); binary,
// slice, dice and slice-dice as d3-hierarchy has them (Johnson, Shneiderman, "Tree-Maps", 1991).
#pragma once
#include "engine/layout/tiling.h"

typedef enum mc_padding_kind {
    // d3's paddingOuter and paddingInner, both `padding` units. A plot too small for it shrinks to
    // a point.
    MC_PADDING_ABSOLUTE,
    MC_PADDING_HALF_STREETS, // likewise, but paddingInner is half of `padding`
    // A share of each district's shorter side: streets that get narrower from level to level. It
    // never takes more than a part of a plot's own side, so that no plot is lost. Plots lie exactly
    // in their district, rounding included.
    MC_PADDING_RELATIVE
} mc_padding_kind;

typedef struct mc_treemap_desc {
    mc_tiling tiling;
    mc_padding_kind padding_kind;
    double padding;       // >= 0: world units, or a share of the side (say 0.02)
    double width, height; // of the root's plot, > 0
} mc_treemap_desc;

// A tree in breadth-first order, as in mc_node_columns: parents precede children, siblings are
// contiguous and in the order that breaks ties.
typedef struct mc_tree_view {
    uint32_t count;
    const uint32_t *parent, *first_child, *child_count, *level;
    // At [first_child .. +child_count): the children in the order in which their values are added
    // up (from the last to the first), which matters where sums are rounded; NULL: sibling order.
    const uint32_t *sum_order;
    // Of leaves, finite and >= 0; entries of inner nodes are not read. May be the output's `value`.
    const double *weight;
    const uint8_t *visible; // 0: the node (and all below) is left out; NULL: everything is visible
    uint32_t root_level;    // where it is part of a larger tree: slice-dice goes by its levels
} mc_tree_view;

// Of a leaf nobody computes further: most nodes are leaves, and half of the memory will do.
typedef struct mc_leaf_plot {
    float x0, y0, x1, y1;
} mc_leaf_plot;

// Output columns, all with room for `count` entries, indexed by node but for the last two.
typedef struct mc_treemap_columns {
    double *x0, *y0, *x1, *y1; // invisible nodes: all 0
    double *value; // weight of the leaf; of an inner node the sum over its visible leaves
    uint32_t *visible_child_count;
    uint32_t *child_order; // nodes, at [first_child .. +visible_child_count), by descending value
    mc_cut *cuts;          // at [first_child .. +visible_child_count - 1); NULL: not wanted
    mc_leaf_plot *leaves;  // where the leaves' plots go instead of the first four; NULL: there
} mc_treemap_columns;

typedef struct mc_treemap mc_treemap; // scratch memory, reused from call to call

mc_result mc_treemap_create(mc_treemap **map, mc_error *error);
void mc_treemap_destroy(mc_treemap *map); // NULL is fine

// Fills `out` with the plots of `tree`. O(n log n) at most, deterministic. Returns
// MC_ERROR_OUT_OF_MEMORY, or MC_ERROR_CANCELLED if `progress` (may be NULL) says so; what `out`
// holds then is of no use.
mc_result mc_treemap_layout(mc_treemap *map, const mc_treemap_desc *desc, const mc_tree_view *tree,
                            const mc_progress *progress, const mc_treemap_columns *out);
