// city_styles.h - colours and heights of buildings beyond growth, and their legend.
//
// A part of the city's view, used by its session's thread.
#pragma once
#include "app/views/city/city_view_state.h"

mc_result mc_city_view_begin_styles(mc_city_view *self, mc_error *error);
void mc_city_view_sync_styles(mc_city_view *self);
void mc_city_view_forget_styles(mc_city_view *self); // before another city
void mc_city_view_end_styles(mc_city_view *self);    // waits for threads that read the city
void mc_city_view_apply_styles(const mc_city_view *self, const mc_theme *theme,
                               mc_update_params *params);
void mc_city_view_get_legend(const mc_city_view *self, mc_legend *legend);
void mc_city_view_fill_legend(mc_city_view *self, mc_fact_legend *model);
// What outlines of the selection's unit mean, if there are any.
void mc_city_view_fill_unit_legend(const mc_city_view *self, mc_fact_legend *model);
