#include "engine/render/core/frame_uniforms.h"

#include <math.h>
#include <string.h>

// After so many seconds arrows are where they were.
#define FRUSTUM_PERIOD_S 3600.0

static void get_row(mat4 matrix, int row, double out[3]) {
    for (int i = 0; i < 3; i++)
        out[i] = (double)matrix[i][row];
}

// The direction d of the ray through the point (x, y) of clip space is orthogonal to both
// (row x) - x (row w) and (row y) - y (row w) of the matrix, whose product is linear in x and y:
// no inverse is needed, and nothing is lost to the size of the eye's coordinates. In double: the
// products are differences of nearly the same numbers.
static void set_rays(mc_frame_uniforms *uniforms, uint32_t width, uint32_t height) {
    double row_x[3], row_y[3], row_w[3], center[3], by_x[3], by_y[3];
    get_row(uniforms->view_projection, 0, row_x);
    get_row(uniforms->view_projection, 1, row_y);
    get_row(uniforms->view_projection, 3, row_w);
    mc_dvec3_cross(row_x, row_y, center);
    mc_dvec3_cross(row_y, row_w, by_x); // d = center + x by_x + y by_y
    mc_dvec3_cross(row_w, row_x, by_y);
    double depth = mc_dvec3_dot(row_w, center);
    double scale = depth != 0.0 ? 1.0 / depth : 0.0;
    double pixel_x = 2.0 / width, pixel_y = 2.0 / height;
    for (int i = 0; i < 3; i++) {
        uniforms->ray_origin[i] = (float)((center[i] - by_x[i] - by_y[i]) * scale);
        uniforms->ray_x[i] = (float)(by_x[i] * pixel_x * scale);
        uniforms->ray_y[i] = (float)(by_y[i] * pixel_y * scale);
    }
}

// In clip space.
static void set_shift(mc_frame_uniforms *uniforms, float x, float y) {
    uniforms->shift[0] = x;
    uniforms->shift[1] = y;
    for (int i = 0; i < 4; i++) {
        uniforms->view_projection[i][0] += x * uniforms->view_projection[i][3];
        uniforms->view_projection[i][1] += y * uniforms->view_projection[i][3];
    }
}

// Clip z is linear in view depth, which is clip w: z = share w + depth.
static void set_depths(mc_frame_uniforms *uniforms) {
    double row_z[3], row_w[3], depth = (double)uniforms->view_projection[3][2];
    get_row(uniforms->view_projection, 2, row_z);
    get_row(uniforms->view_projection, 3, row_w);
    double square = mc_dvec3_dot(row_w, row_w);
    double share = square > 0.0 ? mc_dvec3_dot(row_z, row_w) / square : 0.0;
    uniforms->ray_origin[3] = (float)share;
    uniforms->ray_x[3] = (float)depth;
    uniforms->eye[3] = (float)(depth / (1.0 - share)); // where z is w
}

static uint32_t get_flags(const mc_scene *scene) {
    uint32_t flags = scene->edges ? MC_FRAME_EDGES : 0;
    if (scene->light) flags |= MC_FRAME_LIGHT;
    return flags | (scene->params.flags & MC_UPDATE_FADE_FALLEN ? MC_FRAME_OUTLINES : 0);
}

mc_frame_uniforms mc_frame_uniforms_get(const mc_scene *scene, uint32_t width, uint32_t height,
                                        uint32_t building_count, const float shift[2]) {
    mc_frame_uniforms uniforms = {
        .viewport = {(float)width, (float)height, 1.0f / (float)width, 1.0f / (float)height},
        .marks = {0, 0, get_flags(scene), building_count},
    };
    mc_camera_view view = scene->view;
    // Seen from the eye the matrix has no translation but in depth: for a perspective x, y and w
    // vanish at its centre.
    double row_z[3], eye[3];
    get_row(view.view_projection, 2, row_z);
    mc_dvec3_from(view.eye, eye);
    double depth = (double)view.view_projection[3][2] + mc_dvec3_dot(row_z, eye);
    glm_mat4_copy(view.view_projection, uniforms.view_projection);
    glm_vec4_zero(uniforms.view_projection[3]);
    uniforms.view_projection[3][2] = (float)depth;
    glm_vec3_copy(view.eye, uniforms.eye);
    set_shift(&uniforms, 2.0f * shift[0] / (float)width, 2.0f * shift[1] / (float)height);
    set_rays(&uniforms, width, height);
    set_depths(&uniforms);
    const mc_theme *theme = &scene->theme;
    memcpy(uniforms.background_top, theme->background_top, sizeof theme->background_top);
    memcpy(uniforms.background_bottom, theme->background_bottom, sizeof theme->background_bottom);
    bool is_green = scene->params.scaling == MC_SCALING_IS_ELEVATION;
    memcpy(uniforms.district_root, is_green ? theme->package_root : theme->district_root,
           sizeof theme->district_root);
    memcpy(uniforms.district_deepest, is_green ? theme->package_deepest : theme->district_deepest,
           sizeof theme->district_deepest);
    memcpy(uniforms.district_block, theme->block, sizeof theme->block);
    for (int i = 0; i < MC_FRUSTUM_KIND_COUNT; i++)
        memcpy(uniforms.frustum_colors[i], theme->frustums[i], sizeof theme->frustums[i]);
    float blend = scene->params.blend > 0.0f ? fminf(scene->params.blend, 1.0f) : 0.0f;
    uniforms.frustum_look[0] = (float)fmod(scene->time_s, FRUSTUM_PERIOD_S);
    uniforms.frustum_look[1] = scene->pixel_scale;
    uniforms.frustum_look[3] = theme->dark ? 0.0f : 1.0f;
    uniforms.frustum_look[2] = blend * blend * (3.0f - 2.0f * blend);
    return uniforms;
}
