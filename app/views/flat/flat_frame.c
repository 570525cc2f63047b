#include "app/views/flat/flat_frame.h"

#include "app/node_text.h"
#include "app/views/flat/flat_colors.h"
#include "app/views/flat/flat_steps_frame.h"
#include "app/views/flat/flat_tree.h"
#include "engine/base/memory.h"
#include <inttypes.h>
#include <math.h>
#include <stdatomic.h>
#include <string.h>

// Of the strips of all views: one renderer draws several, and tells them apart by it.
static _Atomic uint64_t version_count;

#define MARGIN 12.0 // between the picture's free part and the figure; times the text's scale

// 0 to 1, eased; 1: it is there.
static double get_way(double elapsed_s) {
    if (elapsed_s < 0) return 1;
    double t = fmin(elapsed_s / MC_FLAT_TRANSITION_S, 1);
    return t * t * (3 - 2 * t);
}

static double get_transition(const mc_flat_view *self) {
    return get_way(self->transition_elapsed_s);
}

static mc_flat_view_key get_key(const mc_flat_view *self) {
    const mc_session *session = self->base.session;
    const mc_settings *settings = &session->settings;
    mc_flat_view_key key;
    memset(&key, 0, sizeof key);
    key.layout_version = session->layout_version;
    key.counts_version = session->counts.version;
    key.search_version = session->search.version;
    key.walk_version = session->walk.version;
    key.width = session->input.width;
    key.height = session->input.height;
    key.viewport = session->viewport;
    key.blend = session->counts.blend;
    key.transition = get_transition(self);
    key.bend = get_way(self->bend_elapsed_s);
    key.text_scale = session->input.text_scale;
    key.levels = settings->tree_levels;
    key.color = (uint32_t)mc_flat_colors_get_mode(self);
    key.colors_version = self->colors.version;
    key.dark = settings->look.dark;
    key.names = settings->look.names;
    key.scaled = settings->tree_scaled;
    key.palette = settings->look.palette;
    key.is_marking = mc_flat_view_is_marking(session);
    key.steps = settings->tree_steps;
    key.steps_scaled = settings->tree_steps_scaled;
    key.step = session->counts.step;
    key.trees_changes = self->trees.changes;
    key.chart_x0 = session->input.chart_x0;
    key.chart_x1 = session->input.chart_x1;
    if (self->picture) key.selection = settings->selection;
    return key;
}

// ---- what is marked

static void mark(mc_flat_view *self, const uint32_t *nodes, uint32_t count) {
    for (uint32_t i = 0; i < count; i++)
        self->hits[nodes[i]] = MC_FLAT_HIT;
}

static void update_hits(mc_flat_view *self) {
    const mc_session *session = self->base.session;
    const mc_node_columns *nodes = mc_trace_get_nodes(session->trace);
    mc_free(self->hits);
    self->hits_version++;
    self->hits = mc_flat_view_is_marking(session) ? mc_alloc_zero(nodes->count, 1) : NULL;
    if (!self->hits) return;
    if (session->walk.is_shown) {
        for (uint32_t i = 0; i < mc_session_get_walk(session)->count; i++)
            mark(self, &mc_session_get_walk(session)->stops[i].node, 1);
    } else {
        mark(self, mc_session_get_hits(session)->nodes, mc_session_get_hits(session)->count);
        // All below a hit is one.
        for (uint32_t node = 1; node < nodes->count; node++)
            if (self->hits[nodes->parent[node]]) self->hits[node] = MC_FLAT_HIT;
    }
    mc_flat_color_spread_hits(nodes, self->hits);
}

// Growth is from the window's first step; the full colour is its last one's.
static bool prepare_growth(mc_flat_view *self) {
    const mc_tree *tree = self->tree;
    if (self->base_values) return true;
    self->base_values = mc_alloc(tree->count, sizeof *self->base_values);
    self->end_values = mc_alloc(tree->count, sizeof *self->end_values);
    if (!self->base_values || !self->end_values) return false;
    mc_tree_gather(tree, tree->first, self->base_values);
    mc_tree_gather(tree, tree->last, self->end_values);
    return true;
}

static void color(mc_flat_view *self, mc_flat_state *state, uint32_t solid_entry) {
    const mc_session *session = self->base.session;
    mc_flat_color_mode mode = mc_flat_colors_get_mode(self);
    if (mode == MC_FLAT_COLOR_GROWTH && !prepare_growth(self)) mode = MC_FLAT_COLOR_BRANCH;
    mc_flat_color_desc desc = {.mode = mode,
                               .theme = &self->theme,
                               .nodes = mc_trace_get_nodes(session->trace),
                               .base = self->base_values,
                               .now = state->values,
                               .end = self->end_values,
                               .values = self->colors.column.values,
                               .most = self->colors.column.most,
                               .hits = self->hits,
                               .solid_entry = solid_entry};
    mc_flat_color(self->tree, &desc, state->colors);
}

// ---- what is shown

// Whether there is more than what is below the root, and it is to be seen.
static bool has_overview(const mc_flat_view *self) {
    const mc_session *session = self->base.session;
    uint32_t levels = session->settings.tree_levels;
    if (self->picture && !self->picture->has_overview) return false;
    return self->root != 0 || (levels > 0 && levels + 1 < self->tree->level_count);
}

// What a pane shows, and where that comes from.
typedef struct pane_change {
    uint32_t root, level_count, solid_entry; // as of mc_flat_pane_show(), mc_flat_color_desc
    bool is_moving;                          // it comes from:
    const uint64_t *from;
    uint32_t from_root;
    bool is_shown; // the pane shows that already
} pane_change;

static void update_pane(mc_flat_view *self, mc_flat_pane *pane, const pane_change *change) {
    const uint64_t *to = self->base.session->counts.to;
    if (change->is_moving && !change->is_shown) {
        mc_flat_pane_show(pane, change->from, change->from_root, change->level_count, false);
        color(self, &pane->now, change->solid_entry);
    }
    mc_flat_pane_show(pane, to, change->root, change->level_count, change->is_moving);
    color(self, &pane->now, change->solid_entry);
}

// Whether the panes show the step before. Its colours are kept then: those of a column are of its
// step.
static bool is_next_step(const mc_flat_view *self, const mc_flat_pane_key *key) {
    const mc_session_counts *counts = &self->base.session->counts;
    mc_flat_pane_key before = *key;
    if (!self->has_key || !counts->advance || key->is_in_transition) return false;
    before.counts_version = counts->version - 1;
    before.colors_version = self->pane_key.colors_version;
    before.is_blending = self->pane_key.is_blending;
    // NOLINTNEXTLINE(bugprone-suspicious-memory-comparison)
    return memcmp(&before, &self->pane_key, sizeof before) == 0;
}

// The step shown before and the step now; or, on the way to another root or from another tree,
// that.
static void update_panes(mc_flat_view *self, const mc_flat_pane_key *key) {
    const mc_session *session = self->base.session;
    const mc_session_counts *counts = &session->counts;
    uint32_t levels = session->settings.tree_levels;
    bool is_in_transition = key->is_in_transition, has_past = self->past.intervals != NULL;
    pane_change change = {.root = self->root,
                          .level_count = levels > 0 ? levels + 1 : 0,
                          .solid_entry = MC_NONE,
                          .is_moving = !has_past && (is_in_transition || key->is_blending),
                          .from = is_in_transition ? counts->to : counts->from,
                          .from_root = is_in_transition ? self->from_root : self->root,
                          .is_shown = is_next_step(self, key)};
    update_pane(self, &self->pane, &change);
    if (is_in_transition) (void)mc_flat_past_begin(&self->past, &self->pane);
    if (!has_overview(self)) return;
    change.root = change.from_root = change.level_count = 0;
    change.solid_entry = self->root;
    change.is_moving = key->is_blending && !is_in_transition;
    update_pane(self, &self->overview, &change);
    if (is_in_transition) (void)mc_flat_past_begin(&self->overview_past, &self->overview);
}

static mc_flat_rect get_rect(const mc_flat_view *self) {
    const mc_session *session = self->base.session;
    mc_camera_viewport v = session->viewport;
    double margin = MARGIN * fmax(session->input.text_scale, 0.5);
    if (self->picture) return (mc_flat_rect){v.left, v.top, v.width - v.right, v.height - v.bottom};
    v.bottom += mc_flat_steps_get_height(self);
    return (mc_flat_rect){floor(v.left + margin), floor(v.top + margin),
                          fmax(floor(v.width - v.right - margin), v.left + margin + 1),
                          fmax(floor(v.height - v.bottom - margin), v.top + margin + 1)};
}

// Of what the root is at most in the window.
static double get_share(const mc_flat_view *self) {
    const mc_session *session = self->base.session;
    const mc_flat_content *content = session->shown->content;
    uint32_t node = session->shown->root_node;
    double now = (double)session->counts.to[node], before = (double)session->counts.from[node];
    if (!session->settings.tree_scaled || content->most == 0) return 1;
    double value = before + (now - before) * session->counts.blend;
    return fmin(value / (double)content->most, 1);
}

static mc_flat_figure get_figure(const mc_flat_view *self, const mc_flat_pane *pane,
                                 mc_flat_rect rect) {
    const mc_session *session = self->base.session;
    double blend = self->transition_elapsed_s >= 0 ? get_transition(self) : session->counts.blend;
    double bend = get_way(self->bend_elapsed_s);
    bool is_bent = self->bend_elapsed_s >= 0;
    return (mc_flat_figure){.pane = pane,
                            .trace = session->trace,
                            .metric = mc_trace_get_metric(session->trace, session->shown->metric),
                            .blend = pane->has_before ? blend : 1,
                            .form = is_bent ? MC_FLAT_BENT : self->form,
                            .bend = self->form == MC_FLAT_SUNBURST ? bend : 1 - bend,
                            .rect = rect,
                            .share = pane == &self->pane ? get_share(self) : 1,
                            .selected = self->selected,
                            .selected_count = self->selected_count};
}

mc_flat_figure mc_flat_view_get_figure(const mc_view *view, mc_flat_rect rect) {
    const mc_flat_view *self = mc_flat_view_of(view);
    mc_flat_figure figure = get_figure(self, &self->pane, rect);
    figure.has_names = view->session->settings.look.names;
    return figure;
}

static void put_nothing(mc_flat_view *self, mc_flat_rect rect) {
    const mc_session *session = self->base.session;
    mc_text words = {0};
    mc_node_append_path_line(session->trace, session->shown->root_node, &words);
    mc_text_format(&words, " is not there at step %" PRIu32, session->counts.step);
    mc_drawn_text text = {.text = mc_text_get(&words),
                          .x = (float)((rect.x0 + rect.x1) / 2),
                          .y = (float)((rect.y0 + rect.y1) / 2),
                          .room = (float)(rect.x1 - rect.x0),
                          .color = mc_flat_sheet_get_ink(&self->sheet, MC_INK_MUTED),
                          .font = MC_DRAWN_REGULAR};
    mc_flat_sheet_put_text(&self->sheet, &text);
    mc_text_deinit(&words);
}

// Puts a pane on the sheet; *plane is where.
static void put_pane(mc_flat_view *self, const mc_flat_figure *figure, mc_flat_plane *plane,
                     uint32_t *levels_per_row) {
    mc_flat_sheet *sheet = &self->sheet;
    uint32_t count = sheet->plane_count;
    mc_flat_figure_put(sheet, figure);
    if (sheet->plane_count == count) return;
    *plane = sheet->planes[count];
    *levels_per_row = sheet->strips.levels_per_row;
}

static void update_sheet(mc_flat_view *self) {
    const mc_session *session = self->base.session;
    const mc_flat_picture *picture = self->picture;
    mc_flat_sheet *sheet = &self->sheet;
    mc_flat_rect rect = get_rect(self), beside;
    mc_flat_sheet_begin(sheet, session->input.width, session->input.height,
                        picture && picture->is_vector, &self->theme);
    sheet->scale = (float)session->input.text_scale;
    self->plane = self->overview_plane = (mc_flat_plane){0};
    if (picture && picture->is_composed) return;
    if (picture && picture->put_title) picture->put_title(picture->user, sheet);
    if (has_overview(self)) {
        mc_flat_figure_split(&rect, &beside);
        mc_flat_figure overview = get_figure(self, &self->overview, beside);
        put_pane(self, &overview, &self->overview_plane, &self->overview_levels_per_row);
    }
    mc_flat_figure figure = mc_flat_view_get_figure(&self->base, rect);
    if (session->counts.to[session->shown->root_node] == 0)
        put_nothing(self, rect);
    else
        put_pane(self, &figure, &self->plane, &self->levels_per_row);
    mc_flat_steps_put(self);
    self->version = atomic_fetch_add(&version_count, 1) + 1;
}

// Around an entry, in both panes.
static void put_mark(mc_flat_view *self, uint32_t entry, const float rgb[3], double width) {
    if (entry == MC_NONE) return;
    bool is_moving = self->pane.has_before || self->bend_elapsed_s >= 0;
    if (self->plane.row_count > 0 && !is_moving)
        mc_flat_sheet_put_mark(&self->sheet, &self->pane, &self->plane, entry, rgb, width);
    if (self->overview_plane.row_count > 0 && !self->overview.has_before && !is_moving)
        mc_flat_sheet_put_mark(&self->sheet, &self->overview, &self->overview_plane, entry, rgb,
                               width * 0.7);
    mc_flat_steps_put_mark(self, entry, rgb, width * 0.6);
}

uint32_t mc_flat_view_pick(const mc_flat_view *self, double x, double y) {
    uint32_t entry = MC_NONE;
    if (!self->tree) return MC_NONE;
    if (self->plane.row_count > 0)
        entry = mc_flat_pane_pick(&self->pane, &self->plane, self->levels_per_row, x, y);
    if (entry == MC_NONE && self->overview_plane.row_count > 0)
        entry = mc_flat_pane_pick(&self->overview, &self->overview_plane,
                                  self->overview_levels_per_row, x, y);
    return entry == MC_NONE ? mc_flat_steps_pick(self, x, y) : entry;
}

uint32_t mc_flat_view_get_pointed_other(const mc_flat_view *self) {
    const mc_session_input *input = &self->base.session->input;
    uint32_t entry = input->is_over_picture ? mc_flat_view_pick(self, input->x, input->y) : MC_NONE;
    return entry != MC_NONE && mc_tree_is_other(self->tree, entry) ? entry : MC_NONE;
}

// What findings are named by.
static void put_findings(mc_flat_view *self, double width) {
    const mc_session_suspects *suspects = &self->base.session->suspects;
    float ink = self->theme.dark ? 0.95f : 0.1f, color[3] = {ink, ink, ink};
    for (uint32_t i = suspects->count; i-- > 0;)
        if (suspects->items[i].because == MC_NONE)
            put_mark(self, self->tree->node_entry[suspects->items[i].node], color, width);
}

static void update_marks(mc_flat_view *self) {
    const mc_session *session = self->base.session;
    double scale = fmax(session->input.text_scale, 0.7);
    const uint32_t *entries = self->tree->node_entry;
    if (self->picture) return; // its figures have them
    self->sheet.mark_count = 0;
    uint32_t pointed = session->hover.node != MC_NONE ? entries[session->hover.node]
                                                      : mc_flat_view_get_pointed_other(self);
    put_findings(self, 1.5 * scale);
    put_mark(self, pointed, self->theme.hover_outline, 2 * scale);
    for (uint32_t i = 0; i < session->settings.selection.count; i++)
        put_mark(self, entries[session->settings.selection.nodes[i]], self->theme.selection_outline,
                 3 * scale);
}

static mc_flat_pane_key get_pane_key(const mc_flat_view *self, const mc_flat_view_key *of) {
    mc_flat_pane_key key;
    memset(&key, 0, sizeof key);
    key.layout_version = of->layout_version;
    key.counts_version = of->counts_version;
    key.search_version = of->search_version;
    key.walk_version = of->walk_version;
    key.levels = of->levels;
    key.color = of->color;
    key.colors_version = of->colors_version;
    key.palette = of->palette;
    key.root = self->root;
    key.dark = of->dark;
    key.is_marking = of->is_marking;
    key.is_in_transition = self->transition_elapsed_s >= 0;
    key.is_blending = of->blend < 1;
    return key;
}

static void update(mc_flat_view *self, const mc_flat_view_key *key) {
    const mc_session *session = self->base.session;
    mc_flat_pane_key pane_key = get_pane_key(self, key);
    self->theme =
        mc_theme_get(session->settings.look.dark, (mc_palette)session->settings.look.palette);
    memcpy(self->theme.background_bottom, self->theme.background_top,
           sizeof self->theme.background_top);
    bool has_other_hits = !self->has_key || key->search_version != self->key.search_version ||
                          key->walk_version != self->key.walk_version ||
                          key->is_marking != self->key.is_marking;
    if (has_other_hits) update_hits(self);
    // Bits decide: once too often is no harm.
    // NOLINTNEXTLINE(bugprone-suspicious-memory-comparison)
    if (!self->has_key || memcmp(&pane_key, &self->pane_key, sizeof pane_key) != 0)
        update_panes(self, &pane_key);
    for (uint32_t i = 0; i < key->selection.count; i++)
        self->selected[i] = self->tree->node_entry[key->selection.nodes[i]];
    self->selected_count = key->selection.count;
    update_sheet(self);
    mc_view_pick_again(&self->base);
    self->key = *key;
    self->pane_key = pane_key;
    self->has_key = true;
}

void mc_flat_view_prepare(mc_flat_view *self) {
    const mc_session *session = self->base.session;
    mc_flat_view_sync_tree(self);
    if (!self->tree) return;
    mc_flat_view_key key = get_key(self);
    // NOLINTNEXTLINE(bugprone-suspicious-memory-comparison)
    if (!self->has_key || memcmp(&key, &self->key, sizeof key) != 0) update(self, &key);
    update_marks(self);
    mc_error error = {0};
    if (mc_flat_sheet_finish(&self->sheet, &error) != MC_OK) {
        mc_view_miss(&self->base, &error);
        mc_flat_sheet_begin(&self->sheet, session->input.width, session->input.height, false,
                            &self->theme);
    }
    self->scene = mc_flat_sheet_get_scene(&self->sheet, self->version);
    self->drawing = mc_flat_sheet_get_drawing(&self->sheet);
}
