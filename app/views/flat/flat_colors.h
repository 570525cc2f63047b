// flat_colors.h - colours of a sunburst or icicle that show a column of numbers: growth of a step,
// trends, first steps, another metric.
//
// Found in a slot; until then, and where it can't be found, branches have the colours. A part of
// the view, used by its thread.
#pragma once
#include "app/session/facts_lists.h"
#include "app/views/flat/flat_view_state.h"

mc_result mc_flat_colors_begin(mc_flat_view *self, mc_error *error);
void mc_flat_colors_end(mc_flat_view *self);
// Those of another trace than this layout's go; NULL: all.
void mc_flat_colors_forget(mc_flat_view *self, const mc_layout *layout);
// Takes what was found, asks for what the settings say, and brings it to the step shown.
void mc_flat_colors_sync(mc_flat_view *self);
bool mc_flat_colors_is_deriving(const mc_flat_view *self);
// What there are colours for now.
mc_flat_color_mode mc_flat_colors_get_mode(const mc_flat_view *self);
void mc_flat_colors_fill_legend(mc_flat_view *self, mc_fact_legend *legend);
