#include "engine/render/core/frame_uniforms.h"

#include <math.h>
#include <string.h>

// After so many seconds arrows are where they were.
#define FRUSTUM_PERIOD_S 3600.0
#define FRUSTUM_LEAST_RADIUS 1.3f // pixels

static void cross(const double a[3], const double b[3], double out[3]) {
    out[0] = a[1] * b[2] - a[2] * b[1];
    out[1] = a[2] * b[0] - a[0] * b[2];
    out[2] = a[0] * b[1] - a[1] * b[0];
}

// The direction d of the ray through the point (x, y) of clip space is orthogonal to both
// (row x) - x (row w) and (row y) - y (row w) of the matrix, whose product is linear in x and y:
// no inverse is needed, and nothing is lost to the size of the eye's coordinates.
static void set_rays(mc_frame_uniforms *uniforms, const float *matrix, uint32_t width,
                     uint32_t height) {
    double row_x[3], row_y[3], row_w[3], center[3], by_x[3], by_y[3];
    for (int i = 0; i < 3; i++) {
        row_x[i] = matrix[i * 4];
        row_y[i] = matrix[i * 4 + 1];
        row_w[i] = matrix[i * 4 + 3];
    }
    cross(row_x, row_y, center);
    cross(row_y, row_w, by_x); // d = center + x by_x + y by_y
    cross(row_w, row_x, by_y);
    double depth = row_w[0] * center[0] + row_w[1] * center[1] + row_w[2] * center[2];
    double scale = depth != 0.0 ? 1.0 / depth : 0.0;
    double pixel_x = 2.0 / width, pixel_y = 2.0 / height;
    for (int i = 0; i < 3; i++) {
        uniforms->ray_origin[i] = (float)((center[i] - by_x[i] - by_y[i]) * scale);
        uniforms->ray_x[i] = (float)(by_x[i] * pixel_x * scale);
        uniforms->ray_y[i] = (float)(by_y[i] * pixel_y * scale);
    }
}

// Clip z is linear in view depth, which is clip w: z = share w + depth.
static void set_depths(mc_frame_uniforms *uniforms) {
    const float *matrix = uniforms->view_projection;
    double product = 0.0, square = 0.0, depth = (double)matrix[14];
    for (int i = 0; i < 3; i++) {
        product += (double)matrix[i * 4 + 2] * (double)matrix[i * 4 + 3];
        square += (double)matrix[i * 4 + 3] * (double)matrix[i * 4 + 3];
    }
    double share = square > 0.0 ? product / square : 0.0;
    uniforms->ray_origin[3] = (float)share;
    uniforms->ray_x[3] = (float)depth;
    uniforms->eye[3] = (float)(depth / (1.0 - share)); // where z is w
}

mc_frame_uniforms mc_frame_uniforms_get(const mc_scene *scene, uint32_t width, uint32_t height,
                                        uint32_t hovered, uint32_t selected,
                                        uint32_t building_count) {
    mc_frame_uniforms uniforms = {
        .viewport = {(float)width, (float)height, 1.0f / (float)width, 1.0f / (float)height},
        .marks = {hovered, selected, scene->edges ? MC_FRAME_EDGES : 0, building_count},
    };
    const float *matrix = scene->view.view_projection, *eye = scene->view.eye;
    memcpy(uniforms.view_projection, matrix, sizeof uniforms.view_projection);
    // Seen from the eye the matrix has no translation but in depth: for a perspective x, y and w
    // vanish at its centre.
    double depth = matrix[14];
    for (int i = 0; i < 3; i++)
        depth += (double)matrix[i * 4 + 2] * (double)eye[i];
    uniforms.view_projection[12] = 0.0f;
    uniforms.view_projection[13] = 0.0f;
    uniforms.view_projection[14] = (float)depth;
    uniforms.view_projection[15] = 0.0f;
    memcpy(uniforms.eye, eye, sizeof scene->view.eye);
    set_rays(&uniforms, matrix, width, height);
    set_depths(&uniforms);
    const mc_theme *theme = &scene->theme;
    memcpy(uniforms.background_top, theme->background_top, sizeof theme->background_top);
    memcpy(uniforms.background_bottom, theme->background_bottom, sizeof theme->background_bottom);
    memcpy(uniforms.district_root, theme->district_root, sizeof theme->district_root);
    memcpy(uniforms.district_deepest, theme->district_deepest, sizeof theme->district_deepest);
    memcpy(uniforms.selection, theme->selection, sizeof theme->selection);
    for (int i = 0; i < MC_FRUSTUM_KIND_COUNT; i++)
        memcpy(uniforms.frustum_colors[i], theme->frustums[i], sizeof theme->frustums[i]);
    float blend = scene->params.blend > 0.0f ? fminf(scene->params.blend, 1.0f) : 0.0f;
    uniforms.frustum_look[0] = (float)fmod(scene->time_s, FRUSTUM_PERIOD_S);
    uniforms.frustum_look[1] = FRUSTUM_LEAST_RADIUS;
    uniforms.frustum_look[3] = theme->dark ? 0.0f : 1.0f;
    uniforms.frustum_look[2] = blend * blend * (3.0f - 2.0f * blend);
    return uniforms;
}
