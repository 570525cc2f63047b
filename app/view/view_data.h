// view_data.h - what the window shows: opening, laying out, steps, selection, the time window.
//
// A part of mc_view, used by the main thread. Only the tasks in view_data.c run elsewhere, on what
// they were given.
#pragma once
#include "app/session/action.h"
#include "engine/trace/trace.h"

typedef struct mc_view mc_view;

#define MC_VIEW_WARNING_CAPACITY 100 // more are counted, but not kept

typedef struct mc_view_warnings {
    char *texts[MC_VIEW_WARNING_CAPACITY];
    uint32_t count, all_count; // kept; all
} mc_view_warnings;

typedef enum mc_view_task { MC_VIEW_IDLE, MC_VIEW_OPENING, MC_VIEW_LAYING_OUT } mc_view_task;

// view_data.c: opening, laying out, steps, selection.
void mc_view_open(mc_view *view, const char *const *paths, uint32_t path_count, bool is_first);
void mc_view_sync_layout(mc_view *view); // lays out anew if the settings ask for it
void mc_view_take_results(mc_view *view);
void mc_view_cancel(mc_view *view);
bool mc_view_end_task(mc_view *view, double most_s); // false: it has not ended by then
bool mc_view_show_step(mc_view *view); // the playback's step; false: the device failed
void mc_view_select_node(mc_view *view, uint32_t node, bool jumps); // MC_NONE: nothing
void mc_view_set_message(mc_view *view, const char *message);       // NULL: none
void mc_view_close_data(mc_view *view);
// A value; 0, and a message in the window, if the trace's file can't be read there.
uint64_t mc_view_read_value(mc_view *view, uint32_t step, mc_column column, uint32_t node);
bool mc_view_fail(mc_view *view, const mc_error *error); // says it, ends the window; returns false

// Puts `city` (of view->trace) in the place of the one shown; `glides` if that is of it as well.
// False: the device failed.
bool mc_view_swap_city(mc_view *view, mc_city *city, bool glides);

// view_glide.c: from one layout to the next.
void mc_view_begin_glide(mc_view *view, mc_city *city); // from view->city, of the same trace
void mc_view_end_glide(mc_view *view);
void mc_view_advance_glide(mc_view *view);
float mc_view_get_glide(const mc_view *view); // as in mc_update_params

// view_window.c: the time window.
// Whether to point out that most of the heap was freed at the end, which hides what grew before.
bool mc_view_has_hint(const mc_view *view);
bool mc_view_leaves_out_release(const mc_view *view);
void mc_view_follow_hint(mc_view *view); // leaves that out, or takes it in again
