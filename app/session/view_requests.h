// view_requests.h - what a view asks of its session, which it can only read.
//
// Each request is carried out at once. Threads: the session's.
#pragma once
#include "app/session/view.h"
#include "engine/scene/style_source.h"

void mc_view_redraw(const mc_view *view);
// Something moved: another node may be under the pointer now.
void mc_view_pick_again(const mc_view *view);
// Whether the camera shows everything, from the usual side.
void mc_view_set_home(const mc_view *view, bool is_home);
// The next change of the camera is no move of the user's, and not undone by itself.
void mc_view_absorb_move(const mc_view *view);
// What the picture needs can't be read or found: tells user and host.
void mc_view_miss(const mc_view *view, const mc_error *error);
void mc_view_complain(const mc_view *view, const char *message); // and prints it on stderr
// A value as of mc_session_read_value().
uint64_t mc_view_read_value(const mc_view *view, uint32_t step, mc_metric column, uint32_t node);
// Sets colours and heights of the settings back to what is shown, as others can't be had; NULL: the
// usual ones.
void mc_view_revert_styles(const mc_view *view, const mc_style_mapping *shown);
