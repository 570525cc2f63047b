// camera.h - the camera of a city and its motion: orbit, grab, zoom, framing.
//
// Pure math: no window, no GPU, no allocation. World and city as in city.h: y up, ground at y = 0.
// The eye circles a target: azimuth 0 looks from +z towards -z, a positive one turns the eye
// towards +x; elevation 90 degrees looks straight down. Insets are the parts of the picture that
// panels cover at its sides; the target is drawn at the centre of the rest. Pixels count from the
// top left corner. Motion is a function of elapsed time alone, not of the number of frames.
// Threads: one object serves one thread at a time.
//
// Seen from straight above, the picture is a map: areas are true, and towers don't lean. So the
// steeper the view, the farther away the eye and the narrower its field of view, until rays are
// almost parallel. What is around the target keeps its size meanwhile; a pose gives the distance of
// an eye with the usual field of view.
#pragma once
#include "engine/city/pick.h"
#include "engine/scene/camera_pose.h"
#include "engine/scene/scene.h"

typedef enum mc_camera_preset {
    MC_CAMERA_CITY, // three-quarter view
    MC_CAMERA_BIRD, // straight down
    MC_CAMERA_FRONT,
    MC_CAMERA_CORNER,
    MC_CAMERA_ISO,
    MC_CAMERA_PRESET_COUNT
} mc_camera_preset;

typedef enum mc_camera_drag {
    MC_CAMERA_DRAG_NONE,
    MC_CAMERA_DRAG_MOVE,
    MC_CAMERA_DRAG_TURN
} mc_camera_drag;

// Keys that are held down, as -1, 0 or 1: to the right, ahead (along the ground), farther; to the
// right around the target, and higher above it.
typedef struct mc_camera_keys {
    double right, ahead, up;
    double turn, tilt;
} mc_camera_keys;

static inline bool mc_camera_has_keys(const mc_camera_keys *keys) {
    return keys->right != 0 || keys->ahead != 0 || keys->up != 0 || keys->turn != 0 ||
           keys->tilt != 0;
}

typedef struct mc_camera {
    mc_camera_pose pose;
    mc_camera_viewport viewport;
    mc_camera_bounds world; // the city; the target never leaves it
    double fov_rad;         // vertical, of a picture without insets that is not steep
    bool smooth;            // false: no inertia, moves are at once

    // The state of motion; see camera.c.
    mc_camera_pose start, goal; // of an animated move
    double move_elapsed_s;      // < 0: no move
    mc_camera_drag drag;
    double drag_x, drag_y, drag_grip[3], drag_start[3]; // drag_start: the target
    double drag_moved[2];              // since time last passed: along x and z, or of both angles
    double velocity[2];                // of the target, along x and z
    double turn_velocity[2];           // azimuth, elevation
    double zoom_remaining;             // log of the distance's factor still to come
    double zoom_anchor[3];             // what stays under the cursor meanwhile
    double zoom_nearest;               // the eye comes no nearer to it
    double key_anchor[3], key_nearest; // the same for the keys; nearest < 0: the target
    mc_camera_keys keys, key_velocity; // wanted, and eased
    bool has_before_bird;
    mc_camera_pose before_bird;
} mc_camera;

// A city's view from the preset MC_CAMERA_CITY. `viewport` has an area.
void mc_camera_init(mc_camera *camera, const mc_camera_bounds *world, mc_camera_viewport viewport);

// Adapts to a changed world (another layout): what was looked at stays in view, scaled along.
void mc_camera_set_world(mc_camera *camera, const mc_camera_bounds *world);
void mc_camera_set_viewport(mc_camera *camera, mc_camera_viewport viewport); // ignored without area

// The extent of the whole city, or of one structure at its largest.
mc_camera_bounds mc_camera_bounds_of_city(const mc_city *city);
mc_camera_bounds mc_camera_bounds_of(const mc_city *city, mc_structure structure);

// Frames whole boxes: a pose that shows them as large as the free part of the picture allows, with
// a small margin. `from` gives the angles. O(boxes).
mc_camera_pose mc_camera_fit(const mc_camera *camera, mc_camera_pose from,
                             const mc_camera_bounds *boxes, uint32_t count);
// Whether all of them are in the free part as it is.
bool mc_camera_shows(const mc_camera *camera, const mc_camera_bounds *boxes, uint32_t count);
// The same with every building of `structure` (MC_STRUCTURE_NONE: the city) at its largest instead
// of a box: tighter. O(buildings).
mc_camera_pose mc_camera_fit_structure(const mc_camera *camera, mc_camera_pose from,
                                       const mc_city *city, mc_structure structure);
// The angles of a preset; its target and distance are those of `camera`.
mc_camera_pose mc_camera_get_preset(const mc_camera *camera, mc_camera_preset preset);

// Moves to a pose, at once or eased within 0.35 s; any input in between takes over from the current
// pose.
void mc_camera_set_pose(mc_camera *camera, const mc_camera_pose *pose);
void mc_camera_move_to(mc_camera *camera, const mc_camera_pose *pose);
// The same, but a move in progress is redirected and keeps its duration; without one, at once.
void mc_camera_redirect(mc_camera *camera, const mc_camera_pose *pose);
// The current pose, or that at the end of a move.
mc_camera_pose mc_camera_get_goal(const mc_camera *camera);

// To the bird's eye over the city, and back when called again.
void mc_camera_toggle_bird(mc_camera *camera, const mc_city *city);

// `text`: "city", "bird", "front", "corner", "iso", or the eye and the target as six numbers
// "ex,ey,ez,tx,ty,tz". The whole city is framed (but for numbers); set at once. On an error
// (MC_ERROR_BAD_DATA) the camera is as before.
mc_result mc_camera_parse(mc_camera *camera, const mc_city *city, const char *text,
                          mc_error *error);

// Input. A drag of kind MOVE keeps the ground point that was under (x, y) under the cursor.
void mc_camera_begin_drag(mc_camera *camera, mc_camera_drag drag, double x, double y);
void mc_camera_drag_to(mc_camera *camera, double x, double y);
void mc_camera_end_drag(mc_camera *camera); // what was moving slows down
void mc_camera_zoom(mc_camera *camera, double notches, double x, double y); // > 0: closer
// The same, towards a point that is drawn there, say on a building's wall, as near as `nearest`.
void mc_camera_zoom_to(mc_camera *camera, double notches, const double anchor[3], double nearest,
                       double x, double y);
void mc_camera_set_keys(mc_camera *camera, mc_camera_keys keys);
// What the keys zoom to, and how near at most; without it, to the target. NULL: nothing any more.
void mc_camera_set_key_anchor(mc_camera *camera, const double *anchor, double nearest);

// Lets `elapsed_s` pass. Returns whether the camera is still moving, so that another frame is due.
bool mc_camera_advance(mc_camera *camera, double elapsed_s);
bool mc_camera_is_moving(const mc_camera *camera);

// Through what a pose is seen.
typedef struct mc_camera_lens {
    double stretch;  // how many times the pose's distance the eye is away; 1: an ordinary picture
    double distance; // of the eye from the target
    double focal;    // pixels that a length of 1 has at a distance of 1
} mc_camera_lens;

// Of all cameras alike: by `elevation_rad` and `distance` of the pose alone.
mc_camera_lens mc_camera_get_lens(const mc_camera *camera, const mc_camera_pose *pose);
double mc_camera_get_world_size(const mc_camera *camera); // its longest side, > 0

// Where an eye with the usual field of view would be, and where the picture is seen from.
void mc_camera_get_eye(const mc_camera_pose *pose, double eye[3]);
void mc_camera_get_viewpoint(const mc_camera *camera, double eye[3]);
// Pixels of a length of 1 at a distance of 1 from the viewpoint.
double mc_camera_get_focal(const mc_camera *camera);
mc_camera_view mc_camera_get_view(const mc_camera *camera);
mc_ray mc_camera_get_ray(const mc_camera *camera, double x, double y);
// Where the ray through (x, y) meets the ground; false: the sky.
bool mc_camera_get_ground(const mc_camera *camera, double x, double y, double point[3]);
// Where a point of the world is drawn; false: behind the eye.
bool mc_camera_project(const mc_camera *camera, const double point[3], double *x, double *y);
