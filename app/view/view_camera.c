#include "app/view/view_state.h"
#include "engine/scene/camera_math.h"

#define WALL_SHARE 1.0 // of a building's side: nearer to it, its wall would be all one sees

// How near the eye may come to what it looks at, so that something is left to see.
static double get_nearest(const mc_view *view, mc_structure structure) {
    const mc_city *city = view->city;
    double size = fmax((double)city->width, (double)city->depth), nearest = size * 2e-3;
    if (structure.building == MC_NONE) return nearest;
    mc_plot plot = city->building_plot[structure.building];
    double side = fmax((double)plot.x1 - (double)plot.x0, (double)plot.z1 - (double)plot.z0);
    return fmin(fmax(WALL_SHARE * side, size * 1e-3), size * 0.4);
}

// The surface that is drawn at (x, y).
static bool find_surface(const mc_view *view, double x, double y, double point[3],
                         double *nearest) {
    mc_ray ray = mc_camera_get_ray(&view->camera, x, y);
    mc_hit hit = mc_city_pick(view->city, &view->params, view->from, view->to, ray);
    bool nothing = hit.structure.building == MC_NONE && hit.structure.district == MC_NONE;
    if (nothing || !(hit.distance > 0)) return false;
    for (int i = 0; i < 3; i++) {
        point[i] = (double)ray.origin[i] + (double)ray.direction[i] * (double)hit.distance;
    }
    *nearest = get_nearest(view, hit.structure);
    return true;
}

void mc_view_zoom(mc_view *view, double notches, double x, double y) {
    double point[3], nearest;
    if (find_surface(view, x, y, point, &nearest)) {
        mc_camera_zoom_to(&view->camera, notches, point, nearest, x, y);
    } else {
        mc_camera_zoom(&view->camera, notches, x, y);
    }
    view->wish.is_home = false;
}

void mc_view_prepare_camera(mc_view *view) {
    double point[3], nearest, x, y;
    mc_camera_get_free_center(&view->camera.viewport, &x, &y);
    bool closer = view->keys_down[MC_VIEW_MOVE_DOWN];
    bool found = closer && find_surface(view, x, y, point, &nearest);
    mc_camera_set_key_anchor(&view->camera, found ? point : NULL, found ? nearest : 0);
}

static double get_length(const float v[3]) {
    double x = (double)v[0], y = (double)v[1], z = (double)v[2];
    return sqrt(x * x + y * y + z * z);
}

void mc_view_keep_outside(mc_view *view) {
    double x, y, eye[3];
    mc_camera_get_free_center(&view->camera.viewport, &x, &y);
    for (int i = 0; i < 200; i++) {
        mc_camera_get_eye(&view->camera.pose, eye);
        if (eye[1] > (double)view->city->highest_top) return;
        mc_ray ray = mc_camera_get_ray(&view->camera, x, y);
        mc_hit hit = mc_city_pick(view->city, &view->params, view->from, view->to, ray);
        double clear = 5e-3 * (double)view->city->width / fmax(get_length(ray.direction), 1e-9);
        if (hit.structure.building == MC_NONE || (double)hit.distance > clear) return;
        view->camera.pose.distance *= 1.05;
    }
}
