// flat_steps_frame.h - places the small trees of other steps in the picture, and picks in them.
// Threads: the session's.
#pragma once
#include "app/views/flat/flat_view_state.h"

// The height that they take at the picture's bottom; 0: there are none.
double mc_flat_steps_get_height(const mc_flat_view *self);
// How many texels one of their rows needs.
uint32_t mc_flat_steps_get_texels(const mc_flat_view *self);
void mc_flat_steps_put(mc_flat_view *self); // on the view's sheet
// Draws a frame around an entry in each of them.
void mc_flat_steps_put_mark(mc_flat_view *self, uint32_t entry, const float rgb[3], double width);
uint32_t mc_flat_steps_pick(const mc_flat_view *self, double x, double y); // an entry
// The index of the small tree at a position, also beside the tree itself; MC_NONE: none.
uint32_t mc_flat_steps_find(const mc_flat_view *self, double x, double y);
void mc_flat_steps_scroll(mc_flat_view *self, int count);
