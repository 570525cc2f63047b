// flat_tree.h - chooses the tree that a sunburst or icicle shows: its layout's, or a pruned copy.
//
// Prunes again whenever other nodes must stay visible; that needs no new layout. Threads: the
// session's.
#pragma once
#include "app/views/flat/flat_view_state.h"

// Shows the tree of a layout, with panes for it. *goes_on in: whether it may continue the same
// trace; out: whether the entries are the same and the panes were kept. On failure no tree is
// shown.
mc_result mc_flat_view_take_tree(mc_flat_view *self, const mc_layout *layout, bool *goes_on,
                                 mc_error *error);
// Prunes the layout's tree again if the inputs of pruning have changed.
void mc_flat_view_sync_tree(mc_flat_view *self);
// Ends the transition from another tree.
void mc_flat_view_forget_past(mc_flat_view *self);
// Drops the tree shown.
void mc_flat_view_drop_tree(mc_flat_view *self);

// Whether something is highlighted: search hits, or the walk.
bool mc_flat_view_is_marking(const mc_session *session);
