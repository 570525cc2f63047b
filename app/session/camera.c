#include "app/session/camera.h"
#include "engine/scene/camera_math.h"

#define WALL_SHARE 1.0 // of a building's side: nearer to it, its wall would be all one sees

void mc_session_frame_structure(mc_session *session, mc_structure structure, bool at_once) {
    if (!session->city) return;
    bool is_city =
        structure.building == MC_NONE && (structure.district == MC_NONE || structure.district == 0);
    mc_camera_pose pose = session->camera.pose;
    if (is_city) {
        pose = mc_camera_get_preset(&session->camera, MC_CAMERA_CITY);
        structure = MC_STRUCTURE_NONE;
    } else if (pose.elevation_rad < 0.35) {
        pose.elevation_rad = 0.6; // from so low, what stands in front would hide it
    }
    pose = mc_camera_fit_structure(&session->camera, pose, session->city, structure);
    if (at_once) {
        mc_camera_set_pose(&session->camera, &pose);
    } else {
        mc_camera_move_to(&session->camera, &pose);
    }
    session->wish.is_home = is_city;
}

// How near the eye may come to what it looks at, so that something is left to see.
static double get_nearest(const mc_session *session, mc_structure structure) {
    const mc_city *city = session->city;
    double size = fmax((double)city->width, (double)city->depth), nearest = size * 2e-3;
    if (structure.building == MC_NONE) return nearest;
    mc_plot plot = city->building_plot[structure.building];
    double side = fmax((double)plot.x1 - (double)plot.x0, (double)plot.z1 - (double)plot.z0);
    return fmin(fmax(WALL_SHARE * side, size * 1e-3), size * 0.4);
}

// The surface that is drawn at (x, y).
static bool find_surface(const mc_session *session, double x, double y, double point[3],
                         double *nearest) {
    mc_ray ray = mc_camera_get_ray(&session->camera, x, y);
    mc_hit hit = mc_city_pick(session->city, &session->params, session->from, session->to, ray);
    bool nothing = hit.structure.building == MC_NONE && hit.structure.district == MC_NONE;
    if (nothing || !(hit.distance > 0)) return false;
    for (int i = 0; i < 3; i++) {
        point[i] = (double)ray.origin[i] + (double)ray.direction[i] * (double)hit.distance;
    }
    *nearest = get_nearest(session, hit.structure);
    return true;
}

void mc_session_zoom(mc_session *session, double notches, double x, double y) {
    double point[3], nearest;
    if (find_surface(session, x, y, point, &nearest)) {
        mc_camera_zoom_to(&session->camera, notches, point, nearest, x, y);
    } else {
        mc_camera_zoom(&session->camera, notches, x, y);
    }
    session->wish.is_home = false;
}

void mc_session_prepare_camera(mc_session *session) {
    double point[3], nearest, x, y;
    mc_camera_get_free_center(&session->camera.viewport, &x, &y);
    bool closer = session->camera.keys.up < 0;
    bool found = closer && find_surface(session, x, y, point, &nearest);
    mc_camera_set_key_anchor(&session->camera, found ? point : NULL, found ? nearest : 0);
}

static double get_length(const float v[3]) {
    double x = (double)v[0], y = (double)v[1], z = (double)v[2];
    return sqrt(x * x + y * y + z * z);
}

void mc_session_keep_outside(mc_session *session) {
    double x, y, eye[3];
    mc_camera_get_free_center(&session->camera.viewport, &x, &y);
    for (int i = 0; i < 200; i++) {
        mc_camera_get_eye(&session->camera.pose, eye);
        if (eye[1] > (double)session->city->highest_top) return;
        mc_ray ray = mc_camera_get_ray(&session->camera, x, y);
        mc_hit hit = mc_city_pick(session->city, &session->params, session->from, session->to, ray);
        double clear = 5e-3 * (double)session->city->width / fmax(get_length(ray.direction), 1e-9);
        if (hit.structure.building == MC_NONE || (double)hit.distance > clear) return;
        session->camera.pose.distance *= 1.05;
    }
}
