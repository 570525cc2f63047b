#include "engine/render/city/frustum_pass.h"

#include "engine/base/memory.h"
#include "engine/gpu/device.h"
#include "engine/gpu/pipeline.h"
#include <math.h>
#include <string.h>

#define THROUGH_OPACITY 0.22f // of what is hidden
#define THIN_RADIUS 4.0f      // pixels; up to here nobody sees an end, nor what is round
#define MANY 200u             // from so many on, triangles count
#define MOST_PIECES 40u       // of a thin one
#define STRAND_RADIUS 8.0f    // pixels; up to here strands are faster, and look alike
#define CROWD 500u            // from so many on, nobody misses a thicker one's ends
#define CROWD_RADIUS 24.0f
#define CROWD_PIECES 24u // of one thicker than STRAND_RADIUS, whose bends are seen
#define BEND 0.5f        // pixels that an arc may be beside its chords

_Static_assert(sizeof(mc_frustum) == 64, "four 16-byte loads a frustum");

static const uint32_t frustum_vert[] = {
#include "frustum.vert.inc"
};
static const uint32_t frustum_frag[] = {
#include "frustum.frag.inc"
};
static const uint32_t frustum_thin_vert[] = {
#include "frustum_thin.vert.inc"
};
static const uint32_t frustum_thin_frag[] = {
#include "frustum_thin.frag.inc"
};

typedef enum frustum_form { FORM_STREET, FORM_STRAIGHT, FORM_ARC } frustum_form;

// What frustums of a class are drawn by. The first that is fit is taken.
typedef struct mesh {
    frustum_form form;
    float most_radius; // pixels, of what it is fit for
    uint32_t segment_count, column_count;
    bool is_ring, has_end;
    bool is_coarse; // for many frustums, and no more pieces than can be told from the arc
    bool is_thin;   // two silhouettes alone
} mesh;

static const mesh meshes[MC_FRUSTUM_CLASS_COUNT] = {
    {FORM_STREET, INFINITY, 1, 1, false, false, false, false},
    {FORM_STRAIGHT, THIN_RADIUS, 1, 1, false, false, true, true},
    {FORM_STRAIGHT, THIN_RADIUS, 1, 2, false, false, false, false},
    {FORM_STRAIGHT, INFINITY, 1, MC_FRUSTUM_END_COUNT / 2, false, true, false, false},
    {FORM_ARC, THIN_RADIUS, 5, 1, false, false, true, true},
    {FORM_ARC, THIN_RADIUS, 8, 1, false, false, true, true},
    {FORM_ARC, THIN_RADIUS, 12, 1, false, false, true, true},
    {FORM_ARC, THIN_RADIUS, 24, 1, false, false, true, true},
    {FORM_ARC, THIN_RADIUS, MOST_PIECES, 1, false, false, true, true},
    {FORM_ARC, THIN_RADIUS, 24, 2, false, false, false, false},
    {FORM_ARC, INFINITY, 12, MC_FRUSTUM_END_COUNT, true, true, true, false},
    {FORM_ARC, INFINITY, 20, MC_FRUSTUM_END_COUNT, true, true, true, false},
    {FORM_ARC, INFINITY, 32, MC_FRUSTUM_END_COUNT, true, true, false, false},
};

static uint32_t get_index_count(const mesh *m) {
    return m->segment_count * m->column_count * 6 +
           (m->has_end ? (MC_FRUSTUM_END_COUNT - 2) * 3 : 0);
}

// Counter-clockwise as seen from outside; vertices as in shaders/frustum.vert, frustum_thin.vert.
static uint32_t *fill_mesh(uint32_t *next, const mesh *m) {
    uint32_t row = m->column_count + 1, end = (m->segment_count + 1) * row;
    for (uint32_t s = 0; s < m->segment_count; s++)
        for (uint32_t c = 0; c < m->column_count; c++) {
            uint32_t low = s * row + c, high = low + row;
            const uint32_t quad[] = {low, low + 1, high, high, low + 1, high + 1};
            memcpy(next, quad, sizeof quad);
            next += 6;
        }
    for (uint32_t i = 2; m->has_end && i < MC_FRUSTUM_END_COUNT; i++) {
        const uint32_t triangle[] = {end, end + i - 1, end + i};
        memcpy(next, triangle, sizeof triangle);
        next += 3;
    }
    return next;
}

static mc_result create_indices(mc_frustum_pass *pass, mc_gpu *gpu, mc_error *error) {
    mc_result result = MC_OK;
    uint32_t count = 0;
    for (int i = 0; i < MC_FRUSTUM_CLASS_COUNT; i++)
        count += get_index_count(&meshes[i]);
    uint32_t *indices = mc_alloc(count, sizeof *indices), *next = indices;
    if (!indices) return mc_error_out_of_memory(error);
    for (int i = 0; i < MC_FRUSTUM_CLASS_COUNT; i++)
        next = fill_mesh(next, &meshes[i]);
    size_t size = count * sizeof *indices;
    MC_TRY(mc_buffer_create(gpu, size,
                            VK_BUFFER_USAGE_INDEX_BUFFER_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT,
                            MC_MEMORY_DEVICE, "frustum indices", &pass->indices, error));
    MC_TRY(mc_buffer_upload(gpu, &pass->indices, 0, indices, size, error));
fail:
    mc_free(indices);
    return result;
}

static mc_result create_buffer(mc_buffer *buffer, mc_gpu *gpu, VkDeviceSize size, mc_error *error) {
    return mc_buffer_create(gpu, size, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT, MC_MEMORY_DYNAMIC,
                            "frustums", buffer, error);
}

static mc_result create_pipelines(mc_frustum_pass *pass, mc_gpu *gpu, mc_graphics_desc *desc,
                                  bool is_thin, mc_error *error) {
    desc->depth_write = true;
    desc->depth_behind = false;
    desc->name = is_thin ? "thin frustums visible" : "frustums visible";
    mc_result result = mc_pipeline_create_graphics(gpu, desc, &pass->visible[is_thin], error);
    desc->depth_write = false;
    desc->depth_behind = true;
    desc->name = is_thin ? "thin frustums hidden" : "frustums hidden";
    if (result == MC_OK)
        result = mc_pipeline_create_graphics(gpu, desc, &pass->hidden[is_thin], error);
    return result;
}

mc_result mc_frustum_pass_create(mc_frustum_pass *pass, mc_gpu *gpu, const mc_bindings *bindings,
                                 uint32_t samples, mc_error *error) {
    mc_result result = MC_OK;
    *pass = (mc_frustum_pass){0};
    mc_graphics_desc desc = mc_bindings_get_pipeline(
        bindings, samples, MC_SHADER_CODE(frustum_vert), MC_SHADER_CODE(frustum_frag));
    desc.blend = true;
    desc.cull_back = true;
    MC_TRY(create_pipelines(pass, gpu, &desc, false, error));
    desc.vertex = MC_SHADER_CODE(frustum_thin_vert);
    desc.fragment = MC_SHADER_CODE(frustum_thin_frag);
    MC_TRY(create_pipelines(pass, gpu, &desc, true, error));
    MC_TRY(create_indices(pass, gpu, error));
    for (uint32_t i = 0; i < MC_FRAME_COUNT; i++)
        MC_TRY(create_buffer(&pass->buffers[i], gpu, 0, error));
    MC_TRY(mc_strand_pass_create(&pass->strands, gpu, bindings, samples, error));
    return MC_OK;
fail:
    mc_frustum_pass_destroy(pass, gpu);
    return result;
}

void mc_frustum_pass_destroy(mc_frustum_pass *pass, const mc_gpu *gpu) {
    for (int i = 0; i < 2; i++) {
        if (pass->visible[i]) vkDestroyPipeline(gpu->device, pass->visible[i], NULL);
        if (pass->hidden[i]) vkDestroyPipeline(gpu->device, pass->hidden[i], NULL);
    }
    mc_strand_pass_destroy(&pass->strands, gpu);
    mc_buffer_destroy(gpu, &pass->indices);
    mc_free(pass->classes);
    for (uint32_t i = 0; i < MC_FRAME_COUNT; i++)
        mc_buffer_destroy(gpu, &pass->buffers[i]);
    *pass = (mc_frustum_pass){0};
}

// What there is to estimate radii from, without evaluating boxes.
typedef struct estimate {
    const mc_city *city;
    const mc_scene *scene;
    float pixels;        // of a world unit at view depth 1
    float strand_radius; // pixels, of the thickest that is drawn as a strand; 0: none is
} estimate;

static estimate get_estimate(const mc_city *city, const mc_scene *scene, uint32_t height,
                             bool by_strands) {
    float square = 0.0f;
    for (int i = 0; i < 3; i++)
        square += scene->view.view_projection[i][1] * scene->view.view_projection[i][1];
    float strand_radius = scene->frustum_count >= CROWD ? CROWD_RADIUS : STRAND_RADIUS;
    return (estimate){city, scene, sqrtf(square) * 0.5f * (float)height,
                      by_strands ? strand_radius : 0.0f};
}

// An end's plot, and how high it is at most. Of a building that nobody told that: twice as high as
// wide.
static mc_plot get_end(const estimate *e, uint32_t box, float top, float *height) {
    const mc_city *city = e->city;
    uint32_t district = box - city->building_count, marker = district - city->district_count;
    if (box < city->building_count) {
        mc_plot plot = city->building_plot[box];
        float most = 2.0f * sqrtf((plot.x1 - plot.x0) * (plot.z1 - plot.z0));
        *height = top > 0.0f ? fminf(top, most) : most;
        return plot;
    }
    *height = top;
    if (district < city->district_count) return city->district_plot[district];
    const mc_city_markers *markers = e->scene->markers;
    mc_box there = markers && marker < markers->count ? markers->boxes[marker] : (mc_box){0};
    *height = there.height;
    return there.footprint;
}

// An end at most, in pixels: how thick it is, and how far an arc of that height leads away.
static void get_size(const estimate *e, uint32_t box, float share, float top, float arc,
                     float *radius, float *bow) {
    float height;
    mc_plot plot = get_end(e, box, top, &height);
    mc_camera_view view = e->scene->view;
    vec3 at = {0.5f * (plot.x0 + plot.x1), height, 0.5f * (plot.z0 + plot.z1)};
    glm_vec3_sub(at, view.eye, at);
    float depth = 0.0f;
    for (int i = 0; i < 3; i++)
        depth += view.view_projection[i][3] * at[i];
    float thick = 0.5f * height * MC_FRUSTUM_RADIUS_SHARE * share;
    float scale = depth > fmaxf(thick, arc) ? e->pixels / depth : INFINITY;
    *radius = fmaxf(*radius, thick > 0.0f ? thick * scale : 0.0f);
    *bow = fmaxf(*bow, arc > 0.0f ? arc * scale : 0.0f);
}

// A chord of a parabola is away from it by a share of its height: 1 over their number's square.
static bool is_fit(const mesh *m, frustum_form form, float radius, float bow, bool are_many,
                   float strand_radius) {
    float most = BEND * (float)(m->segment_count * m->segment_count);
    bool is_strand = m->is_thin && strand_radius > 0.0f;
    if (is_strand && form == FORM_ARC && radius > STRAND_RADIUS && m->segment_count < CROWD_PIECES)
        return false;
    return m->form == form && radius <= (is_strand ? strand_radius : m->most_radius) &&
           (!m->is_coarse || (are_many && bow <= most));
}

static uint32_t classify(const estimate *e, const mc_frustum *f) {
    frustum_form form = f->kind >= MC_FRUSTUM_STREET ? FORM_STREET
                        : f->arc > 0.0f              ? FORM_ARC
                                                     : FORM_STRAIGHT;
    float radius = 0.0f, bow = 0.0f;
    if (form != FORM_STREET) {
        get_size(e, f->from_box, f->from_share, fmaxf(f->from_top0, f->from_top1), f->arc, &radius,
                 &bow);
        get_size(e, f->to_box, f->to_share, fmaxf(f->to_top0, f->to_top1), f->arc, &radius, &bow);
    }
    bool are_many = e->scene->frustum_count >= MANY;
    uint32_t class = 0;
    while (class < MC_FRUSTUM_CLASS_COUNT &&
           !is_fit(&meshes[class], form, radius, bow, are_many, e->strand_radius))
        class ++;
    return class;
}

static void count_classes(mc_frustum_pass *pass, const mc_scene *scene, const mc_city *city,
                          uint32_t box_count, uint32_t height, bool by_strands) {
    estimate around = get_estimate(city, scene, height, by_strands);
    for (uint32_t i = 0; i < scene->frustum_count; i++) {
        const mc_frustum *frustum = &scene->frustums[i];
        bool belongs = frustum->from_box < box_count && frustum->to_box < box_count;
        uint32_t class = belongs ? classify(&around, frustum) : MC_FRUSTUM_CLASS_COUNT;
        pass->classes[i] = (uint8_t) class;
        if (belongs) pass->counts[class]++;
    }
}

// Class by class, each in its own order.
static void fill(mc_frustum_pass *pass, mc_frustum *out, const mc_scene *scene) {
    mc_frustum *next[MC_FRUSTUM_CLASS_COUNT];
    for (int i = 0; i < MC_FRUSTUM_CLASS_COUNT; out += pass->counts[i++])
        next[i] = out;
    for (uint32_t i = 0; i < scene->frustum_count; i++)
        if (pass->classes[i] < MC_FRUSTUM_CLASS_COUNT)
            *next[pass->classes[i]]++ = scene->frustums[i];
}

static mc_result copy_frustums(mc_frustum_pass *pass, mc_frames *frames, mc_buffer *buffer,
                               const mc_scene *scene, mc_error *error) {
    size_t size = scene->frustum_count * sizeof *scene->frustums;
    if (buffer->size < size) {
        mc_buffer larger = {0};
        mc_result result = create_buffer(&larger, frames->gpu, size + size / 2, error);
        if (result != MC_OK) return result;
        mc_frames_retire_buffer(frames, buffer);
        *buffer = larger;
    }
    fill(pass, buffer->mapped, scene);
    return MC_OK;
}

// Classes of thin ones, and how many pieces they have in all.
static uint64_t list_strands(mc_frustum_pass *pass) {
    uint64_t piece_count = 0;
    uint32_t first = 0;
    for (int i = 0; i < MC_FRUSTUM_CLASS_COUNT; first += pass->counts[i++]) {
        uint32_t segment_count = meshes[i].segment_count;
        if (!meshes[i].is_thin || pass->counts[i] == 0) continue;
        pass->ranges[pass->range_count++] = (mc_strands){first, pass->counts[i], segment_count};
        piece_count += (uint64_t)pass->counts[i] * segment_count;
    }
    return piece_count;
}

mc_result mc_frustum_pass_prepare(mc_frustum_pass *pass, mc_frames *frames, const mc_frame *frame,
                                  const mc_scene *scene, const mc_city *city, uint32_t box_count,
                                  const mc_frustum_picture *picture, mc_error *error) {
    mc_result result = MC_OK;
    memset(pass->counts, 0, sizeof pass->counts);
    pass->range_count = 0;
    if (!city) return MC_OK;
    if (!mc_reserve(&pass->classes, &pass->class_capacity, scene->frustum_count, 1))
        return mc_error_out_of_memory(error);
    uint32_t width = picture->width, height = picture->height;
    uint64_t most = (uint64_t)scene->frustum_count * MOST_PIECES;
    bool by_strands = picture->by_strands && scene->frustum_count >= MANY &&
                      mc_strand_pass_can_draw(&pass->strands, frames->gpu, most, width, height);
    count_classes(pass, scene, city, box_count, height, by_strands);
    MC_TRY(copy_frustums(pass, frames, &pass->buffers[frame->index], scene, error));
    if (by_strands)
        MC_TRY(mc_strand_pass_prepare(&pass->strands, frames, (uint32_t)list_strands(pass), width,
                                      height, error));
fail:
    return result;
}

const mc_buffer *mc_frustum_pass_get_buffer(const mc_frustum_pass *pass, uint32_t frame_index) {
    return &pass->buffers[frame_index];
}

static void record_classes(const mc_frustum_pass *pass, const mc_bindings *bindings,
                           VkCommandBuffer commands, const VkPipeline pipelines[2], float opacity) {
    uint32_t first_index = 0, first = 0;
    for (int i = 0; i < MC_FRUSTUM_CLASS_COUNT; i++) {
        const mesh *m = &meshes[i];
        uint32_t index_count = get_index_count(m);
        mc_frustum_draw draw = {.segment_count = m->segment_count,
                                .column_count = m->column_count,
                                .is_ring = m->is_ring,
                                .is_street = m->form == FORM_STREET,
                                .opacity = opacity};
        if (pass->counts[i] > 0 && !(m->is_thin && pass->range_count > 0)) {
            vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, pipelines[m->is_thin]);
            mc_bindings_record_push(bindings, commands, &draw, sizeof draw);
            vkCmdDrawIndexed(commands, index_count, pass->counts[i], first_index, 0, first);
        }
        first_index += index_count;
        first += pass->counts[i];
    }
}

void mc_frustum_pass_record_strands(mc_frustum_pass *pass, const mc_gpu *gpu,
                                    const mc_bindings *bindings, VkCommandBuffer commands) {
    if (pass->range_count > 0)
        mc_strand_pass_record(&pass->strands, gpu, bindings, pass->ranges, pass->range_count,
                              commands);
}

void mc_frustum_pass_record(const mc_frustum_pass *pass, const mc_gpu *gpu,
                            const mc_bindings *bindings, const mc_frame *frame,
                            const mc_target *target) {
    VkCommandBuffer commands = frame->commands;
    uint32_t count = 0;
    for (int i = 0; i < MC_FRUSTUM_CLASS_COUNT; i++)
        count += pass->counts[i];
    if (count == 0) return;
    mc_gpu_begin_label(gpu, commands, "frustums");
    vkCmdBindIndexBuffer(commands, pass->indices.handle, 0, VK_INDEX_TYPE_UINT32);
    record_classes(pass, bindings, commands, pass->hidden, THROUGH_OPACITY);
    record_classes(pass, bindings, commands, pass->visible, 1.0f);
    if (pass->range_count > 0) {
        mc_target_record_begin_deep(target, commands);
        mc_strand_pass_record_resolve(&pass->strands, gpu, bindings, frame, target->depth.view,
                                      THROUGH_OPACITY);
        mc_target_record_end_deep(target, commands);
    }
    mc_gpu_end_label(gpu, commands);
}
