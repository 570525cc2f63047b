// action_looks.h - the actions (action.c) that change how city and trees look: metric, grouping,
// layout, colours, comparison.
//
// Threads: the main thread.
#pragma once
#include "app/session/action_id.h"

typedef struct mc_session mc_session;

void mc_action_cycle_scaling(mc_session *session);
void mc_action_group(mc_session *session, mc_action_argument argument);
void mc_action_cycle_tiling(mc_session *session);
void mc_action_show_view(mc_session *session, mc_action_argument argument);
void mc_action_cycle_tree_sort(mc_session *session);
void mc_action_cycle_tree_levels(mc_session *session);
void mc_action_toggle_tree(mc_session *session, uint32_t step);
// Pins a step instead of the one before; the same step again: unpins it.
void mc_action_pin(mc_session *session, uint32_t step);
void mc_action_pin_here(mc_session *session); // the step shown; if any is pinned, unpins it
void mc_action_compare(mc_session *session);  // starts comparing temporarily; again: stops
void mc_action_toggle_tree_here(mc_session *session);
void mc_action_clear_trees(mc_session *session);
void mc_action_change_frame(mc_session *session, mc_action_argument argument);
void mc_action_change_limit(mc_session *session, mc_action_argument argument);
void mc_action_change_opaque_count(mc_session *session, mc_action_argument argument);
void mc_action_cycle_opacity(mc_session *session); // from the last level to the first
void mc_action_cycle_color_mode(mc_session *session);
void mc_action_cycle_palette(mc_session *session);
void mc_action_cycle_moving(mc_session *session);
