// city_frustums.h - draws references and the walk in the picture.
//
// A part of the city's view, used by its session's thread.
#pragma once
#include "app/views/city/city_view_state.h"

void mc_city_view_update_frustums(mc_city_view *self); // before a frame
void mc_city_view_drop_frustums(mc_city_view *self);
// Index of the link under the pointer; MC_NONE: none.
uint32_t mc_city_view_get_pointed_link(const mc_city_view *self);
void mc_city_view_fill_join_legend(const mc_city_view *self, mc_fact_legend *legend);
// Whether the arrows move while all else is at rest; only where drawing is cheap.
bool mc_city_view_has_moving_arrows(const mc_city_view *self);
double mc_city_view_get_time(mc_city_view *self); // time of the arrows' animation; advances it
