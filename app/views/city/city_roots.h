// city_roots.h - the markers of GC roots in the city.
//
// A part of the city's view, used by its session's thread.
#pragma once
#include "app/views/city/city_view_state.h"

void mc_city_view_begin_roots(mc_city_view *self);  // for a new city, before it is framed
void mc_city_view_update_roots(mc_city_view *self); // before a frame
void mc_city_view_drop_roots(mc_city_view *self);
// The marker at (x, y), if nearer than `distance` (in lengths of the ray's direction); MC_NONE:
// none.
uint32_t mc_city_view_pick_marker(const mc_city_view *self, double x, double y, float distance);
// The marker to highlight, under the pointer or chosen, as a structure for the renderer.
mc_structure mc_city_view_get_marked_root(const mc_city_view *self, mc_structure hovered);
// Adds the links of the chosen group, of the selection, or of the walk's root path.
mc_result mc_city_view_add_root_links(const mc_city_view *self, mc_joins *joins, mc_error *error);
void mc_city_view_fill_root_legend(const mc_city_view *self, mc_fact_legend *legend);
