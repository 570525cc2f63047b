// view_explore.h - what the window knows of exploring: where one has been, what was searched for,
// the references of the selection, the walk to the root cause.
//
// Each kind of work has a thread of its own (job.h), so that typing never waits for a walk; what
// a task needs beside the trace, only its thread touches. All tasks end before the trace or the
// city that they read goes (mc_view_forget_explored, mc_view_forget_city).
#pragma once
#include "app/view/view_references.h"
#include "app/view/view_search.h"
#include "app/view/view_styles.h"
#include "app/view/view_walk.h"

// Structures that were selected, one after another.
typedef struct mc_view_trail {
    uint32_t *nodes;
    size_t count, capacity;
    size_t at; // the current one; count > 0
} mc_view_trail;

// The parts of a district, largest first.
typedef struct mc_view_children {
    uint32_t node, step, metric; // that `nodes` is of
    uint32_t *nodes;
    uint32_t count;
    size_t capacity;
    bool is_known;
} mc_view_children;

typedef struct mc_view_explore {
    mc_ui_explore ui;
    mc_view_trail trail;
    bool frame_is_due; // the selection is to be shown once the layout is done
    mc_view_search search;
    mc_view_references references;
    mc_view_walk walk;
    mc_view_frustums frustums;
    mc_view_styles styles;
    mc_view_children children;
} mc_view_explore;

mc_result mc_view_begin_exploring(mc_view *view, mc_error *error);
void mc_view_end_exploring(mc_view *view);
void mc_view_forget_city(mc_view *view);     // before another city of the trace; ends what reads it
void mc_view_forget_explored(mc_view *view); // before another trace; ends what reads this one
void mc_view_sync_exploring(mc_view *view);  // once a turn
void mc_view_visit(mc_view *view, uint32_t node); // selects it and brings it into view
void mc_view_fill_explore(mc_view *view, mc_ui_model *model);
void mc_view_report_explore(const mc_view *view, mc_text *out);

// view_root.c: the city of one district alone.
uint32_t mc_view_get_focus(const mc_view *view); // the selection, or what the city is of
bool mc_view_can_be_root(const mc_view *view);   // the selection, or the district around it
void mc_view_make_root(mc_view *view);
void mc_view_leave_root(mc_view *view); // to the district around
void mc_view_set_root(mc_view *view, uint32_t node);
void mc_view_widen_root(mc_view *view, uint32_t node); // so far that `node` is in it
void mc_view_frame_due(mc_view *view);                 // after another layout

// view_trail.c: back and forward; `way` is -1 or 1.
void mc_view_extend_trail(mc_view *view, uint32_t node);
bool mc_view_can_follow_trail(const mc_view *view, int way);
void mc_view_follow_trail(mc_view *view, int way);

// view_children.c
void mc_view_fill_children(mc_view *view, mc_ui_list *model);
void mc_view_show_child(mc_view *view, uint32_t row);
