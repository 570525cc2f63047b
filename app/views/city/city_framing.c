#include "app/views/city/city_framing.h"

#include "app/answers/slot.h"
#include "engine/scene/camera_math.h"
#include <string.h>

#define LOW_RAD 0.35 // from so low, what stands in front would hide what is framed
#define RAISED_RAD 0.6
#define SAME_RAD 1e-3
#define MOST_PARTNERS 3   // that are framed with a structure
#define LEAST_PIXELS 20.0 // of a building, or its partners are not worth it
#define MOST_FARTHER 1.5  // for the sake of the whole ground, or its corner would be cut off
#define ARC_POINTS 5      // of a frustum, its ends among them

enum { MOST_BOXES = MC_WALK_MOST_STOPS * (ARC_POINTS + 2) + 2 };

typedef struct box_list {
    mc_camera_bounds boxes[MOST_BOXES];
    uint32_t count;
} box_list;

static bool is_structure(mc_structure structure) {
    return structure.building != MC_NONE || structure.district != MC_NONE;
}

static void add_box(box_list *list, const mc_camera_bounds *box) {
    if (list->count < MOST_BOXES) list->boxes[list->count++] = *box;
}

static void add_end(const mc_city_view *self, box_list *list, uint32_t box_index) {
    if (box_index >= self->city->building_count) return; // its point is enough
    mc_camera_bounds box =
        mc_camera_bounds_of(self->city, (mc_structure){box_index, .district = MC_NONE});
    add_box(list, &box);
}

static void add_frustum(const mc_city_view *self, box_list *list, const mc_frustum *frustum) {
    const mc_session *session = self->base.session;
    mc_frustum_shape shape = mc_frustum_get_shape(self->city, &self->params, session->counts.from,
                                                  session->counts.to, frustum);
    double radius = fmax((double)shape.from_radius, (double)shape.to_radius);
    for (int i = 0; i < ARC_POINTS; i++) {
        vec3 point;
        mc_camera_bounds box;
        mc_frustum_shape_get_point(&shape, (float)i / (ARC_POINTS - 1), point);
        mc_dvec3_from(point, box.min);
        mc_dvec3_from(point, box.max);
        box.max[1] += radius;
        add_box(list, &box);
    }
    add_end(self, list, frustum->from_box);
    add_end(self, list, frustum->to_box);
}

static bool is_of(mc_city_framed kind, const mc_frustum *frustum) {
    if (kind == MC_CITY_FRAMED_GROUP) return frustum->kind == MC_FRUSTUM_CHAIN;
    return frustum->kind == MC_FRUSTUM_INCOMING || frustum->kind == MC_FRUSTUM_OUTGOING;
}

// What is drawn comes strongest first. A group has the arcs of the walk, or, of what is selected,
// its partners.
static void add_frustums(const mc_city_view *self, const mc_city_framing *framing, box_list *list) {
    const mc_frustums *frustums = &self->frustums.frustums;
    mc_city_framed kind = framing->kind;
    if (kind == MC_CITY_FRAMED_GROUP && !self->base.session->walk.is_shown)
        kind = MC_CITY_FRAMED_STRUCTURE;
    bool is_walk = kind == MC_CITY_FRAMED_GROUP;
    uint32_t left = is_walk ? MC_WALK_MOST_STOPS : framing->is_alone ? 0 : MOST_PARTNERS;
    const mc_asked *asked = self->base.session->asked[MC_QUERY_REFERENCES];
    uint32_t found = ((const mc_references_key *)mc_asked_get_key(asked))->node;
    if (!is_walk && (framing->count > 1 ? found == MC_NONE : found != framing->nodes[0])) return;
    for (uint32_t i = 0; i < frustums->count && left > 0; i++) {
        if (!is_of(kind, &frustums->items[i])) continue;
        add_frustum(self, list, &frustums->items[i]);
        left--;
    }
}

static void fill_boxes(const mc_city_view *self, const mc_city_framing *framing, box_list *list) {
    list->count = 0;
    for (uint32_t i = 0; i < framing->count; i++) {
        mc_structure structure = mc_city_view_find(self, framing->nodes[i]);
        if (!is_structure(structure)) continue;
        mc_camera_bounds box = mc_camera_bounds_of(self->city, structure);
        add_box(list, &box);
    }
    if (list->count > 0) add_frustums(self, framing, list);
}

// How large a box is drawn, along the longer side.
static double get_extent(const mc_camera *camera, const mc_camera_bounds *box) {
    double low[2] = {INFINITY, INFINITY}, high[2] = {-INFINITY, -INFINITY};
    for (int i = 0; i < 8; i++) {
        double point[3], at[2];
        for (int axis = 0; axis < 3; axis++)
            point[axis] = i >> axis & 1 ? box->max[axis] : box->min[axis];
        if (!mc_camera_project(camera, point, &at[0], &at[1])) return 0;
        for (int axis = 0; axis < 2; axis++) {
            low[axis] = fmin(low[axis], at[axis]);
            high[axis] = fmax(high[axis], at[axis]);
        }
    }
    return fmax(high[0] - low[0], high[1] - low[1]);
}

static bool is_large(const mc_city_view *self, mc_camera_pose pose, const mc_camera_bounds *box) {
    mc_camera camera = self->camera;
    mc_camera_set_pose(&camera, &pose);
    return get_extent(&camera, box) >= LEAST_PIXELS * self->base.session->input.pixel_scale;
}

static bool is_shown(const mc_city_view *self, const box_list *list) {
    mc_camera camera = self->camera;
    mc_camera_pose goal = mc_camera_get_goal(&camera);
    mc_camera_set_pose(&camera, &goal);
    return mc_camera_shows(&camera, list->boxes, list->count) &&
           is_large(self, goal, &list->boxes[0]);
}

// ---- poses

static mc_camera_pose get_angles(const mc_city_view *self) {
    if (self->base.session->settings.is_home)
        return mc_camera_get_preset(&self->camera, MC_CAMERA_CITY);
    mc_camera_pose pose = mc_camera_get_goal(&self->camera);
    if (pose.elevation_rad < LOW_RAD) pose.elevation_rad = RAISED_RAD;
    return pose;
}

// Where that takes hardly more room, the ground that all stands on is seen, too.
static mc_camera_pose fit_with_ground(const mc_city_view *self, mc_camera_pose from,
                                      const box_list *list) {
    box_list with = *list;
    mc_camera_bounds ground = mc_camera_bounds_of_city(self->city);
    ground.max[1] = ground.min[1];
    add_box(&with, &ground);
    mc_camera_pose near = mc_camera_fit(&self->camera, from, list->boxes, list->count);
    mc_camera_pose far = mc_camera_fit(&self->camera, from, with.boxes, with.count);
    return far.distance <= MOST_FARTHER * near.distance ? far : near;
}

// False: there is nothing to frame.
static bool get_pose(const mc_city_view *self, const mc_city_framing *framing, const box_list *list,
                     mc_camera_pose *pose) {
    const mc_camera *camera = &self->camera;
    *pose = get_angles(self);
    if (framing->kind == MC_CITY_FRAMED_WHOLE) {
        *pose = mc_camera_fit_structure(camera, *pose, self->city, MC_STRUCTURE_NONE);
        return true;
    }
    if (list->count == 0) return false;
    bool has_partners = list->count > framing->count || framing->count > 1;
    if (framing->kind == MC_CITY_FRAMED_GROUP)
        *pose = fit_with_ground(self, *pose, list);
    else if (has_partners)
        *pose = mc_camera_fit(camera, *pose, list->boxes, list->count);
    bool is_worth_it = framing->count > 1 || is_large(self, *pose, &list->boxes[0]);
    mc_structure structure = mc_city_view_find(self, framing->nodes[0]);
    if (framing->is_alone && structure.building != MC_NONE)
        *pose = mc_camera_fit(camera, *pose, list->boxes, 1);
    else if (!has_partners || !is_worth_it)
        *pose = mc_camera_fit_structure(camera, *pose, self->city, structure);
    return true;
}

// ---- what is framed

static const mc_city_framing nothing = {.kind = MC_CITY_FRAMED_NOTHING};
static const mc_city_framing whole = {.kind = MC_CITY_FRAMED_WHOLE};

static void move_to(mc_city_view *self, const mc_camera_pose *pose, bool at_once) {
    if (at_once)
        mc_camera_set_pose(&self->camera, pose);
    else
        mc_camera_move_to(&self->camera, pose);
}

static void go(mc_city_view *self, const mc_city_framing *framing, const box_list *list,
               bool at_once) {
    mc_camera_pose pose;
    if (!get_pose(self, framing, list, &pose)) return;
    self->framing = *framing;
    move_to(self, &pose, at_once);
}

// Does what is due.
static void bring(mc_city_view *self, bool at_once) {
    box_list list;
    mc_city_framing due = self->due;
    self->due = nothing;
    fill_boxes(self, &due, &list);
    if (list.count == 0 || (due.only_if_needed && is_shown(self, &list))) return;
    mc_view_set_home(&self->base, false);
    go(self, &due, &list, at_once);
}

static void want(mc_city_view *self, mc_city_framed kind, const uint32_t *nodes, uint32_t count) {
    self->due = nothing;
    self->due.kind = kind;
    self->due.count = count < MC_WALK_MOST_STOPS ? count : MC_WALK_MOST_STOPS;
    memcpy(self->due.nodes, nodes, self->due.count * sizeof *nodes);
}

void mc_city_view_frame(mc_city_view *self, uint32_t node, mc_view_framing how) {
    if (!self->city) return;
    mc_structure structure = mc_city_view_find(self, node);
    bool is_city = !is_structure(structure) || structure.district == 0;
    if (is_city) {
        if (how == MC_VIEW_SHOW && !is_structure(structure)) return; // it is nowhere to be shown
        mc_view_set_home(&self->base, true);
        self->due = nothing;
        go(self, &whole, NULL, how == MC_VIEW_AT_ONCE);
        return;
    }
    const mc_city_framing *now = &self->framing;
    bool is_again =
        now->kind == MC_CITY_FRAMED_STRUCTURE && now->nodes[0] == node && !now->is_alone;
    want(self, MC_CITY_FRAMED_STRUCTURE, &node, 1);
    // Whoever asks again wants to see it nearer.
    self->due.is_alone = how == MC_VIEW_FRAME && is_again;
    self->due.only_if_needed = how == MC_VIEW_SHOW;
    if (how == MC_VIEW_AT_ONCE) bring(self, true);
    mc_view_redraw(&self->base);
}

void mc_city_view_frame_group(mc_city_view *self, const uint32_t *nodes, uint32_t count,
                              mc_view_framing how) {
    if (!self->city || count == 0) return;
    want(self, MC_CITY_FRAMED_GROUP, nodes, count);
    self->due.only_if_needed = how == MC_VIEW_SHOW;
    mc_view_redraw(&self->base);
}

// Whoever looks straight down or along the ground goes on to.
void mc_city_view_frame_other(mc_city_view *self) {
    mc_camera_pose now = mc_camera_get_goal(&self->camera);
    mc_camera_pose usual = mc_camera_get_preset(&self->camera, MC_CAMERA_CITY);
    double turn = remainder(now.azimuth_rad - usual.azimuth_rad, 2 * MC_CAMERA_PI);
    double tilt = now.elevation_rad - usual.elevation_rad;
    mc_view_set_home(&self->base, fabs(turn) < SAME_RAD && fabs(tilt) < SAME_RAD);
    self->due = nothing;
    go(self, &whole, NULL, !self->base.session->settings.motion);
}

void mc_city_view_toggle_bird(mc_city_view *self) {
    mc_camera_toggle_bird(&self->camera, self->city);
    mc_city_view_let_go(self);
    if (self->camera.has_before_bird) self->framing = whole;
}

void mc_city_view_let_go(mc_city_view *self) {
    mc_view_set_home(&self->base, false);
    self->framing = self->due = nothing;
}

void mc_city_view_drop_nodes(mc_city_view *self) {
    self->due = nothing;
    if (self->framing.kind != MC_CITY_FRAMED_WHOLE) self->framing = nothing;
}

void mc_city_view_fit_whole(mc_city_view *self, const mc_camera_pose *angles, bool at_once) {
    mc_camera_pose pose = self->camera.pose;
    pose.azimuth_rad = angles->azimuth_rad;
    pose.elevation_rad = angles->elevation_rad;
    pose = mc_camera_fit_structure(&self->camera, pose, self->city, MC_STRUCTURE_NONE);
    move_to(self, &pose, at_once);
}

// ---- when

// What is drawn between the structures is known.
static bool is_ready(const mc_city_view *self) {
    const mc_session *session = self->base.session;
    const mc_asked *references = session->asked[MC_QUERY_REFERENCES];
    const mc_references_key *found = mc_asked_get_key(references);
    const mc_city_frustum_key *key = &self->frustums.key;
    bool is_group = self->due.kind == MC_CITY_FRAMED_GROUP;
    if (is_group && session->walk.is_shown)
        return key->city == self->city && key->walk_version == session->walk.version;
    uint32_t node = is_group ? mc_session_get_selected(session) : self->due.nodes[0];
    if (session->walk.is_shown || mc_session_get_selected(session) != node) return true;
    if (found->node != node) return !mc_asked_is_busy(references);
    return key->city == self->city && key->version == mc_asked_get_version(references);
}

void mc_city_view_sync_framing(mc_city_view *self) {
    if (self->due.kind == MC_CITY_FRAMED_NOTHING || !self->city || !is_ready(self)) return;
    bring(self, false);
}

void mc_city_view_refit(mc_city_view *self) {
    if (!self->city || self->framing.kind == MC_CITY_FRAMED_NOTHING) return;
    box_list list;
    mc_camera_pose pose;
    fill_boxes(self, &self->framing, &list);
    if (!get_pose(self, &self->framing, &list, &pose)) return;
    // Nobody's move: it is not undone by itself.
    if (!mc_camera_is_moving(&self->camera)) mc_view_absorb_move(&self->base);
    mc_camera_redirect(&self->camera, &pose);
}
