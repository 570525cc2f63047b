// flat_steps_frame.h - the small trees of other steps in the picture: where they stand, what is
// pointed at. Used by the session's thread.
#pragma once
#include "app/views/flat/flat_view_state.h"

// What they take of the picture's height, at the bottom; 0: there are none.
double mc_flat_steps_get_height(const mc_flat_view *self);
// How many texels a row of theirs needs.
uint32_t mc_flat_steps_get_texels(const mc_flat_view *self);
void mc_flat_steps_put(mc_flat_view *self); // on the view's sheet
// A frame around an entry in each of them.
void mc_flat_steps_put_mark(mc_flat_view *self, uint32_t entry, const float rgb[3], double width);
uint32_t mc_flat_steps_pick(const mc_flat_view *self, double x, double y); // an entry
// Which one is at a place of the picture, also beside its tree; MC_NONE: none.
uint32_t mc_flat_steps_find(const mc_flat_view *self, double x, double y);
void mc_flat_steps_scroll(mc_flat_view *self, int count);
