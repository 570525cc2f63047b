// city_maker.h - cities of any size with heavy-tailed buildings, and a view of them: for tests and
// benchmarks of the renderer.
#pragma once
#include "engine/base/memory.h"
#include "engine/base/vector.h"
#include "engine/city/city_layout.h"
#include "engine/city/evaluate.h"
#include "engine/render/renderer.h"
#include "engine/trace/build/trace_builder.h"
#include "tests/gpu_maker.h"
#include "tests/random.h"
#include "tests/trace_values.h"
#include <cglm/cam.h>
#include <inttypes.h>

typedef struct made_city {
    mc_trace *trace;
    mc_city *city;
    uint64_t *counts[3]; // by step
} made_city;

static inline uint32_t made_add(mc_step_tree *tree, uint32_t parent, uint64_t key) {
    char text[32];
    int size = snprintf(text, sizeof text, "n%" PRIu64, key);
    size_t offset = tree->text.size;
    mc_text_append(&tree->text, text, (size_t)size);
    return mc_step_tree_add(tree, (mc_step_node){.parent = parent,
                                                 .role = MC_NONE,
                                                 .key_offset = offset,
                                                 .name_offset = offset,
                                                 .key_size = (uint32_t)size,
                                                 .name_size = (uint32_t)size});
}

// One step's tree: leaves below districts of up to 40, those below others of up to 12, and so on.
// The same seed gives the same tree with other counts at every step.
static inline void made_fill(mc_step_tree *tree, uint32_t leaf_count, uint32_t step) {
    mc_step_tree_reset(tree);
    tree->time_ms = step;
    made_add(tree, MC_NONE, 0);
    uint64_t state = 12345, key = 1;
    uint32_t districts[4] = {0, 0, 0, 0}, room[4] = {0, 0, 0, 0};
    for (uint32_t i = 0; i < leaf_count; i++) {
        for (int level = 3; level >= 1; level--)
            if (room[level] > 0)
                break;
            else if (level == 1 || room[level - 1] > 0)
                for (int below = level; below <= 3; below++) {
                    uint32_t parent = below == 1 ? 0 : districts[below - 1];
                    districts[below] = made_add(tree, parent, key++);
                    uint32_t most = below == 3 ? 40 : 12;
                    room[below] = 1 + (uint32_t)(test_random(&state) % most);
                    if (below > 1) room[below - 1]--;
                }
        uint32_t leaf = made_add(tree, districts[3], key++);
        room[3]--;
        double u = (double)(test_random(&state) >> 11) * 0x1p-53;
        double size = 16.0 / pow(1.0 - u * 0.9999, 1.1), grown = size;
        uint64_t kind = test_random(&state);
        if (step > 0 && kind % 7 == 0) grown = size * (1.0 + (double)(kind >> 8 & 255) / 64.0);
        if (step > 0 && kind % 7 == 1) grown = size * 0.4;
        if (step > 1 && kind % 7 == 2) grown = 0.0;
        if (step == 0 && kind % 7 == 3) grown = 0.0;
        tree->nodes[leaf].bytes = (uint64_t)grown * 8;
        tree->nodes[leaf].objects = (uint64_t)grown;
    }
    for (size_t i = tree->node_count; i-- > 1;) {
        mc_step_entry *node = &tree->nodes[i], *parent = &tree->nodes[node->parent];
        parent->bytes += node->bytes;
        parent->objects += node->objects;
    }
}

static inline void made_city_create(made_city *made, uint32_t leaf_count, mc_scaling scaling) {
    *made = (made_city){0};
    mc_trace_builder *builder = NULL;
    mc_step_tree tree = {0};
    REQUIRE(mc_trace_builder_create(NULL, &builder, NULL) == MC_OK);
    for (uint32_t step = 0; step < 3; step++) {
        made_fill(&tree, leaf_count, step);
        REQUIRE(mc_trace_builder_add_step(builder, &tree, "made", NULL) == MC_OK);
    }
    REQUIRE(mc_trace_builder_finish(builder, &made->trace, NULL) == MC_OK);
    mc_trace_builder_destroy(builder);
    mc_step_tree_deinit(&tree);
    mc_city_desc desc = mc_city_desc_default(made->trace);
    desc.scaling = scaling;
    REQUIRE(mc_city_create(made->trace, &desc, NULL, &made->city, NULL) == MC_OK);
    uint32_t node_count = mc_trace_get_nodes(made->trace)->count;
    uint64_t *values = mc_alloc(node_count, sizeof *values);
    REQUIRE(values);
    for (uint32_t step = 0; step < 3; step++) {
        made->counts[step] = mc_alloc_zero((size_t)made->city->building_count + 1, 8);
        REQUIRE(made->counts[step]);
        test_column(made->trace, step, MC_METRIC_BYTES, values);
        mc_city_gather(made->city, values, made->counts[step]);
    }
    mc_free(values);
}

static inline void made_city_destroy(made_city *made) {
    for (uint32_t step = 0; step < 3; step++)
        mc_free(made->counts[step]);
    mc_city_destroy(made->city);
    mc_trace_destroy(made->trace);
    *made = (made_city){0};
}

// A perspective from `eye` to `target`, reversed z with the far plane at infinity.
static inline mc_camera_view made_view(vec3 eye, vec3 target, float aspect) {
    bool is_flat = fabsf(target[0] - eye[0]) + fabsf(target[2] - eye[2]) > 0.0f;
    mat4 look;
    glm_lookat(eye, target, is_flat ? GLM_YUP : (vec3){0.0f, 0.0f, -1.0f}, look);
    float scale = 1.0f / tanf(0.35f), near = 0.1f;
    mat4 perspective = {
        {scale / aspect}, {0.0f, -scale}, {0.0f, 0.0f, 0.0f, -1.0f}, {0.0f, 0.0f, near}};
    mc_camera_view view = {.eye = {eye[0], eye[1], eye[2]}};
    glm_mat4_mul(perspective, look, view.view_projection);
    return view;
}

// The direction of the ray through a point of clip space: the inverse of made_view().
static inline void made_get_direction(const mc_camera_view *view, double x, double y,
                                      double direction[3]) {
    double across[3], upright[3], ahead[3];
    for (int i = 0; i < 3; i++) {
        ahead[i] = (double)view->view_projection[i][3];
        across[i] = (double)view->view_projection[i][0] - x * ahead[i];
        upright[i] = (double)view->view_projection[i][1] - y * ahead[i];
    }
    mc_dvec3_cross(across, upright, direction);
    if (mc_dvec3_dot(direction, ahead) >= 0) return;
    for (int i = 0; i < 3; i++)
        direction[i] = -direction[i];
}

// Where a ray enters a box, in lengths of its direction; negative: it doesn't.
static inline double made_enter_box(const mc_box *box, const vec3 eye, const double direction[3]) {
    double low[3] = {(double)box->footprint.x0, (double)box->base, (double)box->footprint.z0};
    double high[3] = {(double)box->footprint.x1, (double)(box->base + box->height),
                      (double)box->footprint.z1};
    double enter = 0, leave = INFINITY;
    for (int i = 0; i < 3; i++) {
        double t0 = (low[i] - (double)eye[i]) / direction[i];
        double t1 = (high[i] - (double)eye[i]) / direction[i];
        enter = fmax(enter, fmin(t0, t1));
        leave = fmin(leave, fmax(t0, t1));
    }
    return enter < leave ? enter : -1.0;
}

static inline mc_scene made_scene(const mc_city *city, bool dark, float aspect) {
    mc_scene scene = {.params = mc_update_params_default(city),
                      .pixel_scale = 1,
                      .theme = mc_theme_get(dark, MC_PALETTE_HEAT),
                      .hovered = MC_STRUCTURE_NONE,
                      .selected = MC_STRUCTURE_NONE,
                      .edges = true};
    mc_theme_apply(&scene.theme, &scene.params);
    float w = city->width, d = city->depth;
    float eye[3] = {w * 0.5f + w * 0.45f, w * 0.95f, d * 1.75f};
    float target[3] = {w * 0.5f, 0.0f, d * 0.52f};
    scene.view = made_view(eye, target, aspect);
    return scene;
}
