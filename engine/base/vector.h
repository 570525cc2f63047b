// vector.h - vectors: in single precision cglm's (vec2, vec3, mat4), in double these few.
//
// What is drawn is float, as the GPU has it. Double is for what single precision would show: the
// camera, whose pose is moved on from frame to frame and stands between a city of any size and
// buildings a ten-thousandth of it; rays, as differences of such coordinates; and directions won
// from a product of a matrix's rows. cglm has no double. Names and order of arguments are cglm's,
// inputs are const. `out` may be one of the inputs, but in a cross product. Threads: any.
#pragma once
#include <cglm/mat4.h>
#include <cglm/vec2.h>
#include <cglm/vec3.h>
#include <math.h>

static inline void mc_dvec3_from(const vec3 v, double out[3]) {
    for (int i = 0; i < 3; i++)
        out[i] = (double)v[i];
}

static inline void mc_dvec3_round(const double v[3], vec3 out) {
    for (int i = 0; i < 3; i++)
        out[i] = (float)v[i];
}

static inline double mc_dvec3_dot(const double a[3], const double b[3]) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static inline double mc_dvec3_norm(const double v[3]) {
    return sqrt(mc_dvec3_dot(v, v));
}

static inline void mc_dvec3_sub(const double a[3], const double b[3], double out[3]) {
    for (int i = 0; i < 3; i++)
        out[i] = a[i] - b[i];
}

// out += v * scale
static inline void mc_dvec3_muladds(const double v[3], double scale, double out[3]) {
    for (int i = 0; i < 3; i++)
        out[i] += v[i] * scale;
}

// `from` at 0, on the way to `to` at 1.
static inline void mc_dvec3_lerp(const double from[3], const double to[3], double at,
                                 double out[3]) {
    for (int i = 0; i < 3; i++)
        out[i] = from[i] + (to[i] - from[i]) * at;
}

static inline void mc_dvec3_cross(const double a[3], const double b[3], double out[3]) {
    out[0] = a[1] * b[2] - a[2] * b[1];
    out[1] = a[2] * b[0] - a[0] * b[2];
    out[2] = a[0] * b[1] - a[1] * b[0];
}
