// flat_color.h - the colours of a flat tree's entries.
//
// Each branch of the first level has a hue that never changes. The largest branches have hues that
// all viewers can distinguish; further branches repeat them, greyer. Each level is lighter than the
// one above, and neighbours differ slightly, so that segments stay distinct where no line separates
// them. "Other" entries are grey. Pure. Threads: any.
#pragma once
#include "engine/scene/theme.h"
#include "engine/tree/tree.h"

typedef enum mc_flat_color_mode {
    MC_FLAT_COLOR_BRANCH,
    MC_FLAT_COLOR_GROWTH, // the gradient, relative to what grew the most on the same level
    MC_FLAT_COLOR_LEVEL,
    MC_FLAT_COLOR_ROLE,
    // From here on the gradient, by a column of numbers (flat_column.h).
    MC_FLAT_COLOR_STEP,                           // growth since the step before
    MC_FLAT_COLOR_TREND,                          // steady growth
    MC_FLAT_COLOR_FIRST,                          // the step at which it is seen first
    MC_FLAT_COLOR_OWNER,                          // growth with all that it keeps alive
    MC_FLAT_COLOR_VALUE,                          // of another metric
    MC_FLAT_COLOR_MODE_COUNT,                     // of those that can be chosen by name
    MC_FLAT_COLOR_PIN = MC_FLAT_COLOR_MODE_COUNT, // growth and shrinking since a pinned step
    MC_FLAT_COLOR_DIFFERENCE // of two traces: an infinite value is new, one below 0 gone
} mc_flat_color_mode;

extern const char *const mc_flat_color_mode_names[]; // ends with NULL

// What a search leaves of a node.
enum {
    MC_FLAT_MISS,
    MC_FLAT_HIT,
    MC_FLAT_HOLDS_HIT // something in it is one
};

typedef struct mc_flat_color_desc {
    mc_flat_color_mode mode;
    const mc_theme *theme;
    const mc_node_columns *nodes;
    // Of growth: columns over entries; growth goes from `base` to `now` and is the full colour
    // where it is the level's largest from `base` to `end`.
    const uint64_t *base, *now, *end;
    // Of a column: over nodes; the full colour is where `values` are the largest of `most` on the
    // same level (flat_column.h).
    const double *values, *most;
    const uint8_t *hits;  // per node, MC_TREE_*; NULL: nothing is looked for
    uint32_t solid_entry; // what is not in it, nor above it, is half transparent; MC_NONE: all is
} mc_flat_color_desc;

// RGBA8, R in the lowest byte, sRGB-encoded, not multiplied by alpha. O(entries).
void mc_flat_color(const mc_tree *tree, const mc_flat_color_desc *desc, uint32_t *colors);

// The gradient's colour; a share below 0 shrank. Three numbers, sRGB-encoded.
void mc_flat_color_get_gradient(const mc_theme *theme, double share, float color[3]);

// The hue of a branch by its rank, at the first level; three numbers, sRGB-encoded.
void mc_flat_color_get_branch(const mc_theme *theme, uint32_t rank, float color[3]);

// From flags of hits (not 0) to MC_TREE_*, in place. O(nodes).
void mc_flat_color_spread_hits(const mc_node_columns *nodes, uint8_t *hits);

// Whether text on a colour is to be dark, on a theme's background where it is translucent.
bool mc_flat_color_wants_dark_text(const mc_theme *theme, uint32_t color);
