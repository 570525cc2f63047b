// flat_colors.h - colours a sunburst or icicle by a column of numbers: growth of a step, trends,
// first steps, another metric.
//
// A background query finds the column. Until then, and if it fails, colours show branches. A part
// of the view, used by its thread.
#pragma once
#include "app/session/facts_lists.h"
#include "app/views/flat/flat_view_state.h"

mc_result mc_flat_colors_begin(mc_flat_view *self, mc_error *error);
void mc_flat_colors_end(mc_flat_view *self);
// Drops colours of any other trace than this layout's; NULL: all colours.
void mc_flat_colors_forget(mc_flat_view *self, const mc_layout *layout);
// Takes a finished column, starts the query that the settings need, and updates the column to the
// step shown.
void mc_flat_colors_sync(mc_flat_view *self);
bool mc_flat_colors_is_deriving(const mc_flat_view *self);
// The mode that the present colours show.
mc_flat_color_mode mc_flat_colors_get_mode(const mc_flat_view *self);
void mc_flat_colors_fill_legend(mc_flat_view *self, mc_fact_legend *legend);
