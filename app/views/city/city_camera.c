#include "app/views/city/city_camera.h"
#include "app/session/turn.h"
#include "app/views/city/city_framing.h"
#include "engine/scene/camera_math.h"

#define WALL_SHARE 1.0 // of a building's side: nearer to it, its wall would be all one sees

mc_result mc_city_view_look_from(mc_city_view *self, const char *place, mc_error *error) {
    mc_result result = mc_camera_parse(&self->camera, self->city, place, error);
    if (result == MC_OK) mc_city_view_let_go(self);
    return result;
}

void mc_city_view_go_to(mc_city_view *self, const mc_settings *settings, bool at_once) {
    mc_city_view_let_go(self);
    if (settings->is_home)
        mc_city_view_frame(self, MC_NONE, at_once ? MC_VIEW_AT_ONCE : MC_VIEW_FRAME);
    else if (at_once)
        mc_camera_set_pose(&self->camera, &settings->pose);
    else
        mc_camera_move_to(&self->camera, &settings->pose);
    mc_view_set_home(&self->base, settings->is_home);
}

// How near the eye may come to what it looks at, so that something is left to see.
static double get_nearest(const mc_city_view *self, mc_structure structure) {
    const mc_city *city = self->city;
    double size = fmax((double)city->width, (double)city->depth), nearest = size * 2e-3;
    if (structure.building == MC_NONE) return nearest;
    mc_plot plot = city->building_plot[structure.building];
    double side = fmax((double)plot.x1 - (double)plot.x0, (double)plot.z1 - (double)plot.z0);
    return fmin(fmax(WALL_SHARE * side, size * 1e-3), size * 0.4);
}

// The surface that is drawn at (x, y).
static bool find_surface(const mc_city_view *self, double x, double y, double point[3],
                         double *nearest) {
    mc_ray ray = mc_camera_get_ray(&self->camera, x, y);
    mc_hit hit = mc_city_view_look_along(self, ray);
    bool nothing = hit.structure.building == MC_NONE && hit.structure.district == MC_NONE;
    if (nothing || !(hit.distance > 0)) return false;
    for (int i = 0; i < 3; i++) {
        point[i] = (double)ray.origin[i] + (double)ray.direction[i] * (double)hit.distance;
    }
    *nearest = get_nearest(self, hit.structure);
    return true;
}

void mc_city_view_zoom(mc_city_view *self, double notches, double x, double y) {
    double point[3], nearest;
    if (find_surface(self, x, y, point, &nearest)) {
        mc_camera_zoom_to(&self->camera, notches, point, nearest, x, y);
    } else {
        mc_camera_zoom(&self->camera, notches, x, y);
    }
    mc_city_view_let_go(self);
}

// Before time passes for the keys that are held down.
static void anchor_keys(mc_city_view *self) {
    double point[3], nearest, x, y;
    mc_camera_get_free_center(&self->camera.viewport, &x, &y);
    bool closer = self->camera.keys.up < 0;
    bool found = closer && find_surface(self, x, y, point, &nearest);
    mc_camera_set_key_anchor(&self->camera, found ? point : NULL, found ? nearest : 0);
}

static double get_length(const float v[3]) {
    double x = (double)v[0], y = (double)v[1], z = (double)v[2];
    return sqrt(x * x + y * y + z * z);
}

// Backs out of a building that the eye is in.
static void keep_outside(mc_city_view *self) {
    double x, y, eye[3];
    mc_camera_get_free_center(&self->camera.viewport, &x, &y);
    for (int i = 0; i < 200; i++) {
        mc_camera_get_viewpoint(&self->camera, eye);
        if (eye[1] > (double)self->city->highest_top) return;
        mc_ray ray = mc_camera_get_ray(&self->camera, x, y);
        mc_hit hit = mc_city_view_look_along(self, ray);
        double clear = 5e-3 * (double)self->city->width / fmax(get_length(ray.direction), 1e-9);
        if (hit.structure.building == MC_NONE || (double)hit.distance > clear) return;
        self->camera.pose.distance *= 1.05;
    }
}

void mc_city_view_advance_camera(mc_city_view *self) {
    const mc_session *session = self->base.session;
    self->camera.smooth = session->settings.motion;
    anchor_keys(self);
    bool moves = mc_camera_advance(&self->camera, session->turn.elapsed_s);
    if (moves || mc_session_is_animating(session)) keep_outside(self);
}

void mc_city_view_fit_camera(mc_city_view *self, mc_layout_change change, bool is_other_root) {
    const mc_session *session = self->base.session;
    mc_camera *camera = &self->camera;
    mc_camera_bounds world = mc_camera_bounds_of_city(self->city);
    if (change == MC_LAYOUT_OPENED) {
        mc_camera_viewport viewport = {.width = fmax(session->input.width, 1),
                                       .height = fmax(session->input.height, 1)};
        bool smooth = camera->smooth;
        mc_camera_init(camera, &world, viewport);
        camera->smooth = smooth;
        mc_city_view_frame(self, MC_NONE, MC_VIEW_AT_ONCE);
        return;
    }
    // A move that is under way goes on to what it was to.
    bool is_whole = self->framing.kind == MC_CITY_FRAMED_WHOLE && !session->settings.is_home;
    bool goes_on = mc_camera_is_moving(camera) && session->settings.motion;
    mc_camera_pose goal = mc_camera_get_goal(camera);
    // What transitions begins where it was, so the eye begins there, too; a recording's ground is
    // the same.
    if (change == MC_LAYOUT_GROWN || is_other_root)
        camera->world = world;
    else
        mc_camera_set_world(camera, &world);
    if (is_other_root && session->settings.is_home) {
        mc_city_view_frame_other(self);
        return;
    }
    bool is_gentle = change == MC_LAYOUT_GROWN && session->settings.motion;
    if (session->settings.is_home)
        mc_city_view_frame(self, MC_NONE, is_gentle ? MC_VIEW_FRAME : MC_VIEW_AT_ONCE);
    else if (is_whole)
        mc_city_view_fit_whole(self, &goal, !goes_on && !is_gentle);
}

mc_camera mc_city_view_get_uncovered(const mc_city_view *self) {
    mc_camera camera = self->camera;
    mc_camera_viewport viewport = {.width = camera.viewport.width,
                                   .height = camera.viewport.height};
    mc_camera_set_viewport(&camera, viewport);
    if (self->base.session->settings.is_home) {
        mc_camera_pose pose = mc_camera_get_preset(&camera, MC_CAMERA_CITY);
        pose = mc_camera_fit_structure(&camera, pose, self->city, MC_STRUCTURE_NONE);
        mc_camera_set_pose(&camera, &pose);
    }
    return camera;
}
