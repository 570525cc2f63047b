#include "app/session/selection.h"

#include "app/session/series.h"
#include "engine/base/memory.h"
#include <string.h>

#define MOST_VISITED 1000

static void extend_trail(mc_session *session, uint32_t node) {
    mc_selection_history *trail = &session->selection.history;
    if (node == MC_NONE || (trail->count > 0 && trail->nodes[trail->at] == node)) return;
    // Whoever turns off the way he came has left what lay ahead of him there.
    if (trail->count > 0) trail->count = trail->at + 1;
    if (trail->count == MOST_VISITED) {
        trail->count--;
        memmove(trail->nodes, trail->nodes + 1, trail->count * sizeof *trail->nodes);
    }
    size_t needed = trail->count + 1;
    if (!mc_reserve(&trail->nodes, &trail->capacity, needed, sizeof *trail->nodes)) return;
    trail->nodes[trail->count] = node;
    trail->at = trail->count++;
}

void mc_session_select_all(mc_session *session, const mc_selection *selection, bool jumps) {
    session->settings.selection = *selection;
    session->suspects.wanted = 0;
    if (selection->count == 1) extend_trail(session, selection->nodes[0]);
    if (jumps && selection->count > 0 && session->settings.motion)
        session->selection.jump_elapsed_s = 0;
    mc_session_compute_selection_series(session);
    mc_session_redraw(session);
}

void mc_session_select_node(mc_session *session, uint32_t node, bool jumps) {
    mc_selection selection = mc_selection_of(node);
    mc_session_select_all(session, &selection, jumps);
}

void mc_session_toggle_node(mc_session *session, uint32_t node) {
    mc_selection selection = session->settings.selection;
    if (node == MC_NONE) return;
    if (mc_selection_has(&selection, node)) {
        mc_selection_remove(&selection, node);
    } else if (!mc_selection_add(&selection, node)) {
        mc_session_set_notice(session, "%d are selected, as many as can be.",
                              MC_SELECTION_CAPACITY);
        return;
    }
    mc_session_select_all(session, &selection, true);
}

void mc_session_widen_root(mc_session *session, uint32_t node) {
    const mc_node_columns *nodes = mc_trace_get_nodes(session->trace);
    uint32_t root = session->settings.root_node;
    while (root != 0 && !mc_nodes_is_inside(nodes, node, root)) {
        root = nodes->parent[root];
    }
    if (root == session->settings.root_node) return;
    session->settings.root_node = root;
    session->selection.is_frame_due = true; // once the larger city is there
}

void mc_session_visit(mc_session *session, uint32_t node) {
    if (node != MC_NONE) mc_session_widen_root(session, node);
    mc_session_select_node(session, node, true);
    if (node != MC_NONE) mc_session_look_at(session, node, MC_VIEW_SHOW);
}
