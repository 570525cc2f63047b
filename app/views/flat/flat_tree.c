#include "app/views/flat/flat_tree.h"

#include "app/views/flat/flat_colors.h"
#include "app/views/flat/flat_pruned.h"
#include "app/views/flat/flat_steps.h"
#include "engine/base/memory.h"
#include <string.h>

bool mc_flat_view_is_marking(const mc_session *session) {
    return session->walk.is_shown ||
           (session->settings.search_open && mc_session_get_hits(session)->count > 0);
}

// What was made of a tree.
static void forget(mc_flat_view *self) {
    mc_free(self->hits);
    mc_free(self->base_values);
    mc_free(self->end_values);
    self->hits = NULL;
    self->hits_version++;
    self->tree_version++;
    self->base_values = self->end_values = NULL;
    self->has_key = false;
    self->plane = self->overview_plane = (mc_flat_plane){0};
}

static mc_flat_tree_key get_key(const mc_flat_view *self) {
    const mc_session *session = self->base.session;
    const mc_settings *settings = &session->settings;
    mc_flat_tree_key key;
    memset(&key, 0, sizeof key);
    key.is_pruned = settings->tree_pruned;
    if (!key.is_pruned) return key;
    key.most = settings->tree_prune_most;
    key.share = settings->tree_prune_share;
    key.selection = settings->selection;
    key.is_marking = mc_flat_view_is_marking(session);
    key.search_version = session->search.version;
    key.walk_version = session->walk.version;
    key.opened = settings->tree_opened;
    return key;
}

// Nodes of the trace before may still be selected while another is being opened.
static void flag(uint8_t *flags, uint32_t count, uint32_t node) {
    if (node < count) flags[node] = 1;
}

// What was named is not hidden: the selection, what stands out, and the root.
static uint8_t *list_kept(const mc_flat_view *self, uint32_t count, uint32_t root_node) {
    const mc_session *session = self->base.session;
    const mc_selection *selection = &session->settings.selection;
    uint8_t *kept = mc_alloc_zero(count, 1);
    if (!kept) return NULL;
    flag(kept, count, root_node);
    for (uint32_t i = 0; i < selection->count; i++)
        flag(kept, count, selection->nodes[i]);
    for (uint32_t i = 0; session->walk.is_shown && i < mc_session_get_walk(session)->count; i++)
        flag(kept, count, mc_session_get_walk(session)->stops[i].node);
    for (uint32_t i = 0; session->settings.search_open && i < mc_session_get_hits(session)->count;
         i++)
        flag(kept, count, mc_session_get_hits(session)->nodes[i]);
    return kept;
}

static mc_result prune(const mc_flat_view *self, const mc_layout *layout, mc_flat_pruned **pruned,
                       mc_error *error) {
    const mc_flat_content *content = layout->content;
    const mc_node_columns *nodes = mc_trace_get_nodes(layout->dataset->trace);
    const mc_settings *settings = &self->base.session->settings;
    uint8_t *kept = list_kept(self, nodes->count, layout->root_node);
    uint8_t *opened = mc_alloc_zero(nodes->count, 1);
    for (uint32_t i = 0; opened && i < settings->tree_opened.count; i++)
        flag(opened, nodes->count, settings->tree_opened.nodes[i]);
    mc_tree_pruning pruning = {.most = settings->tree_prune_most,
                               .share = settings->tree_prune_share,
                               .kept = kept,
                               .opened = opened};
    mc_result result = kept && opened
                           ? mc_flat_pruned_create(content->tree, nodes, &pruning, pruned, error)
                           : mc_error_out_of_memory(error);
    mc_free(opened);
    mc_free(kept);
    return result;
}

// Entries are the same where order and nodes are.
static bool has_same_entries(const mc_tree *a, const mc_tree *b) {
    return a->count == b->count && memcmp(a->node, b->node, a->count * sizeof *a->node) == 0 &&
           memcmp(a->child_count, b->child_count, a->count * sizeof *a->child_count) == 0;
}

void mc_flat_view_forget_past(mc_flat_view *self) {
    mc_flat_past_deinit(&self->past);
    mc_flat_past_deinit(&self->overview_past);
}

// Before another tree of the same trace.
static void take_past(mc_flat_view *self) {
    if (self->plane.row_count > 0) {
        mc_flat_pane_settle(&self->pane);
        mc_flat_past_take(&self->past, &self->pane);
    }
    if (self->overview_plane.row_count > 0) {
        mc_flat_pane_settle(&self->overview);
        mc_flat_past_take(&self->overview_past, &self->overview);
    }
}

static mc_result make_panes(mc_flat_view *self, const mc_tree *tree, mc_error *error) {
    mc_flat_pane_deinit(&self->pane);
    mc_flat_pane_deinit(&self->overview);
    mc_result result = mc_flat_pane_init(&self->pane, tree, error);
    return result == MC_OK ? mc_flat_pane_init(&self->overview, tree, error) : result;
}

mc_result mc_flat_view_take_tree(mc_flat_view *self, const mc_layout *layout, bool *goes_on,
                                 mc_error *error) {
    const mc_flat_content *content = layout->content;
    bool is_pruned = self->base.session->settings.tree_pruned;
    mc_flat_pruned *pruned = NULL;
    mc_result result = is_pruned ? prune(self, layout, &pruned, error) : MC_OK;
    const mc_tree *tree = pruned ? pruned->tree : content->tree;
    bool is_known = *goes_on && result == MC_OK && self->tree;
    *goes_on = is_known && has_same_entries(self->tree, tree);
    mc_flat_view_forget_past(self);
    if (is_known && !*goes_on && self->base.session->settings.motion) take_past(self);
    forget(self);
    if (*goes_on)
        self->pane.tree = self->overview.tree = tree;
    else if (result == MC_OK)
        result = make_panes(self, tree, error);
    if (!*goes_on) mc_flat_steps_forget(self);
    mc_flat_colors_forget(self, layout);
    mc_flat_pruned_release(self->pruned);
    self->pruned = pruned;
    self->tree = tree;
    self->tree_key = get_key(self);
    if (result != MC_OK) mc_flat_view_drop_tree(self);
    return result;
}

void mc_flat_view_sync_tree(mc_flat_view *self) {
    const mc_session *session = self->base.session;
    mc_flat_tree_key key = get_key(self);
    // NOLINTNEXTLINE(bugprone-suspicious-memory-comparison)
    if (!self->tree || memcmp(&key, &self->tree_key, sizeof key) == 0) return;
    mc_error error = {0};
    bool goes_on = true;
    if (mc_flat_view_take_tree(self, session->shown, &goes_on, &error) != MC_OK) {
        mc_view_complain(&self->base, error.message);
        return;
    }
    if (goes_on) return;
    self->root = self->from_root = self->tree->node_entry[session->shown->root_node];
    self->transition_elapsed_s = self->past.intervals ? 0 : -1;
}

void mc_flat_view_drop_tree(mc_flat_view *self) {
    mc_flat_view_forget_past(self);
    forget(self);
    mc_flat_pane_deinit(&self->pane);
    mc_flat_pane_deinit(&self->overview);
    mc_flat_steps_forget(self);
    mc_flat_colors_forget(self, NULL);
    mc_flat_pruned_release(self->pruned);
    self->pruned = NULL;
    self->tree = NULL;
}
