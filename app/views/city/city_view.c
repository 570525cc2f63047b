#include "app/views/city/city_view.h"

#include "app/session/gc_roots.h"
#include "app/session/unit.h"
#include "app/views/city/city_camera.h"
#include "app/views/city/city_framing.h"
#include "app/views/city/city_frustums.h"
#include "app/views/city/city_labels.h"
#include "app/views/city/city_pointing.h"
#include "app/views/city/city_roots.h"
#include "app/views/city/city_styles.h"
#include "app/views/city/city_transition.h"
#include "app/views/city/city_view_state.h"
#include "engine/base/memory.h"
#include "engine/city/city_layout.h"

// ---- layouts

static mc_result lay_out(mc_layout *layout, const mc_settings *settings, double headroom,
                         const mc_layout *before, const mc_progress *progress, mc_error *error) {
    const mc_trace *trace = layout->dataset->trace;
    mc_city_desc desc;
    mc_city *city;
    mc_result result = mc_command_resolve_layout(&settings->layout, trace, &desc, NULL, error);
    if (result != MC_OK) return result;
    desc.root_node = settings->root_node;
    desc.headroom = headroom;
    result =
        mc_city_create_next(before ? before->content : NULL, trace, &desc, progress, &city, error);
    if (result != MC_OK) return result;
    layout->content = city;
    layout->metric = desc.metric;
    layout->window = desc.window;
    layout->root_node = desc.root_node;
    layout->nodes = city->building_node;
    layout->node_count = city->building_count;
    layout->half_count = city->half_count;
    layout->largest_growth = city->largest_growth;
    layout->hidden_leaf_count = city->hidden_leaf_count;
    layout->hidden_share = city->hidden_share;
    return mc_label_find_growers(trace, city, layout->growers, &layout->grower_count, error);
}

static void destroy_content(void *content) {
    mc_city_destroy(content);
}

// What is of the city that is shown goes; whoever draws has a copy.
static void forget(mc_city_view *self) {
    mc_city_view_forget_styles(self);
    mc_city_view_drop_frustums(self);
    mc_city_view_drop_roots(self);
}

static void show(mc_view *view, mc_layout *layout, mc_layout_change change) {
    mc_city_view *self = mc_city_view_of(view);
    mc_city *city = layout->content;
    const uint32_t *came_from = layout->came_from;
    bool is_other_root = self->city && !came_from && // nodes are numbered otherwise
                         self->city->desc.root_node != city->desc.root_node;
    // Plots do, nodes as well.
    bool stays = self->city && !came_from &&
                 (change == MC_LAYOUT_GROWN ? mc_city_has_plots_of(self->city, city)
                                            : mc_city_shares_plan(self->city, city));
    if (change == MC_LAYOUT_OPENED)
        mc_city_view_end_transition(self);
    else if (stays)
        mc_city_view_keep_transition(self, city);
    else
        mc_city_view_begin_transition(self, city, came_from);
    forget(self);
    self->city = city;
    mc_city_view_begin_roots(self);
    if (change == MC_LAYOUT_OPENED || came_from) mc_city_view_drop_nodes(self);
    self->params.blend = 1;
    mc_city_view_fit_camera(self, change, is_other_root);
}

static void hide(mc_view *view) {
    mc_city_view *self = mc_city_view_of(view);
    mc_city_view_end_transition(self);
    forget(self);
    self->city = NULL;
}

// The one reader of the city, styles, is waited for.
static mc_result renumber(mc_view *view, mc_layout *layout, const uint32_t *map, uint32_t map_count,
                          uint32_t node_count, mc_error *error) {
    mc_city_view *self = mc_city_view_of(view);
    mc_city_view_end_styles(self);
    mc_result result = mc_city_view_begin_styles(self, error);
    if (result == MC_OK) result = mc_city_renumber(self->city, map, map_count, node_count, error);
    layout->nodes = self->city->building_node;
    return result;
}

// ---- beginning and end

static void destroy(mc_view *view) {
    mc_city_view *self = mc_city_view_of(view);
    mc_city_view_end_styles(self);
    mc_city_view_drop_frustums(self);
    mc_free(self);
}

static mc_result create(const mc_session *session, mc_view **view, mc_error *error) {
    static const mc_camera_bounds unit = {{0, 0, 0}, {1, 1, 1}};
    mc_city_view *self = mc_alloc_zero(1, sizeof *self);
    *view = &self->base;
    if (!self) return mc_error_out_of_memory(error);
    self->base = (mc_view){&mc_city_view_kind, session};
    self->transition_elapsed_s = -1;
    self->hovered_marker = MC_NONE;
    mc_camera_init(&self->camera, &unit, session->viewport);
    mc_city_view_drop_frustums(self);
    return mc_city_view_begin_styles(self, error);
}

// ---- time

static void sync(mc_view *view) {
    mc_city_view_sync_styles(mc_city_view_of(view));
    mc_city_view_sync_framing(mc_city_view_of(view));
}

static void advance(mc_view *view) {
    mc_city_view_advance_camera(mc_city_view_of(view));
    mc_city_view_advance_transition(mc_city_view_of(view));
}

static void prepare(mc_view *view) {
    mc_city_view_update_roots(mc_city_view_of(view));
    mc_city_view_update_params(mc_city_view_of(view));
    mc_city_view_update_beacons(mc_city_view_of(view));
    mc_city_view_update_frustums(mc_city_view_of(view));
}

static bool is_flying(const mc_view *view) {
    const mc_city_view *self = mc_city_view_of(view);
    return mc_camera_is_moving(&self->camera) || self->due.kind != MC_CITY_FRAMED_NOTHING;
}

static bool is_settling(const mc_view *view) {
    return mc_city_view_of(view)->transition_elapsed_s >= 0;
}

static bool is_moving(const mc_view *view) {
    return is_flying(view) || is_settling(view);
}

static bool is_lively(const mc_view *view) {
    return mc_city_view_has_moving_arrows(mc_city_view_of(view));
}

static bool is_deriving(const mc_view *view) {
    return mc_slot_is_busy(mc_city_view_of(view)->styles.slot);
}

// ---- nodes

static uint32_t pick(const mc_view *view, double x, double y) {
    return mc_city_view_pick(mc_city_view_of(view), x, y);
}

static uint32_t pick_reference(const mc_view *view) {
    return mc_city_view_get_pointed_link(mc_city_view_of(view));
}

static bool describe_pointed(const mc_view *view, mc_text *title, mc_text *text) {
    const mc_city_view *self = mc_city_view_of(view);
    if (self->hovered_marker >= mc_session_get_root_groups(view->session)->count) return false;
    mc_session_append_root(view->session, self->hovered_marker, title, text);
    return true;
}

static bool locate(const mc_view *view, uint32_t node, mc_view_place *place) {
    return mc_city_view_locate(mc_city_view_of(view), node, place);
}

static uint32_t get_neighbour(const mc_view *view, uint32_t node, mc_view_way way) {
    return mc_city_view_get_neighbour(mc_city_view_of(view), node, way);
}

static const char *get_role(const mc_view *view, uint32_t node) {
    mc_structure structure = mc_city_view_find(mc_city_view_of(view), node);
    if (structure.building == MC_NONE && structure.district == MC_NONE)
        return "Not shown in this city";
    bool is_leaf = mc_trace_get_nodes(view->session->trace)->child_count[node] == 0;
    return is_leaf ? "Building" : "District";
}

static uint32_t fill_labels(const mc_view *view, mc_label *labels, uint32_t capacity) {
    return mc_city_view_fill_labels(mc_city_view_of(view), labels, capacity);
}

static void fill_legend(mc_view *view, mc_fact_legend *legend) {
    mc_city_view_fill_legend(mc_city_view_of(view), legend);
    mc_city_view_fill_unit_legend(mc_city_view_of(view), legend);
    mc_city_view_fill_join_legend(mc_city_view_of(view), legend);
    mc_city_view_fill_root_legend(mc_city_view_of(view), legend);
}

// ---- where one looks from

static void set_viewport(mc_view *view, mc_camera_viewport viewport) {
    mc_camera_set_viewport(&mc_city_view_of(view)->camera, viewport);
}

static void frame(mc_view *view, uint32_t node, mc_view_framing how) {
    mc_city_view_frame(mc_city_view_of(view), node, how);
}

static void frame_group(mc_view *view, const uint32_t *nodes, uint32_t count, mc_view_framing how) {
    mc_city_view_frame_group(mc_city_view_of(view), nodes, count, how);
}

static void refit(mc_view *view) {
    mc_city_view_refit(mc_city_view_of(view));
}

static void toggle_bird(mc_view *view) {
    mc_city_view_toggle_bird(mc_city_view_of(view));
}

static mc_result look_from(mc_view *view, const char *place, mc_error *error) {
    return mc_city_view_look_from(mc_city_view_of(view), place, error);
}

static void note(const mc_view *view, mc_settings *settings) {
    settings->pose = mc_city_view_of(view)->camera.pose;
}

static void go_to(mc_view *view, const mc_settings *settings, bool at_once) {
    mc_city_view_go_to(mc_city_view_of(view), settings, at_once);
}

// ---- what the user does

static mc_view_click click(mc_view *view, double x, double y, bool is_double) {
    return mc_city_view_click(mc_city_view_of(view), x, y, is_double);
}

static void begin_drag(mc_view *view, bool is_primary, double x, double y) {
    mc_camera_drag drag = is_primary ? MC_CAMERA_DRAG_MOVE : MC_CAMERA_DRAG_TURN;
    mc_camera_begin_drag(&mc_city_view_of(view)->camera, drag, x, y);
    mc_city_view_let_go(mc_city_view_of(view));
}

static void drag_to(mc_view *view, double x, double y) {
    mc_camera_drag_to(&mc_city_view_of(view)->camera, x, y);
}

static void end_drag(mc_view *view) {
    mc_camera_end_drag(&mc_city_view_of(view)->camera);
}

static void zoom(mc_view *view, double notches, double x, double y) {
    mc_city_view_zoom(mc_city_view_of(view), notches, x, y);
}

static void set_moves(mc_view *view, mc_view_moves moves) {
    if (mc_camera_has_keys(&moves)) mc_city_view_let_go(mc_city_view_of(view));
    mc_camera_set_keys(&mc_city_view_of(view)->camera, moves);
}

// ---- for scripts

static void put_state(const mc_view *view, mc_print *print) {
    const mc_city_view *self = mc_city_view_of(view);
    const mc_city_styles *styles = &self->styles;
    const mc_styles *now = styles->source ? mc_style_source_get(styles->source) : NULL;
    const double *target = self->camera.pose.target;
    double eye[3];
    mc_session_unit_part unit[MC_UNIT_MARK_CAPACITY];
    mc_camera_get_eye(&self->camera.pose, eye);
    mc_color_mode mode = now ? now->color_mode : MC_COLOR_MODE_GROWTH;
    const char *color_by = mode < MC_COLOR_MODE_COUNT         ? mc_color_mode_names[mode]
                           : mode == MC_COLOR_MODE_DIFFERENCE ? "difference"
                                                              : "pin";
    MC_PRINT(print, {"buildings", mc_cell_count(self->city->building_count)},
             {"districts", mc_cell_count(self->city->district_count)},
             {"eye", MC_LIST(mc_cell_decimal(eye[0], 3), mc_cell_decimal(eye[1], 3),
                             mc_cell_decimal(eye[2], 3))},
             {"target", MC_LIST(mc_cell_decimal(target[0], 3), mc_cell_decimal(target[1], 3),
                                mc_cell_decimal(target[2], 3))},
             {"root_markers", mc_cell_count(self->markers.count)},
             {"beacons", mc_cell_count(self->beacons.count)},
             {"unit", mc_cell_count(mc_session_list_unit(self->base.session, unit))},
             {"color_by", mc_cell_text(color_by)},
             {"height_by",
              mc_cell_text(mc_height_mode_names[now ? styles->shown.mapping.height_mode : 0])},
             {"marked", mc_cell_number(now && now->is_marking ? (int)now->marked_count : -1)});
}

const mc_view_kind mc_city_view_kind = {
    .name = "city",
    .create = create,
    .destroy = destroy,
    .lay_out = lay_out,
    .destroy_content = destroy_content,
    .show = show,
    .hide = hide,
    .renumber = renumber,
    .sync = sync,
    .advance = advance,
    .prepare = prepare,
    .is_flying = is_flying,
    .is_settling = is_settling,
    .is_moving = is_moving,
    .is_lively = is_lively,
    .is_deriving = is_deriving,
    .pick = pick,
    .pick_reference = pick_reference,
    .describe_pointed = describe_pointed,
    .locate = locate,
    .get_neighbour = get_neighbour,
    .get_role = get_role,
    .fill_labels = fill_labels,
    .fill_legend = fill_legend,
    .set_viewport = set_viewport,
    .frame = frame,
    .frame_group = frame_group,
    .refit = refit,
    .toggle_bird = toggle_bird,
    .look_from = look_from,
    .note = note,
    .go_to = go_to,
    .click = click,
    .begin_drag = begin_drag,
    .drag_to = drag_to,
    .end_drag = end_drag,
    .zoom = zoom,
    .set_moves = set_moves,
    .put_state = put_state,
};
