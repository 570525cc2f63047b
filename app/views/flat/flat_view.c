#include "app/views/flat/flat_view.h"

#include "app/command.h"
#include "app/views/flat/flat_colors.h"
#include "app/views/flat/flat_frame.h"
#include "app/views/flat/flat_hint.h"
#include "app/views/flat/flat_steps.h"
#include "app/views/flat/flat_steps_frame.h"
#include "app/views/flat/flat_tree.h"
#include "app/views/flat/flat_view_state.h"
#include "engine/base/memory.h"

// ---- layouts

static void destroy_content(void *content) {
    mc_flat_content *own = content;
    mc_tree_destroy(own->tree);
    mc_free(own->nodes);
    mc_free(own->totals);
    mc_free(own);
}

static int64_t get_growth(const mc_tree *tree, uint32_t node) {
    return (int64_t)(tree->last[node] - tree->first[node]);
}

// Puts a leaf where it belongs among those that grew the most.
static void keep_grower(mc_layout *layout, const mc_tree *tree, uint32_t node) {
    uint32_t *growers = layout->growers, at = layout->grower_count;
    if (at == MC_LABEL_MOST_GROWERS && get_growth(tree, node) <= get_growth(tree, growers[at - 1]))
        return;
    if (at < MC_LABEL_MOST_GROWERS) layout->grower_count = ++at;
    for (at--; at > 0 && get_growth(tree, node) > get_growth(tree, growers[at - 1]); at--)
        growers[at] = growers[at - 1];
    growers[at] = node;
}

static void find_growers(mc_layout *layout, const mc_node_columns *nodes, const mc_tree *tree) {
    layout->largest_growth = INT64_MIN;
    for (uint32_t node = 0; node < nodes->count; node++) {
        if (nodes->child_count[node] > 0) continue;
        int64_t growth = get_growth(tree, node);
        if (growth > layout->largest_growth) layout->largest_growth = growth;
        if (growth > 0) keep_grower(layout, tree, node);
    }
}

// What a node is at each step of the window, and at most.
static mc_result read_totals(mc_flat_content *content, const mc_trace *trace,
                             const mc_city_desc *desc, uint32_t node, mc_error *error) {
    const mc_metric_info *metric = mc_trace_get_metric(trace, desc->metric);
    uint32_t count = desc->window.last_step - desc->window.first_step + 1;
    content->totals = mc_alloc(count, sizeof *content->totals);
    mc_result result = content->totals ? MC_OK : mc_error_out_of_memory(error);
    for (uint32_t i = 0; i < count && result == MC_OK; i++) {
        uint64_t word = 0, *value = &content->totals[i];
        result = mc_trace_read_value(trace, desc->window.first_step + i, desc->metric, node, &word,
                                     error);
        *value = mc_metric_get_count(metric, word);
        if (*value > content->most) content->most = *value;
    }
    return result;
}

static mc_result lay_out(mc_layout *layout, const mc_settings *settings, double headroom,
                         const mc_layout *before, const mc_progress *progress, mc_error *error) {
    (void)headroom;
    (void)before;
    (void)progress;
    const mc_trace *trace = layout->dataset->trace;
    const mc_node_columns *nodes = mc_trace_get_nodes(trace);
    mc_city_desc desc;
    mc_result result = mc_command_resolve_layout(&settings->layout, trace, &desc, NULL, error);
    if (result != MC_OK) return result;
    mc_flat_content *content = mc_alloc_zero(1, sizeof *content);
    layout->content = content;
    if (!content) return mc_error_out_of_memory(error);
    mc_tree_desc tree_desc = {
        .metric = desc.metric, .window = desc.window, .sort = (mc_tree_sort)settings->tree_sort};
    result = mc_tree_create(trace, &tree_desc, &content->tree, error);
    content->nodes = mc_alloc(nodes->count, sizeof *content->nodes);
    if (result == MC_OK && !content->nodes) result = mc_error_out_of_memory(error);
    if (result != MC_OK) return result;
    for (uint32_t i = 0; i < nodes->count; i++)
        content->nodes[i] = i;
    result = read_totals(content, trace, &desc, settings->root_node, error);
    if (result != MC_OK) return result;
    layout->metric = desc.metric;
    layout->window = desc.window;
    layout->root_node = settings->root_node;
    layout->nodes = content->nodes;
    layout->node_count = nodes->count;
    find_growers(layout, nodes, content->tree);
    return MC_OK;
}

// Whether the other form shows the same part of the same trace, and can be bent into this one.
static bool can_bend(const mc_flat_view *self, const mc_layout *layout) {
    const mc_session *session = self->base.session;
    for (uint32_t i = 0; i < MC_VIEW_CAPACITY && session->views[i]; i++) {
        const mc_view *view = session->views[i];
        const mc_flat_view *other = mc_flat_view_of(view);
        if (view == &self->base || view->kind->show != self->base.kind->show) continue;
        return other->tree && other->plane.row_count > 0 && session->settings.motion &&
               session->shown->dataset == layout->dataset &&
               session->shown->root_node == layout->root_node;
    }
    return false;
}

static void show(mc_view *view, mc_layout *layout, mc_layout_change change) {
    mc_flat_view *self = mc_flat_view_of(view);
    mc_error error = {0};
    bool goes_on = change != MC_LAYOUT_OPENED && !layout->came_from;
    self->transition_elapsed_s = self->bend_elapsed_s = -1;
    if (mc_flat_view_take_tree(self, layout, &goes_on, &error) != MC_OK) {
        mc_view_complain(view, error.message);
        return;
    }
    uint32_t root = self->tree->node_entry[layout->root_node];
    self->from_root = goes_on ? self->root : root;
    bool is_other_root = goes_on && root != self->root && view->session->settings.motion;
    if (is_other_root || self->past.intervals) self->transition_elapsed_s = 0;
    self->root = root;
    bool is_same_tree = !layout->came_from; // else its groups are others
    if (is_same_tree && change == MC_LAYOUT_WANTED && can_bend(self, layout))
        self->bend_elapsed_s = 0;
    mc_view_redraw(view);
}

static void hide(mc_view *view) {
    mc_flat_view *self = mc_flat_view_of(view);
    mc_flat_view_drop_tree(self);
    self->transition_elapsed_s = self->bend_elapsed_s = -1;
}

// A tree is not numbered anew: the layout that follows brings its own.
static mc_result renumber(mc_view *view, mc_layout *layout, const uint32_t *map, uint32_t map_count,
                          uint32_t node_count, mc_error *error) {
    (void)layout;
    (void)map;
    (void)map_count;
    (void)node_count;
    (void)error;
    hide(view);
    return MC_OK;
}

// ---- beginning and end

static void destroy(mc_view *view) {
    mc_flat_view *self = mc_flat_view_of(view);
    hide(view);
    mc_flat_steps_end(self);
    mc_flat_colors_end(self);
    mc_flat_sheet_deinit(&self->sheet);
    mc_free(self);
}

static mc_result create(const mc_session *session, const mc_view_kind *kind, uint32_t form,
                        mc_view **view, mc_error *error) {
    mc_flat_view *self = mc_alloc_zero(1, sizeof *self);
    *view = &self->base;
    if (!self) return mc_error_out_of_memory(error);
    self->base = (mc_view){kind, session};
    self->form = form;
    self->transition_elapsed_s = self->bend_elapsed_s = -1;
    mc_result result = mc_flat_steps_begin(self, error);
    return result == MC_OK ? mc_flat_colors_begin(self, error) : result;
}

static mc_result create_sunburst(const mc_session *session, mc_view **view, mc_error *error) {
    return create(session, &mc_sunburst_view_kind, MC_FLAT_SUNBURST, view, error);
}

static mc_result create_icicle(const mc_session *session, mc_view **view, mc_error *error) {
    return create(session, &mc_icicle_view_kind, MC_FLAT_ICICLE, view, error);
}

// ---- time

// All else that follows is found while a frame is prepared.
static void sync(mc_view *view) {
    mc_flat_colors_sync(mc_flat_view_of(view));
    mc_flat_steps_sync(mc_flat_view_of(view));
}

static bool is_deriving(const mc_view *view) {
    const mc_flat_view *self = mc_flat_view_of(view);
    return mc_flat_steps_is_deriving(self) || mc_flat_colors_is_deriving(self);
}

// False: it is there.
static bool go_on(double *elapsed_s, double by_s) {
    if (*elapsed_s >= 0) *elapsed_s += by_s;
    if (*elapsed_s >= MC_FLAT_TRANSITION_S) *elapsed_s = -1;
    return *elapsed_s >= 0;
}

static void advance(mc_view *view) {
    mc_flat_view *self = mc_flat_view_of(view);
    if (self->transition_elapsed_s < 0 && self->bend_elapsed_s < 0) return;
    if (!go_on(&self->transition_elapsed_s, view->session->turn.elapsed_s))
        mc_flat_view_forget_past(self);
    (void)go_on(&self->bend_elapsed_s, view->session->turn.elapsed_s);
    mc_view_redraw(view);
}

static void prepare(mc_view *view) {
    mc_flat_view *self = mc_flat_view_of(view);
    if (self->tree && view->session->counts.to) mc_flat_view_prepare(self);
}

static bool is_settling(const mc_view *view) {
    const mc_flat_view *self = mc_flat_view_of(view);
    return self->transition_elapsed_s >= 0 || self->bend_elapsed_s >= 0;
}

static bool is_never(const mc_view *view) {
    (void)view;
    return false;
}

// ---- nodes

// An Other is no node.
static uint32_t pick(const mc_view *view, double x, double y) {
    const mc_flat_view *self = mc_flat_view_of(view);
    uint32_t entry = mc_flat_view_pick(self, x, y);
    return entry == MC_NONE || mc_tree_is_other(self->tree, entry) ? MC_NONE
                                                                   : self->tree->node[entry];
}

static bool describe_pointed(const mc_view *view, mc_text *title, mc_text *text) {
    return mc_flat_view_describe(mc_flat_view_of(view), title, text);
}

// Where an entry is in the local pane; false: it is not there.
static bool place_entry(const mc_flat_view *self, uint32_t entry, mc_view_place *place) {
    mc_flat_mark mark;
    static const float any[3];
    if (self->plane.row_count == 0 ||
        !mc_flat_pane_get_mark(&self->pane, &self->plane, entry, any, 1, &mark))
        return false;
    double first = (double)mark.row > 0 || self->form != MC_FLAT_SUNBURST ? 0.5 : 0;
    mc_flat_point point = {(double)mark.row + first, ((double)mark.from + (double)mark.to) / 2};
    mc_flat_plane_place(&self->plane, point, &place->x, &place->y);
    return true;
}

static bool locate(const mc_view *view, uint32_t node, mc_view_place *place) {
    const mc_flat_view *self = mc_flat_view_of(view);
    *place = (mc_view_place){-1, -1};
    if (!self->tree) return false;
    (void)place_entry(self, self->tree->node_entry[node], place);
    return true;
}

// The first-ranked part comes first; siblings are in their order.
static uint32_t get_neighbour(const mc_view *view, uint32_t node, mc_view_way way) {
    const mc_flat_view *self = mc_flat_view_of(view);
    const mc_tree *tree = self->tree;
    uint32_t entry = tree->node_entry[node], next;
    if (way == MC_VIEW_CHILD) {
        next = tree->child_count[entry] > 0 ? tree->first_child[entry] : MC_NONE;
    } else {
        uint32_t parent = tree->parent[entry];
        if (parent == MC_NONE) return MC_NONE;
        uint32_t first = tree->first_child[parent], end = first + tree->child_count[parent];
        next = way == MC_VIEW_NEXT ? entry + 1 : entry - 1;
        if (next < first || next >= end || (way == MC_VIEW_PREVIOUS && entry == first))
            return MC_NONE;
    }
    return next == MC_NONE || mc_tree_is_other(tree, next) ? MC_NONE : tree->node[next];
}

static const char *get_role(const mc_view *view, uint32_t node) {
    return mc_trace_get_nodes(view->session->trace)->child_count[node] == 0 ? "Leaf" : "Group";
}

static uint32_t fill_labels(const mc_view *view, mc_label *labels, uint32_t capacity) {
    (void)view; // names stand in their segments: get_drawing()
    (void)labels;
    (void)capacity;
    return 0;
}

static void fill_legend(mc_view *view, mc_fact_legend *legend) {
    mc_flat_colors_fill_legend(mc_flat_view_of(view), legend);
}

static const mc_drawing *get_drawing(const mc_view *view) {
    const mc_flat_view *self = mc_flat_view_of(view);
    return self->tree ? &self->drawing : NULL;
}

// ---- where one looks from: what is not in sight is drilled into

static void set_viewport(mc_view *view, mc_camera_viewport viewport) {
    (void)view; // the session's is read for every frame
    (void)viewport;
}

static void frame(mc_view *view, uint32_t node, mc_view_framing how) {
    (void)node;
    (void)how;
    mc_view_set_home(view, true);
}

static void frame_group(mc_view *view, const uint32_t *nodes, uint32_t count, mc_view_framing how) {
    (void)how;
    (void)view;
    (void)nodes;
    (void)count;
}

static void refit(mc_view *view) {
    (void)view; // it fills what is free with every frame
}

static void note(const mc_view *view, mc_settings *settings) {
    (void)view; // where one looks from is the root, which the settings say already
    (void)settings;
}

static void go_to(mc_view *view, const mc_settings *settings, bool at_once) {
    (void)at_once;
    mc_view_set_home(view, settings->is_home);
}

// ---- what the user does

// On a small tree: to its step. On a group: into it; on the root: out of it; on a leaf: it is
// selected; on an Other: it opens.
static mc_view_click click(mc_view *view, double x, double y, bool is_double) {
    mc_flat_view *self = mc_flat_view_of(view);
    uint32_t entry = mc_flat_view_pick(self, x, y), node = pick(view, x, y);
    const mc_node_columns *nodes = mc_trace_get_nodes(view->session->trace);
    uint32_t small = mc_flat_steps_find(self, x, y);
    // The first click of two has done it.
    if (is_double) return (mc_view_click){MC_VIEW_CLICK_NOTHING, MC_NONE};
    if (small != MC_NONE) return (mc_view_click){MC_VIEW_CLICK_STEP, self->trees.items[small].step};
    if (entry != MC_NONE && node == MC_NONE)
        return (mc_view_click){MC_VIEW_CLICK_OTHER, self->tree->node[entry]};
    bool is_group = node != MC_NONE && nodes->child_count[node] > 0;
    return (mc_view_click){is_group ? MC_VIEW_CLICK_GROUP : MC_VIEW_CLICK_NODE, node};
}

static void begin_drag(mc_view *view, bool is_primary, double x, double y) {
    (void)view;
    (void)is_primary;
    (void)x;
    (void)y;
}

static void drag_to(mc_view *view, double x, double y) {
    (void)view;
    (void)x;
    (void)y;
}

static void end_drag(mc_view *view) {
    (void)view;
}

// Small trees that have no room all at once.
static void zoom(mc_view *view, double notches, double x, double y) {
    mc_flat_view *self = mc_flat_view_of(view);
    if (notches == 0 || mc_flat_steps_find(self, x, y) == MC_NONE) return;
    mc_flat_steps_scroll(self, notches > 0 ? -1 : 1);
}

static void set_moves(mc_view *view, mc_view_moves moves) {
    (void)view;
    (void)moves;
}

// ---- for scripts

static void put_state(const mc_view *view, mc_print *print) {
    const mc_flat_view *self = mc_flat_view_of(view);
    const mc_tree *tree = self->tree;
    if (!tree) return;
    MC_PRINT(print, {"entries", mc_cell_count(tree->count)},
             {"rows", mc_cell_decimal(self->pane.now.row_count, 0)},
             {"marked", mc_cell_number(self->hits != NULL)},
             {"others", mc_cell_count(tree->other_count)});
    // A place to click on: the first Other in the picture.
    mc_view_place place;
    uint32_t entry = 0;
    while (entry < tree->count &&
           !(mc_tree_is_other(tree, entry) && place_entry(self, entry, &place)))
        entry++;
    if (entry < tree->count)
        mc_print_put(print, "other",
                     MC_LIST(mc_cell_decimal(place.x, 1), mc_cell_decimal(place.y, 1)));
    // And the small trees that are in the picture: step, and where its root is.
    mc_print_begin_list(print, "small");
    for (uint32_t i = 0; i < self->trees.count; i++) {
        const mc_flat_step_tree *item = &self->trees.items[i];
        if (item->plane.row_count == 0) continue;
        double row = self->form == MC_FLAT_SUNBURST ? 0 : 0.5;
        mc_flat_plane_place(&item->plane, (mc_flat_point){row, 0.5}, &place.x, &place.y);
        mc_print_put(print, NULL,
                     MC_LIST(mc_cell_count(item->step), mc_cell_decimal(place.x, 1),
                             mc_cell_decimal(place.y, 1)));
    }
    mc_print_end_list(print);
}

// ---- for pictures

void mc_flat_view_set_picture(mc_view *view, const mc_flat_picture *picture) {
    mc_flat_view *self = mc_flat_view_of(view);
    self->picture = picture;
    self->form = picture->form;
}

mc_flat_sheet *mc_flat_view_get_sheet(mc_view *view) {
    return &mc_flat_view_of(view)->sheet;
}

const mc_flat_pane *mc_flat_view_get_pane(const mc_view *view) {
    return &mc_flat_view_of(view)->pane;
}

const mc_theme *mc_flat_view_get_theme(const mc_view *view) {
    return &mc_flat_view_of(view)->theme;
}

uint64_t mc_flat_view_get_totals(const mc_view *view, const uint64_t **totals) {
    const mc_flat_content *content = view->session->shown->content;
    *totals = content->totals;
    return content->most;
}

#define FLAT_VIEW(kind_name, create_function)                                                     \
    {                                                                                             \
        .name = (kind_name), .create = (create_function), .describe_pointed = describe_pointed,   \
        .destroy = destroy, .lay_out = lay_out, .destroy_content = destroy_content, .show = show, \
        .hide = hide, .renumber = renumber, .sync = sync, .advance = advance, .prepare = prepare, \
        .is_flying = is_never, .is_settling = is_settling, .is_moving = is_settling,              \
        .is_lively = is_never, .is_deriving = is_deriving, .pick = pick, .locate = locate,        \
        .get_neighbour = get_neighbour, .get_role = get_role, .fill_labels = fill_labels,         \
        .fill_legend = fill_legend, .get_drawing = get_drawing, .set_viewport = set_viewport,     \
        .frame = frame, .frame_group = frame_group, .refit = refit, .note = note, .go_to = go_to, \
        .click = click, .begin_drag = begin_drag, .drag_to = drag_to, .end_drag = end_drag,       \
        .zoom = zoom, .set_moves = set_moves, .put_state = put_state,                             \
    }

const mc_view_kind mc_sunburst_view_kind = FLAT_VIEW("sunburst", create_sunburst);
const mc_view_kind mc_icicle_view_kind = FLAT_VIEW("icicle", create_icicle);
