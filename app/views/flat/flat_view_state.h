// flat_view_state.h - the state of the sunburst and icicle views, shared by the files of this
// folder.
#pragma once
#include "app/flat/flat_figure.h"
#include "app/session/session.h"
#include "app/session/view_requests.h"
#include "app/views/flat/flat_picture.h"
#include "app/views/flat/flat_pruned.h"
#include "app/views/flat/flat_steps_state.h"
#include "engine/scene/flat_column.h"
#include "engine/scene/flat_past.h"

// A layout's `content`.
typedef struct mc_flat_content {
    mc_tree *tree;
    uint32_t *nodes;  // all of them
    uint64_t *totals; // the root's at each step of the time window
    uint64_t most;    // their maximum
} mc_flat_content;

// The inputs of strips and names, which are rebuilt only if one of these changes.
typedef struct mc_flat_view_key {
    uint32_t layout_version, counts_version, search_version, walk_version;
    uint32_t width, height;
    mc_camera_viewport viewport;
    double blend, transition, bend, text_scale;
    uint32_t levels, color, colors_version;
    bool dark, names, scaled, is_marking;
    uint32_t palette;
    mc_form_steps steps;
    uint32_t step, trees_changes;
    double chart_x0, chart_x1;
    bool steps_scaled;
    mc_selection selection; // of a picture; in a window its frames are put anew with every frame
} mc_flat_view_key;

// The inputs of the panes, likewise.
typedef struct mc_flat_pane_key {
    uint32_t layout_version, counts_version, search_version, walk_version;
    uint32_t levels, color, colors_version, palette, root;
    bool dark, is_marking, is_in_transition, is_blending;
} mc_flat_pane_key;

// The inputs of a pruned tree, beside its layout.
typedef struct mc_flat_tree_key {
    double share;
    uint32_t most;
    mc_selection selection, opened;
    uint32_t search_version, walk_version;
    bool is_pruned, is_marking;
} mc_flat_tree_key;

// See flat_colors.h.
typedef struct mc_flat_colors {
    mc_slot *slot;
    mc_flat_color_mode mode; // of the column; MC_FLAT_COLOR_BRANCH: no column
    mc_flat_column column;
    mc_layout *layout;      // held, as the column reads its trace; NULL: there is no column
    uint32_t step;          // the step of the column
    uint32_t version;       // changes with the colours
    uint32_t found_version; // the same, but not when only the step changes
    char title[128];        // of the legend
} mc_flat_colors;

typedef struct mc_flat_view {
    mc_view base;
    uint32_t form;                  // MC_FLAT_*
    const mc_flat_picture *picture; // NULL: a window shows it
    const mc_tree *tree;            // the tree shown: the layout's, or `pruned`; NULL: none
    mc_flat_pruned *pruned;         // the layout's tree pruned, held; NULL: it is not pruned
    uint32_t tree_version;          // changes with the tree
    mc_flat_tree_key tree_key;
    mc_flat_pane pane;     // the local view: the root and what is below it
    mc_flat_pane overview; // the global one beside it: everything, the root's branch solid
    // During a transition to another tree: the panes of the tree before.
    mc_flat_past past, overview_past;
    mc_flat_sheet sheet;
    mc_flat_view_key key;
    mc_flat_pane_key pane_key;
    bool has_key;
    uint32_t root, from_root; // entries: the root shown, and the one that the transition comes from
    double bend_elapsed_s;    // since an icicle became a sunburst, or back; likewise
    double transition_elapsed_s; // since the transition to another root began; < 0: it is complete
    mc_flat_steps trees;         // the small trees of other steps
    mc_flat_colors colors;       // colours beyond branches and growth
    uint32_t hits_version;       // changes with the hits
    uint8_t *hits;               // per node; NULL: no search
    uint64_t *base_values, *end_values; // per entry, at the window's ends; NULL: not needed yet
    mc_theme theme;
    // The panes' places in the last frame. No rows: not drawn.
    mc_flat_plane plane, overview_plane;
    uint32_t selected[MC_SELECTION_CAPACITY]; // entries with a frame of their own: a picture's
    uint32_t selected_count;
    uint32_t levels_per_row, overview_levels_per_row;
    uint64_t version; // of the strips
    mc_flat_scene scene;
    mc_drawing drawing;
} mc_flat_view;

static inline mc_flat_view *mc_flat_view_of(const mc_view *view) {
    return (mc_flat_view *)view;
}
