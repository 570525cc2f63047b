// flat_picture.h - a sunburst or icicle of which only pictures are made: what they ask for beside
// the settings, and the tree for who places it by itself.
//
// Threads: the session's.
#pragma once
#include "app/session/view.h"
#include "engine/scene/flat_pane.h"

typedef struct mc_flat_sheet mc_flat_sheet;
typedef struct mc_flat_figure mc_flat_figure;

typedef struct mc_flat_picture {
    uint32_t form;        // MC_FLAT_*
    bool is_vector;       // its sheet is for SVG
    bool is_composed;     // whoever draws it makes the sheet: mc_flat_view_get_figure()
    bool has_overview;    // shows the whole beside a part of it
    bool is_color_chosen; // by the user; else two traces are coloured by what differs
    // Puts what stands beside the tree, which fills the session's viewport. NULL: nothing does.
    void (*put_title)(void *user, mc_flat_sheet *sheet);
    void *user;
} mc_flat_picture;

// Before the session begins. `picture` must outlive the view.
void mc_flat_view_set_picture(mc_view *view, const mc_flat_picture *picture);

// Of the prepared frame.
mc_flat_sheet *mc_flat_view_get_sheet(mc_view *view);
const mc_flat_pane *mc_flat_view_get_pane(const mc_view *view);
const mc_theme *mc_flat_view_get_theme(const mc_view *view);
// What the pane shows, within `rect`; valid until the next frame.
mc_flat_figure mc_flat_view_get_figure(const mc_view *view, mc_flat_rect rect);
// What the root is at most in the time window, and at its steps, which `totals` has one of each; in
// the metric shown, as counts.
uint64_t mc_flat_view_get_totals(const mc_view *view, const uint64_t **totals);
