// view_walk.h - the walk to the root cause.
//
// A part of mc_view, used by the main thread.
#pragma once
#include "app/session/job.h"
#include "app/ui/ui_explore.h"
#include "engine/analyze/walk.h"

typedef struct mc_view mc_view;

typedef struct mc_view_walk {
    mc_job *job;
    mc_walk_desc wanted; // of the walk that is known, or on its way
    mc_walk walk;
    bool is_known, is_shown; // shown: in the picture
    bool is_walking;         // on its way
    uint32_t frames_wanted;  // to be brought into view in the panels, for so many frames
    double elapsed_s;        // since the chain began to appear; < 0: all of it is there
    uint32_t version;
    mc_text summary, details[MC_WALK_MOST_STOPS];
} mc_view_walk;

void mc_view_walk_from(mc_view *view, uint32_t node); // MC_NONE: from the first suspect
void mc_view_take_walk(mc_view *view);
void mc_view_update_walk(mc_view *view); // once a turn
bool mc_view_hide_walk(mc_view *view);   // from the picture; false: it was not there
void mc_view_drop_walk(mc_view *view);
void mc_view_end_walk(mc_view *view);
void mc_view_frame_walk(mc_view *view); // all of it at once
bool mc_view_is_stop(const mc_view *view, uint32_t node);
float mc_view_get_link_reveal(const mc_view *view, uint32_t link); // 0 to 1
void mc_view_show_stop(mc_view *view, uint32_t row);
void mc_view_fill_walk(mc_view *view, mc_ui_walk *model);
