#include "app/view/view_state.h"

// Whether `node` is `root` or lies in it.
static bool is_inside(const mc_view *view, uint32_t node, uint32_t root) {
    const mc_node_columns *nodes = mc_trace_get_nodes(view->trace);
    while (node != MC_NONE && nodes->level[node] > nodes->level[root]) {
        node = nodes->parent[node];
    }
    return node == root;
}

uint32_t mc_view_get_focus(const mc_view *view) {
    return mc_view_get_selected(view) != MC_NONE ? mc_view_get_selected(view)
                                                 : view->city->desc.root_node;
}

void mc_view_set_root(mc_view *view, uint32_t node) {
    if (node == view->wish.root_node) return;
    view->wish.root_node = node;
    // Another city is looked at as a whole at first.
    view->wish.is_home = true;
}

static uint32_t get_district(const mc_view *view, uint32_t node) {
    const mc_node_columns *nodes = mc_trace_get_nodes(view->trace);
    if (node != MC_NONE && nodes->child_count[node] == 0) node = nodes->parent[node];
    return node;
}

bool mc_view_can_be_root(const mc_view *view) {
    uint32_t district = get_district(view, mc_view_get_selected(view));
    return district != MC_NONE && district != view->wish.root_node;
}

void mc_view_make_root(mc_view *view) {
    if (!mc_view_can_be_root(view)) return;
    uint32_t district = get_district(view, mc_view_get_selected(view));
    if (district == mc_view_get_selected(view)) mc_view_select_node(view, MC_NONE, false);
    mc_view_set_root(view, district);
}

void mc_view_leave_root(mc_view *view) {
    uint32_t parent = mc_trace_get_nodes(view->trace)->parent[view->wish.root_node];
    if (parent != MC_NONE) mc_view_set_root(view, parent);
}

void mc_view_widen_root(mc_view *view, uint32_t node) {
    const mc_node_columns *nodes = mc_trace_get_nodes(view->trace);
    uint32_t root = view->wish.root_node;
    while (root != 0 && !is_inside(view, node, root)) {
        root = nodes->parent[root];
    }
    if (root == view->wish.root_node) return;
    view->wish.root_node = root;
    view->explore.frame_is_due = true; // once the larger city is there
}

void mc_view_frame_due(mc_view *view) {
    if (!view->explore.frame_is_due) return;
    view->explore.frame_is_due = false;
    if (view->explore.walk.is_shown) {
        mc_view_frame_walk(view);
    } else {
        mc_view_frame_structure(view, view->selected, false);
    }
}
