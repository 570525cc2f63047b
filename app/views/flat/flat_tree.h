// flat_tree.h - which tree a sunburst or icicle shows: its layout's, or that pruned.
//
// Pruned anew whenever something else must not be hidden; that needs no other layout. Used by the
// session's thread.
#pragma once
#include "app/views/flat/flat_view_state.h"

// Shows the tree of a layout, with panes for it. *goes_on: whether it may be the same trace; then
// whether entries are the same as before, and panes as they were. On failure nothing is shown.
mc_result mc_flat_view_take_tree(mc_flat_view *self, const mc_layout *layout, bool *goes_on,
                                 mc_error *error);
// Prunes that of the layout that is shown otherwise, if it has to be.
void mc_flat_view_sync_tree(mc_flat_view *self);
// What came from another tree is there.
void mc_flat_view_forget_past(mc_flat_view *self);
// What is shown goes.
void mc_flat_view_drop_tree(mc_flat_view *self);

// Whether anything stands out: what was searched for, or the walk.
bool mc_flat_view_is_marking(const mc_session *session);
