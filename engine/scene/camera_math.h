// camera_math.h - axes of a pose, and the middle of its picture.
//
// Pure functions. Threads: any.
#pragma once
#include "engine/scene/camera_pose.h"
#include <math.h>

#define MC_CAMERA_PI 3.14159265358979323846

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
