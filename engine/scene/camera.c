#include "engine/scene/camera.h"

#include "engine/scene/camera_math.h"
#include <string.h>

#define FOV_RAD (45.0 * MC_CAMERA_PI / 180.0)
#define MIN_ELEVATION_RAD (2.0 * MC_CAMERA_PI / 180.0)
#define SAME_SHARE 1e-6 // of the distance, and in radians
#define MOVE_DURATION_S 0.35
#define INERTIA_S 0.14  // a released drag loses 63 % of its speed in this time
#define ZOOM_S 0.07     // the wheel's steps are taken up in about three times this
#define MEASURE_S 0.04  // over which a drag's speed is averaged
#define KEY_EASE_S 0.08 // until a held key moves at its full speed
#define KEY_SPEED 0.9   // distances a second
#define KEY_ZOOM_SPEED 1.1
#define KEY_TURN_SPEED 1.2 // radians a second
#define ZOOM_PER_NOTCH 0.17
// Rays flatter than this are bent down before they grip the ground: near the horizon a pixel would
// move the city by its whole length.
#define FLATTEST_GRIP 0.02
// From here up to straight down, pictures become parallel: the eye of the latter is so many times
// the distance and the world's size away that a tower leans by less than two pixels, and rays can
// still be told apart in single precision.
#define STEEP_RAD (55.0 * MC_CAMERA_PI / 180.0)
#define FARNESS 40.0

double mc_camera_get_world_size(const mc_camera *camera) {
    double size = 0;
    for (int i = 0; i < 3; i++)
        size = fmax(size, camera->world.max[i] - camera->world.min[i]);
    return size > 0 ? size : 1;
}

mc_camera_lens mc_camera_get_lens(const mc_camera *camera, const mc_camera_pose *pose) {
    double t = (pose->elevation_rad - STEEP_RAD) / (MC_CAMERA_PI / 2 - STEEP_RAD);
    double share = t <= 0 ? 0 : t >= 1 ? 1 : t * t * (3 - 2 * t);
    double far = FARNESS * (1 + mc_camera_get_world_size(camera) / pose->distance);
    double stretch = share > 0 ? pow(far, share) : 1;
    return (mc_camera_lens){
        .stretch = stretch,
        .distance = stretch * pose->distance,
        .focal = stretch * camera->viewport.height / 2 / tan(camera->fov_rad / 2),
    };
}

void mc_camera_get_eye(const mc_camera_pose *pose, double eye[3]) {
    mc_camera_axes a = mc_camera_get_axes(pose->azimuth_rad, pose->elevation_rad);
    memcpy(eye, pose->target, sizeof pose->target);
    mc_dvec3_muladds(a.forward, -pose->distance, eye);
}

void mc_camera_get_viewpoint(const mc_camera *camera, double eye[3]) {
    const mc_camera_pose *pose = &camera->pose;
    mc_camera_axes a = mc_camera_get_axes(pose->azimuth_rad, pose->elevation_rad);
    memcpy(eye, pose->target, sizeof pose->target);
    mc_dvec3_muladds(a.forward, -mc_camera_get_lens(camera, pose).distance, eye);
}

double mc_camera_get_focal(const mc_camera *camera) {
    return mc_camera_get_lens(camera, &camera->pose).focal;
}

static void clamp_target(const mc_camera *camera, double target[3]) {
    double margin = mc_camera_get_world_size(camera) * 0.1;
    for (int i = 0; i < 3; i++) {
        double low = camera->world.min[i] - (i == 1 ? 0 : margin);
        double high = camera->world.max[i] + (i == 1 ? 0 : margin);
        target[i] = mc_camera_clamp(target[i], low, high);
    }
}

// Moves the target towards `to`, along the straight line from `from`, as far as the limits let it:
// clamping each axis on its own would make what is dragged slip sideways. False: not all the way.
static bool move_target(mc_camera *camera, const double from[3], const double to[3]) {
    double margin = mc_camera_get_world_size(camera) * 0.1, share = 1;
    for (int i = 0; i < 3; i += 2) {
        // A view from text may begin outside of the limits.
        double low = fmin(camera->world.min[i] - margin, from[i]);
        double high = fmax(camera->world.max[i] + margin, from[i]);
        if (to[i] < low) share = fmin(share, (low - from[i]) / (to[i] - from[i]));
        if (to[i] > high) share = fmin(share, (high - from[i]) / (to[i] - from[i]));
    }
    for (int i = 0; i < 3; i += 2) {
        camera->pose.target[i] = from[i] + (to[i] - from[i]) * share;
    }
    return share == 1;
}

static void get_distance_limits(const mc_camera *camera, double *nearest, double *farthest) {
    double size = mc_camera_get_world_size(camera);
    mc_camera_pose whole = mc_camera_fit(camera, camera->pose, &camera->world, 1);
    *nearest = size * 2e-4;
    *farthest = fmax(1.6 * whole.distance, 2.5 * size);
}

static double clamp_elevation(double elevation) {
    return mc_camera_clamp(elevation, MIN_ELEVATION_RAD, MC_CAMERA_PI / 2);
}

static void stop(mc_camera *camera) {
    camera->move_elapsed_s = -1;
    memset(camera->velocity, 0, sizeof camera->velocity);
    memset(camera->turn_velocity, 0, sizeof camera->turn_velocity);
    camera->zoom_remaining = 0;
}

void mc_camera_init(mc_camera *camera, const mc_camera_bounds *world, mc_camera_viewport viewport) {
    memset(camera, 0, sizeof *camera);
    camera->world = *world;
    camera->viewport = viewport;
    camera->fov_rad = FOV_RAD;
    camera->smooth = true;
    camera->key_nearest = -1;
    stop(camera);
    camera->pose = mc_camera_get_preset(camera, MC_CAMERA_CITY);
    camera->pose = mc_camera_fit(camera, camera->pose, world, 1);
}

static void scale_pose(mc_camera_pose *pose, const mc_camera_bounds *from,
                       const mc_camera_bounds *to, double factor) {
    pose->distance *= factor;
    for (int i = 0; i < 3; i++)
        pose->target[i] = to->min[i] + (pose->target[i] - from->min[i]) * factor;
}

void mc_camera_set_world(mc_camera *camera, const mc_camera_bounds *world) {
    mc_camera_bounds before = camera->world;
    double factor = 1 / mc_camera_get_world_size(camera);
    stop(camera);
    camera->world = *world;
    factor *= mc_camera_get_world_size(camera);
    scale_pose(&camera->pose, &before, world, factor);
    clamp_target(camera, camera->pose.target);
    scale_pose(&camera->before_bird, &before, world, factor);
    clamp_target(camera, camera->before_bird.target);
}

void mc_camera_set_viewport(mc_camera *camera, mc_camera_viewport viewport) {
    if (viewport.width >= 1 && viewport.height >= 1) camera->viewport = viewport;
}

void mc_camera_set_pose(mc_camera *camera, const mc_camera_pose *pose) {
    stop(camera);
    camera->pose = *pose;
}

static void set_goal(mc_camera *camera, const mc_camera_pose *pose) {
    camera->goal = *pose;
    // The short way round.
    double turn = remainder(pose->azimuth_rad - camera->start.azimuth_rad, 2 * MC_CAMERA_PI);
    camera->goal.azimuth_rad = camera->start.azimuth_rad + turn;
}

// As far as can be seen.
static bool is_same_pose(const mc_camera_pose *a, const mc_camera_pose *b) {
    double most = SAME_SHARE * b->distance;
    double turn = remainder(a->azimuth_rad - b->azimuth_rad, 2 * MC_CAMERA_PI);
    bool is_same = fabs(a->distance - b->distance) <= most && fabs(turn) <= SAME_SHARE &&
                   fabs(a->elevation_rad - b->elevation_rad) <= SAME_SHARE;
    for (int i = 0; i < 3; i++)
        is_same = is_same && fabs(a->target[i] - b->target[i]) <= most;
    return is_same;
}

void mc_camera_move_to(mc_camera *camera, const mc_camera_pose *pose) {
    // Begun again and again, a move would never get far; one from here to here only costs frames.
    bool is_there = is_same_pose(&camera->pose, pose);
    if (camera->move_elapsed_s >= 0 && is_same_pose(&camera->goal, pose)) return;
    stop(camera);
    if (is_there) return;
    if (!camera->smooth) {
        camera->pose = *pose;
        return;
    }
    camera->start = camera->pose;
    camera->move_elapsed_s = 0;
    set_goal(camera, pose);
}

void mc_camera_redirect(mc_camera *camera, const mc_camera_pose *pose) {
    if (camera->move_elapsed_s >= 0)
        set_goal(camera, pose);
    else
        mc_camera_set_pose(camera, pose);
}

mc_camera_pose mc_camera_get_goal(const mc_camera *camera) {
    return camera->move_elapsed_s >= 0 ? camera->goal : camera->pose;
}

void mc_camera_toggle_bird(mc_camera *camera, const mc_city *city) {
    mc_camera_pose at = mc_camera_get_goal(camera);
    if (camera->has_before_bird && at.elevation_rad > MC_CAMERA_PI / 2 - 0.02) {
        mc_camera_pose back = camera->before_bird;
        camera->has_before_bird = false;
        mc_camera_move_to(camera, &back);
        return;
    }
    camera->before_bird = at;
    camera->has_before_bird = true;
    mc_camera_pose bird = mc_camera_get_preset(camera, MC_CAMERA_BIRD);
    bird = mc_camera_fit_structure(camera, bird, city, MC_STRUCTURE_NONE);
    mc_camera_move_to(camera, &bird);
}

static void advance_move(mc_camera *camera, double elapsed_s) {
    camera->move_elapsed_s += elapsed_s;
    double t = camera->move_elapsed_s / MOVE_DURATION_S;
    if (t >= 1) {
        camera->pose = camera->goal;
        camera->pose.azimuth_rad = remainder(camera->goal.azimuth_rad, 2 * MC_CAMERA_PI);
        camera->move_elapsed_s = -1;
        return;
    }
    double ease = t < 0.5 ? 4 * t * t * t : 1 - 4 * (1 - t) * (1 - t) * (1 - t);
    const mc_camera_pose *a = &camera->start, *b = &camera->goal;
    double ratio = log(b->distance / a->distance);
    // The distance changes by equal factors in equal times; the target keeps pace with it, so that
    // the move is a zoom towards one point and not a swing.
    double share = fabs(ratio) < 1e-6 ? ease : expm1(ratio * ease) / expm1(ratio);
    camera->pose.distance = a->distance * exp(ratio * ease);
    mc_dvec3_lerp(a->target, b->target, share, camera->pose.target);
    camera->pose.azimuth_rad = a->azimuth_rad + (b->azimuth_rad - a->azimuth_rad) * ease;
    camera->pose.elevation_rad = a->elevation_rad + (b->elevation_rad - a->elevation_rad) * ease;
}

// As mc_camera_get_ground(), but every pixel has its point.
static void get_grip(const mc_camera *camera, double x, double y, double point[3]) {
    mc_ray ray = mc_camera_get_ray(camera, x, y);
    double direction[3];
    mc_dvec3_from(ray.direction, direction);
    direction[1] = fmin(direction[1], -FLATTEST_GRIP * mc_dvec3_norm(direction));
    mc_camera_get_viewpoint(camera, point);
    mc_dvec3_muladds(direction, fmax(point[1], 0) / -direction[1], point);
}

void mc_camera_begin_drag(mc_camera *camera, mc_camera_drag drag, double x, double y) {
    stop(camera);
    camera->drag = drag;
    camera->drag_x = x;
    camera->drag_y = y;
    camera->drag_moved[0] = camera->drag_moved[1] = 0;
    memcpy(camera->drag_start, camera->pose.target, sizeof camera->drag_start);
    if (drag == MC_CAMERA_DRAG_MOVE) get_grip(camera, x, y, camera->drag_grip);
}

void mc_camera_drag_to(mc_camera *camera, double x, double y) {
    mc_camera_pose *pose = &camera->pose;
    if (camera->drag == MC_CAMERA_DRAG_MOVE) {
        double now[3], before[3], wanted[3];
        get_grip(camera, x, y, now);
        memcpy(before, pose->target, sizeof before);
        memcpy(wanted, before, sizeof wanted);
        mc_dvec3_muladds(camera->drag_grip, 1, wanted);
        mc_dvec3_sub(wanted, now, wanted);
        move_target(camera, camera->drag_start, wanted);
        camera->drag_moved[0] += pose->target[0] - before[0];
        camera->drag_moved[1] += pose->target[2] - before[2];
    } else if (camera->drag == MC_CAMERA_DRAG_TURN) {
        double angle = MC_CAMERA_PI / camera->viewport.height, elevation = pose->elevation_rad;
        double turn = (camera->drag_x - x) * angle;
        pose->azimuth_rad = remainder(pose->azimuth_rad + turn, 2 * MC_CAMERA_PI);
        pose->elevation_rad = clamp_elevation(elevation + (y - camera->drag_y) * angle);
        camera->drag_moved[0] += turn;
        camera->drag_moved[1] += pose->elevation_rad - elevation;
    }
    camera->drag_x = x;
    camera->drag_y = y;
}

void mc_camera_end_drag(mc_camera *camera) {
    camera->drag = MC_CAMERA_DRAG_NONE;
    if (camera->smooth) return;
    stop(camera);
}

void mc_camera_zoom(mc_camera *camera, double notches, double x, double y) {
    double anchor[3];
    if (!mc_camera_get_ground(camera, x, y, anchor)) {
        memcpy(anchor, camera->pose.target, sizeof anchor);
    }
    mc_camera_zoom_to(camera, notches, anchor, 0, x, y);
}

void mc_camera_zoom_to(mc_camera *camera, double notches, const double anchor[3], double nearest,
                       double x, double y) {
    double remaining = camera->zoom_remaining;
    stop(camera);
    memcpy(camera->zoom_anchor, anchor, sizeof camera->zoom_anchor);
    clamp_target(camera, camera->zoom_anchor);
    camera->zoom_nearest = nearest;
    // A wheel turned back takes effect at once instead of eating up what is still to come.
    if (remaining * notches > 0) remaining = 0;
    camera->zoom_remaining = mc_camera_clamp(remaining - notches * ZOOM_PER_NOTCH, -3, 3);
    if (!camera->smooth) mc_camera_advance(camera, 100 * ZOOM_S);
    // Whoever grips the ground meanwhile grips it where it now is.
    if (camera->drag != MC_CAMERA_DRAG_MOVE) return;
    get_grip(camera, x, y, camera->drag_grip);
    memcpy(camera->drag_start, camera->pose.target, sizeof camera->drag_start);
}

void mc_camera_set_key_anchor(mc_camera *camera, const double *anchor, double nearest) {
    camera->key_nearest = anchor ? nearest : -1;
    if (anchor) memcpy(camera->key_anchor, anchor, sizeof camera->key_anchor);
}

void mc_camera_set_keys(mc_camera *camera, mc_camera_keys keys) {
    if (mc_camera_has_keys(&keys) && camera->move_elapsed_s >= 0) stop(camera);
    camera->keys = keys;
}

// Steep pictures have another lens at another distance: what is higher or lower than the target
// would slip from under the cursor. `factor`: by which the view was scaled about `anchor`.
static void hold_anchor(mc_camera *camera, const mc_camera_lens *before, double factor,
                        const double anchor[3]) {
    mc_camera_pose *pose = &camera->pose;
    const mc_camera_lens now = mc_camera_get_lens(camera, pose);
    mc_camera_axes a = mc_camera_get_axes(pose->azimuth_rad, pose->elevation_rad);
    double way[3];
    mc_dvec3_sub(anchor, pose->target, way);
    double depth = now.distance + mc_dvec3_dot(a.forward, way);
    double depth_before = before->distance + mc_dvec3_dot(a.forward, way) / factor;
    if (now.stretch == 1 || !(depth > 0) || !(depth_before > 0)) return;
    double share = before->focal / (factor * depth_before) * depth / now.focal;
    mc_dvec3_muladds(a.right, mc_dvec3_dot(a.right, way) * (1 - share), pose->target);
    mc_dvec3_muladds(a.up, mc_dvec3_dot(a.up, way) * (1 - share), pose->target);
}

// Scales the view about `anchor`, which stays where it is drawn, until the eye is as near to it as
// `nearest_eye`. False: a limit was reached.
static bool zoom_about(mc_camera *camera, double log_factor, const double anchor_point[3],
                       double nearest_eye) {
    double nearest, farthest, eye[3], way[3], anchor[3];
    get_distance_limits(camera, &nearest, &farthest);
    mc_camera_pose *pose = &camera->pose;
    const mc_camera_lens before = mc_camera_get_lens(camera, pose);
    memcpy(anchor, anchor_point, sizeof anchor); // it may be the target itself
    mc_camera_get_viewpoint(camera, eye);
    mc_dvec3_sub(eye, anchor, way);
    double apart = mc_dvec3_norm(way) / before.stretch, wanted = pose->distance * exp(log_factor);
    if (log_factor < 0 && apart > 0) {
        nearest = fmax(nearest, fmin(nearest_eye / apart, 1) * pose->distance);
    }
    // A view from text may be outside the limits: it may come back, but not go on.
    double low = fmin(nearest, pose->distance), high = fmax(farthest, pose->distance);
    double distance = mc_camera_clamp(wanted, low, high), factor = distance / pose->distance;
    pose->distance = distance;
    mc_dvec3_lerp(anchor, pose->target, factor, pose->target);
    hold_anchor(camera, &before, factor, anchor);
    clamp_target(camera, pose->target);
    return distance == wanted;
}

static void advance_drag(mc_camera *camera, double elapsed_s) {
    double share = 1 - exp(-elapsed_s / MEASURE_S);
    double *velocity =
        camera->drag == MC_CAMERA_DRAG_MOVE ? camera->velocity : camera->turn_velocity;
    for (int i = 0; i < 2; i++) {
        velocity[i] += (camera->drag_moved[i] / elapsed_s - velocity[i]) * share;
        camera->drag_moved[i] = 0;
    }
}

// What an exponentially decaying velocity covers, and what is left of it.
static double decay(double *velocity, double elapsed_s, double smallest) {
    double keep = exp(-elapsed_s / INERTIA_S), way = *velocity * INERTIA_S * (1 - keep);
    *velocity *= keep;
    if (fabs(*velocity) < smallest) *velocity = 0;
    return way;
}

static void advance_inertia(mc_camera *camera, double elapsed_s) {
    mc_camera_pose *pose = &camera->pose;
    double smallest = pose->distance * 2e-3;
    if (camera->velocity[0] != 0 || camera->velocity[1] != 0) {
        double from[3] = {pose->target[0], pose->target[1], pose->target[2]};
        double to[3] = {from[0] + decay(&camera->velocity[0], elapsed_s, smallest), from[1],
                        from[2] + decay(&camera->velocity[1], elapsed_s, smallest)};
        if (!move_target(camera, from, to)) camera->velocity[0] = camera->velocity[1] = 0;
    }
    if (camera->turn_velocity[0] != 0 || camera->turn_velocity[1] != 0) {
        double turn = decay(&camera->turn_velocity[0], elapsed_s, 1e-3);
        double tilt = decay(&camera->turn_velocity[1], elapsed_s, 1e-3);
        pose->azimuth_rad = remainder(pose->azimuth_rad + turn, 2 * MC_CAMERA_PI);
        pose->elevation_rad = clamp_elevation(pose->elevation_rad + tilt);
    }
}

// Moves one eased key and returns how far it is held down by now.
static double ease_key(double *velocity, double wanted, double share) {
    *velocity += (wanted - *velocity) * share;
    if (wanted == 0 && fabs(*velocity) < 0.01) *velocity = 0;
    return *velocity;
}

static void advance_keys(mc_camera *camera, double elapsed_s) {
    mc_camera_keys *now = &camera->key_velocity;
    const mc_camera_keys *wanted = &camera->keys;
    double share = camera->smooth ? 1 - exp(-elapsed_s / KEY_EASE_S) : 1;
    double way = camera->pose.distance * KEY_SPEED * elapsed_s;
    double right = ease_key(&now->right, wanted->right, share) * way;
    double ahead = ease_key(&now->ahead, wanted->ahead, share) * way;
    double up = ease_key(&now->up, wanted->up, share);
    double turn = ease_key(&now->turn, wanted->turn, share) * KEY_TURN_SPEED * elapsed_s;
    double tilt = ease_key(&now->tilt, wanted->tilt, share) * KEY_TURN_SPEED * elapsed_s;
    mc_camera_pose *pose = &camera->pose;
    if (right != 0 || ahead != 0) {
        double s = sin(pose->azimuth_rad), c = cos(pose->azimuth_rad);
        pose->target[0] += right * c - ahead * s;
        pose->target[2] += -right * s - ahead * c;
        clamp_target(camera, pose->target);
    }
    if (turn != 0) pose->azimuth_rad = remainder(pose->azimuth_rad + turn, 2 * MC_CAMERA_PI);
    if (tilt != 0) pose->elevation_rad = clamp_elevation(pose->elevation_rad + tilt);
    if (up == 0) return;
    bool has_anchor = camera->key_nearest >= 0;
    zoom_about(camera, up * KEY_ZOOM_SPEED * elapsed_s,
               has_anchor ? camera->key_anchor : pose->target,
               has_anchor ? camera->key_nearest : 0);
}

bool mc_camera_advance(mc_camera *camera, double elapsed_s) {
    if (!(elapsed_s > 0)) return mc_camera_is_moving(camera);
    if (camera->move_elapsed_s >= 0) advance_move(camera, elapsed_s);
    if (camera->drag != MC_CAMERA_DRAG_NONE) {
        advance_drag(camera, elapsed_s);
    } else {
        advance_inertia(camera, elapsed_s);
    }
    if (camera->zoom_remaining != 0) {
        double step = camera->zoom_remaining * (1 - exp(-elapsed_s / ZOOM_S));
        if (fabs(camera->zoom_remaining) < 1e-3) step = camera->zoom_remaining;
        camera->zoom_remaining -= step;
        if (!zoom_about(camera, step, camera->zoom_anchor, camera->zoom_nearest)) {
            camera->zoom_remaining = 0;
        }
    }
    advance_keys(camera, elapsed_s);
    return mc_camera_is_moving(camera);
}

bool mc_camera_is_moving(const mc_camera *camera) {
    bool keys = mc_camera_has_keys(&camera->keys) || mc_camera_has_keys(&camera->key_velocity);
    bool drifts = camera->velocity[0] != 0 || camera->velocity[1] != 0 ||
                  camera->turn_velocity[0] != 0 || camera->turn_velocity[1] != 0;
    bool dragged = camera->drag != MC_CAMERA_DRAG_NONE;
    return camera->move_elapsed_s >= 0 || camera->zoom_remaining != 0 || keys ||
           (drifts && !dragged);
}

mc_camera_view mc_camera_get_view(const mc_camera *camera) {
    const mc_camera_viewport *v = &camera->viewport;
    mc_camera_axes a = mc_camera_get_axes(camera->pose.azimuth_rad, camera->pose.elevation_rad);
    double eye[3], cx, cy, focal = mc_camera_get_focal(camera);
    mc_camera_get_viewpoint(camera, eye);
    mc_camera_get_free_center(v, &cx, &cy);
    double near = mc_camera_get_lens(camera, &camera->pose).distance * 2e-3;
    double x_scale = 2 * focal / v->width, x_shift = 2 * cx / v->width - 1;
    double y_scale = -2 * focal / v->height, y_shift = 2 * cy / v->height - 1;
    mc_camera_view view;
    // The product of the axes and of a perspective whose centre is off the middle, in double: the
    // eye stands far from what it looks at. Rows are clip x, y, z, w; depth is near / distance, so
    // that the far plane is at infinity.
    for (int column = 0; column < 4; column++) {
        double r, u, f;
        if (column < 3) {
            r = a.right[column];
            u = a.up[column];
            f = a.forward[column];
        } else {
            r = -mc_dvec3_dot(a.right, eye);
            u = -mc_dvec3_dot(a.up, eye);
            f = -mc_dvec3_dot(a.forward, eye);
        }
        view.view_projection[column][0] = (float)(r * x_scale + f * x_shift);
        view.view_projection[column][1] = (float)(u * y_scale + f * y_shift);
        view.view_projection[column][2] = column < 3 ? 0 : (float)near;
        view.view_projection[column][3] = (float)f;
    }
    mc_dvec3_round(eye, view.eye);
    return view;
}

mc_ray mc_camera_get_ray(const mc_camera *camera, double x, double y) {
    mc_camera_axes a = mc_camera_get_axes(camera->pose.azimuth_rad, camera->pose.elevation_rad);
    double eye[3], cx, cy, focal = mc_camera_get_focal(camera);
    mc_camera_get_viewpoint(camera, eye);
    mc_camera_get_free_center(&camera->viewport, &cx, &cy);
    double right = (x - cx) / focal, up = (cy - y) / focal;
    mc_dvec3_muladds(a.right, right, a.forward);
    mc_dvec3_muladds(a.up, up, a.forward);
    return mc_ray_get(eye, a.forward);
}

bool mc_camera_get_ground(const mc_camera *camera, double x, double y, double point[3]) {
    mc_ray ray = mc_camera_get_ray(camera, x, y);
    double eye[3], direction[3];
    mc_camera_get_viewpoint(camera, eye);
    if (ray.direction[1] >= -1e-6f || eye[1] <= 0) return false;
    mc_dvec3_from(ray.direction, direction);
    mc_dvec3_muladds(direction, eye[1] / -direction[1], eye);
    memcpy(point, eye, sizeof eye);
    point[1] = 0;
    return true;
}

bool mc_camera_project(const mc_camera *camera, const double point[3], double *x, double *y) {
    mc_camera_axes a = mc_camera_get_axes(camera->pose.azimuth_rad, camera->pose.elevation_rad);
    double eye[3], d[3], cx, cy, focal = mc_camera_get_focal(camera);
    mc_camera_get_viewpoint(camera, eye);
    mc_camera_get_free_center(&camera->viewport, &cx, &cy);
    mc_dvec3_sub(point, eye, d);
    double z = mc_dvec3_dot(a.forward, d);
    if (z < mc_camera_get_lens(camera, &camera->pose).distance * 1e-3) return false;
    *x = cx + focal * mc_dvec3_dot(a.right, d) / z;
    *y = cy - focal * mc_dvec3_dot(a.up, d) / z;
    return true;
}
