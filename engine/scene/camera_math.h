// camera_math.h - math shared by the camera's files: axes and scales of a pose.
//
// Pure functions. Threads: any.
#pragma once
#include "engine/scene/camera.h"

#define MC_CAMERA_PI 3.14159265358979323846
// From here up to straight down, pictures become parallel: the eye of the latter is so many times
// the distance and the world's size away that a tower leans by less than two pixels, and rays can
// still be told apart in single precision.
#define MC_CAMERA_STEEP_RAD (55.0 * MC_CAMERA_PI / 180.0)
#define MC_CAMERA_FARNESS 40.0

typedef struct mc_camera_axes {
    double right[3], up[3], forward[3];
} mc_camera_axes;

static inline mc_camera_axes mc_camera_get_axes(double azimuth, double elevation) {
    double sa = sin(azimuth), ca = cos(azimuth), se = sin(elevation), ce = cos(elevation);
    return (mc_camera_axes){
        .right = {ca, 0, -sa},
        .up = {-sa * se, ce, -ca * se},
        .forward = {-sa * ce, -se, -ca * ce},
    };
}

static inline double mc_camera_clamp(double value, double low, double high) {
    return value < low ? low : value > high ? high : value;
}

static inline void mc_camera_get_free_center(const mc_camera_viewport *v, double *x, double *y) {
    *x = (v->left + v->width - v->right) / 2;
    *y = (v->top + v->height - v->bottom) / 2;
}

static inline double mc_camera_get_world_size(const mc_camera *camera) {
    double size = 0;
    for (int i = 0; i < 3; i++) {
        size = fmax(size, camera->world.max[i] - camera->world.min[i]);
    }
    return size > 0 ? size : 1;
}

// Through what a pose is seen.
typedef struct mc_camera_lens {
    double stretch;  // how many times the pose's distance the eye is away; 1: an ordinary picture
    double distance; // of the eye from the target
    double focal;    // pixels that a length of 1 has at a distance of 1
} mc_camera_lens;

// Of all cameras alike: by `elevation_rad` and `distance` of the pose alone.
static inline mc_camera_lens mc_camera_get_lens(const mc_camera *camera,
                                                const mc_camera_pose *pose) {
    double t =
        (pose->elevation_rad - MC_CAMERA_STEEP_RAD) / (MC_CAMERA_PI / 2 - MC_CAMERA_STEEP_RAD);
    double share = t <= 0 ? 0 : t >= 1 ? 1 : t * t * (3 - 2 * t);
    double far = MC_CAMERA_FARNESS * (1 + mc_camera_get_world_size(camera) / pose->distance);
    double stretch = share > 0 ? pow(far, share) : 1;
    return (mc_camera_lens){
        .stretch = stretch,
        .distance = stretch * pose->distance,
        .focal = stretch * camera->viewport.height / 2 / tan(camera->fov_rad / 2),
    };
}
