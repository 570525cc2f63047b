// action_looks.h - what actions of the table (action.c) do to how a city and trees look: what is
// counted and grouped, how it is laid out, coloured and compared.
//
// Threads: the main thread.
#pragma once
#include "app/session/action_id.h"

typedef struct mc_session mc_session;

void mc_action_cycle_metric(mc_session *session, mc_action_argument argument);
void mc_action_cycle_scaling(mc_session *session, mc_action_argument argument);
void mc_action_group(mc_session *session, mc_action_argument argument);
void mc_action_group_next(mc_session *session, mc_action_argument argument);
void mc_action_cycle_tiling(mc_session *session, mc_action_argument argument);
void mc_action_show_view(mc_session *session, mc_action_argument argument);
void mc_action_cycle_tree_sort(mc_session *session, mc_action_argument argument);
void mc_action_cycle_tree_levels(mc_session *session, mc_action_argument argument);
void mc_action_toggle_tree(mc_session *session, mc_action_argument argument);
void mc_action_pin(mc_session *session,
                   mc_action_argument argument); // one step at a time; the same once more: none
void mc_action_pin_here(mc_session *session,
                        mc_action_argument argument); // whichever is pinned, it is taken away
void mc_action_compare(mc_session *session,
                       mc_action_argument argument); // for a moment; the same once more: no more
void mc_action_toggle_tree_here(mc_session *session, mc_action_argument argument);
void mc_action_clear_trees(mc_session *session, mc_action_argument argument);
void mc_action_change_frame(mc_session *session, mc_action_argument argument);
void mc_action_change_limit(mc_session *session, mc_action_argument argument);
void mc_action_change_opaque_count(mc_session *session, mc_action_argument argument);
void mc_action_cycle_opacity(mc_session *session,
                             mc_action_argument argument); // through the levels and round again
void mc_action_cycle_color_mode(mc_session *session, mc_action_argument argument);
void mc_action_cycle_height_mode(mc_session *session, mc_action_argument argument);
void mc_action_cycle_palette(mc_session *session, mc_action_argument argument);
void mc_action_cycle_moving(mc_session *session, mc_action_argument argument);
