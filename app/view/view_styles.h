// view_styles.h - highlights beyond growth, and what they mean.
//
// A part of mc_view, used by the main thread.
#pragma once
#include "app/session/job.h"
#include "app/ui/ui_explore.h"
#include "engine/scene/legend.h"
#include "engine/scene/style_source.h"
#include "engine/scene/theme.h"

typedef struct mc_view mc_view;

typedef struct mc_view_style_query {
    bool is_needed; // false: buildings are as they are without styles
    uint32_t color_mode, height_mode;
} mc_view_style_query;

// What buildings look like beyond growth.
typedef struct mc_view_styles {
    mc_job *job;
    mc_style_source *source; // NULL: none
    mc_view_style_query wanted, shown;
    uint32_t step;       // that the source is at
    bool walk_is_marked; // as of the last turn
    mc_legend legend;
} mc_view_styles;

void mc_view_sync_styles(mc_view *view);
void mc_view_end_styles(mc_view *view);
void mc_view_apply_styles(const mc_view *view, const mc_theme *theme, mc_update_params *params);
void mc_view_cycle_color_mode(mc_view *view);
void mc_view_cycle_height_mode(mc_view *view);
void mc_view_fill_legend(mc_view *view, mc_ui_legend *model);
