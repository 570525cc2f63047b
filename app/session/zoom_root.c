#include "app/session/zoom_root.h"

#include "app/session/selection.h"
#include "app/session/walk.h"
void mc_session_set_root(mc_session *session, uint32_t node) {
    if (node == session->settings.root_node) return;
    session->settings.root_node = node;
    // Another city is looked at as a whole at first.
    session->settings.is_home = true;
}

static uint32_t get_district(const mc_session *session, uint32_t node) {
    const mc_node_columns *nodes = mc_trace_get_nodes(session->trace);
    if (node != MC_NONE && nodes->child_count[node] == 0) node = nodes->parent[node];
    return node;
}

bool mc_session_can_be_root(const mc_session *session) {
    uint32_t district = get_district(session, mc_session_get_selected(session));
    return district != MC_NONE && district != session->settings.root_node;
}

void mc_session_make_root(mc_session *session) {
    if (!mc_session_can_be_root(session)) return;
    uint32_t district = get_district(session, mc_session_get_selected(session));
    if (district == mc_session_get_selected(session))
        mc_session_select_node(session, MC_NONE, false);
    mc_session_set_root(session, district);
}

void mc_session_leave_root(mc_session *session) {
    uint32_t parent = mc_trace_get_nodes(session->trace)->parent[session->settings.root_node];
    if (parent != MC_NONE) mc_session_set_root(session, parent);
}

void mc_session_frame_due(mc_session *session) {
    if (!session->selection.is_frame_due) return;
    session->selection.is_frame_due = false;
    if (session->walk.is_shown) {
        mc_session_frame_walk(session);
    } else {
        mc_session_look_at(session, mc_session_get_selected(session), MC_VIEW_SHOW);
    }
}
