#include "engine/render/renderer_area.h"

#include "engine/city/evaluate.h"
#include <math.h>

void mc_renderer_get_bounds(const mc_renderer *renderer, const mc_scene *scene, vec3 low,
                            vec3 high) {
    const mc_city *city = renderer->lists.city;
    float margin = 1e-3f * (city->width > city->depth ? city->width : city->depth);
    float jump = scene->params.jump > 0.0f ? scene->params.jump : 0.0f;
    mc_camera_view view = scene->view;
    glm_vec3_zero(low);
    float front = city->depth;
    for (uint32_t i = 0; scene->markers && i < scene->markers->count; i++)
        front = fmaxf(front, scene->markers->boxes[i].footprint.z1);
    glm_vec3_copy((vec3){city->width, city->highest_top + jump, front}, high);
    if (renderer->transition.has_boxes && scene->params.transition < 1.0f) {
        mc_transition_buffer transition = renderer->transition;
        glm_vec3_minv(low, transition.low, low);
        glm_vec3_maxv(high, transition.high, high);
    }
    glm_vec3_adds(low, -margin, low);
    glm_vec3_adds(high, margin, high);
    glm_vec3_sub(low, view.eye, low);
    glm_vec3_sub(high, view.eye, high);
}

// Where something may be in a picture: from `first` to `last`, pixels.
typedef struct extent {
    float first[2], last[2];
    bool is_everywhere; // it may be before the near plane
} extent;

static const extent nowhere = {{INFINITY, INFINITY}, {-INFINITY, -INFINITY}, false};

// Adds what is from `low` to `high`, as seen from the eye, and `margin` pixels around it.
static void add_bounds(extent *e, const mc_scene *scene, const mc_target *target, const vec3 low,
                       const vec3 high, float margin) {
    float size[2] = {(float)target->width, (float)target->height};
    mat4 matrix;
    glm_mat4_copy((vec4 *)scene->view.view_projection, matrix);
    for (uint32_t corner = 0; corner < 8; corner++) {
        vec4 place = {0, 0, 0, 1}, clip;
        for (int i = 0; i < 3; i++)
            place[i] = scene->view.eye[i] + (corner >> i & 1 ? high[i] : low[i]);
        glm_mat4_mulv(matrix, place, clip);
        if (!(clip[3] > 0.0f) || !(clip[2] <= clip[3])) {
            e->is_everywhere = true;
            return;
        }
        for (int i = 0; i < 2; i++) {
            float pixel = (0.5f + 0.5f * clip[i] / clip[3]) * size[i];
            e->first[i] = fminf(e->first[i], pixel - margin);
            e->last[i] = fmaxf(e->last[i], pixel + margin);
        }
    }
}

// Without width: nowhere in the picture.
static VkRect2D get_rect(const extent *e, const mc_target *target) {
    VkRect2D all = {{0, 0}, {target->width, target->height}};
    uint32_t from[2], to[2], size[2] = {target->width, target->height};
    if (e->is_everywhere) return all;
    for (int i = 0; i < 2; i++) {
        from[i] = (uint32_t)fminf(fmaxf(e->first[i], 0.0f), (float)size[i]);
        to[i] = (uint32_t)fminf(fmaxf(e->last[i], 0.0f), (float)size[i]);
        if (to[i] <= from[i]) return (VkRect2D){0};
    }
    return (VkRect2D){{(int32_t)from[0], (int32_t)from[1]}, {to[0] - from[0], to[1] - from[1]}};
}

VkRect2D mc_renderer_get_city_area(const mc_renderer *renderer, const mc_scene *scene,
                                   const mc_target *target) {
    const float margin = 3.0f;
    const mc_city *city = renderer->lists.city;
    VkRect2D all = {{0, 0}, {target->width, target->height}};
    if (!city) return all;
    float reach = MC_SHADOW_CITY_REACH * sqrtf(city->width * city->depth);
    extent around = nowhere;
    vec3 low, high;
    mc_renderer_get_bounds(renderer, scene, low, high);
    for (int i = 0; i < 3; i += 2) {
        low[i] -= reach;
        high[i] += reach;
    }
    add_bounds(&around, scene, target, low, high, margin);
    VkRect2D area = get_rect(&around, target);
    return area.extent.width > 0 ? area : all;
}

VkRect2D mc_renderer_get_area(const mc_renderer *renderer, const mc_scene *scene,
                              const mc_target *target) {
    if (scene->frustum_count > 0 || (scene->beacons && scene->beacons->count > 0))
        return (VkRect2D){{0, 0}, {target->width, target->height}};
    return mc_renderer_get_city_area(renderer, scene, target);
}

// Adds a structure with its rim, wherever it may be at any step.
static void add_rim(extent *e, const mc_renderer *renderer, const mc_scene *scene,
                    const mc_target *target, mc_structure structure) {
    const mc_city *city = renderer->lists.city;
    const mc_update_params *params = &scene->params;
    float jump = scene->params.jump, height = city->district_height;
    vec3 low, high;
    mc_plot plot;
    if (structure.building < city->building_count) {
        plot = city->building_plot[structure.building];
        low[1] = city->building_base[structure.building];
        height = 2.0f * sqrtf((plot.x1 - plot.x0) * (plot.z1 - plot.z0));
        if (params->scaling == MC_SCALING_ELEVATION) height = fmaxf(height, params->full_height);
    } else if (structure.district < city->district_count) {
        plot = city->district_plot[structure.district];
        low[1] = city->district_base[structure.district];
    } else {
        e->is_everywhere |= structure.district != MC_NONE; // a marker
        return;
    }
    high[1] = low[1] + height + fmaxf(jump, 0.0f);
    low[1] += fminf(jump, 0.0f);
    low[0] = plot.x0;
    low[2] = plot.z0;
    high[0] = plot.x1;
    high[2] = plot.z1;
    glm_vec3_sub(low, (float *)scene->view.eye, low);
    glm_vec3_sub(high, (float *)scene->view.eye, high);
    add_bounds(e, scene, target, low, high, MC_RIM_REACH * scene->pixel_scale + 2.0f);
    e->is_everywhere |= renderer->transition.has_boxes && params->transition < 1.0f;
}

VkRect2D mc_renderer_get_rims_area(const mc_renderer *renderer, const mc_scene *scene,
                                   const mc_target *target) {
    extent around = nowhere;
    if (!renderer->lists.city) return (VkRect2D){0};
    add_rim(&around, renderer, scene, target, scene->hovered);
    add_rim(&around, renderer, scene, target, scene->selected);
    for (uint32_t i = 0; i < scene->more_selected_count; i++)
        add_rim(&around, renderer, scene, target, scene->more_selected[i]);
    for (uint32_t i = 0; i < scene->unit_count; i++)
        add_rim(&around, renderer, scene, target, scene->unit[i].structure);
    VkRect2D area = get_rect(&around, target);
    // One beside the picture is drawn all the same.
    if (around.first[0] < INFINITY && area.extent.width == 0) area.extent = (VkExtent2D){1, 1};
    return area;
}
