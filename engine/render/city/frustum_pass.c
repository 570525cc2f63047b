#include "engine/render/city/frustum_pass.h"

#include "engine/base/memory.h"
#include "engine/gpu/device.h"
#include "engine/gpu/pipeline.h"
#include <math.h>
#include <string.h>

#include "frustum.frag.inc"
#include "frustum.vert.inc"
#include "frustum_head.frag.inc"
#include "frustum_head.vert.inc"
#include "frustum_thin.frag.inc"
#include "frustum_thin.vert.inc"

#define THROUGH_OPACITY 0.22f          // of what is hidden
#define THIN_RADIUS 8.0f               // pixels; up to here nobody sees an end
#define MANY 200u                      // from so many on, triangles count
#define MOST_PIECES 40u                // of a thin one
#define STRAND_RADIUS 8.0f             // pixels; up to here strands are faster, and look alike
#define STRAND_PIECES 2u               // of a straight one: a piece has one end at most
#define WIDE_RADIUS 3.0f               // pixels, of one that may cover a tile
#define CROWD_RADIUS 96.0f             // as meshes, thicker ones of a crowd cost too much
#define CROWD_PIECES 24u               // of one thicker than STRAND_RADIUS, whose bends are seen
#define BEND 0.5f                      // pixels that an arc may be beside its chords
#define STRANDS MC_FRUSTUM_CLASS_COUNT // and as many pieces: the class of what is drawn as strands
#define NONE UINT8_MAX                 // the class of what is not drawn

_Static_assert(sizeof(mc_frustum) == 64, "four 16-byte loads a frustum");

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

static mc_result create_head_pipelines(mc_frustum_pass *pass, mc_gpu *gpu, mc_graphics_desc *desc,
                                       mc_error *error) {
    desc->depth_write = true;
    desc->depth_behind = false;
    desc->name = "arrowheads visible";
    mc_result result = mc_pipeline_create_graphics(gpu, desc, &pass->heads[0], error);
    desc->depth_write = false;
    desc->depth_behind = true;
    desc->name = "arrowheads hidden";
    if (result == MC_OK) result = mc_pipeline_create_graphics(gpu, desc, &pass->heads[1], error);
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
    desc.vertex = MC_SHADER_CODE(frustum_head_vert);
    desc.fragment = MC_SHADER_CODE(frustum_head_frag);
    desc.cull_back = false;
    MC_TRY(create_head_pipelines(pass, gpu, &desc, error));
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
        mc_pipeline_destroy(pass->visible[i]);
        mc_pipeline_destroy(pass->hidden[i]);
        mc_pipeline_destroy(pass->heads[i]);
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
    float longest;       // pixels of any that are in the picture
} estimate;

static estimate get_estimate(const mc_city *city, const mc_scene *scene,
                             const mc_frustum_picture *picture, bool by_strands) {
    float square = 0.0f;
    for (int i = 0; i < 3; i++)
        square += scene->view.view_projection[i][1] * scene->view.view_projection[i][1];
    float strand_radius = scene->frustum_count >= MC_FRUSTUM_CROWD ? CROWD_RADIUS : STRAND_RADIUS;
    return (estimate){city, scene, sqrtf(square) * 0.5f * (float)picture->height,
                      by_strands ? strand_radius : 0.0f,
                      2.0f * (float)(picture->width + picture->height)};
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

// A frustum at most, in pixels: how thick it is, how far an arc leads away, how long it is.
typedef struct extent {
    float radius, bow, length;
} extent;

// Of one end, `length` being in world units.
static void add_end(const estimate *e, uint32_t box, float share, float top, float bow,
                    float length, extent *most) {
    float height;
    mc_plot plot = get_end(e, box, top, &height);
    mc_camera_view view = e->scene->view;
    vec3 at = {0.5f * (plot.x0 + plot.x1), height, 0.5f * (plot.z0 + plot.z1)};
    glm_vec3_sub(at, view.eye, at);
    float depth = 0.0f;
    for (int i = 0; i < 3; i++)
        depth += view.view_projection[i][3] * at[i];
    float thick = 0.5f * height * MC_FRUSTUM_RADIUS_SHARE * share;
    float scale = depth > fmaxf(thick, bow) ? e->pixels / depth : INFINITY;
    float drawn =
        fminf(thick > 0.0f ? thick * scale : 0.0f, MC_FRUSTUM_MOST_THICK * e->scene->pixel_scale);
    most->radius = fmaxf(most->radius, drawn);
    most->bow = fmaxf(most->bow, bow > 0.0f ? bow * scale : 0.0f);
    most->length = fmaxf(most->length, length > 0.0f ? length * scale : 0.0f);
}

static extent get_extent(const estimate *e, const mc_frustum *f) {
    extent most = {0};
    float height;
    mc_plot from = get_end(e, f->from_box, 0.0f, &height),
            to = get_end(e, f->to_box, 0.0f, &height);
    float x = 0.5f * (to.x0 + to.x1 - from.x0 - from.x1);
    float z = 0.5f * (to.z0 + to.z1 - from.z0 - from.z1);
    float tops = fabsf(f->to_top1 - f->from_top1), length = hypotf(hypotf(x, z), tops);
    float bow = hypotf(f->arc, f->sway);
    length += 2.0f * bow;
    add_end(e, f->from_box, f->from_share, fmaxf(f->from_top0, f->from_top1), bow, length, &most);
    add_end(e, f->to_box, f->to_share, fmaxf(f->to_top0, f->to_top1), bow, length, &most);
    most.length = fminf(most.length, e->longest);
    return most;
}

// A chord of a parabola is away from it by a share of its height: 1 over their number's square.
static bool is_fit(const mesh *m, frustum_form form, const extent *most, bool are_many) {
    float bow = BEND * (float)(m->segment_count * m->segment_count);
    return m->form == form && most->radius <= m->most_radius &&
           (!m->is_coarse || (are_many && most->bow <= bow));
}

static uint32_t count_pieces(frustum_form form, const extent *most) {
    uint32_t least = most->radius > STRAND_RADIUS ? CROWD_PIECES : STRAND_PIECES;
    if (form == FORM_STRAIGHT) return STRAND_PIECES;
    float wanted = ceilf(sqrtf(fminf(most->bow, 1e6f) / BEND));
    uint32_t count = wanted < (float)MOST_PIECES ? (uint32_t)wanted : MOST_PIECES;
    return count > least ? count : least;
}

// Which tiles pieces may lie in.
static uint64_t count_items(const extent *most, uint32_t piece_count) {
    const float side = MC_STRAND_TILE;
    float along = 2.0f * most->length / side + 2.0f * (float)piece_count;
    return (uint64_t)(along * (2.0f + 2.0f * most->radius / side));
}

static uint32_t classify(const estimate *e, const mc_frustum *f, mc_strands *strands) {
    bool is_arc = f->arc > 0.0f || f->sway != 0.0f;
    frustum_form form = f->kind >= MC_FRUSTUM_STREET ? FORM_STREET
                        : is_arc                     ? FORM_ARC
                                                     : FORM_STRAIGHT;
    extent most = {0};
    if (form != FORM_STREET) {
        most = get_extent(e, f);
        if (e->strand_radius > 0.0f && most.radius <= e->strand_radius) {
            uint32_t piece_count = count_pieces(form, &most);
            strands->piece_count += piece_count;
            strands->item_count += count_items(&most, piece_count);
            strands->top = fmaxf(strands->top, fmaxf(f->from_top1, f->to_top1) + f->arc);
            strands->are_wide |= most.radius > WIDE_RADIUS;
            return STRANDS + piece_count;
        }
    }
    bool are_many = e->scene->frustum_count >= MANY;
    uint32_t class = 0;
    while (class < MC_FRUSTUM_CLASS_COUNT && !is_fit(&meshes[class], form, &most, are_many))
        class ++;
    return class;
}

static void count_classes(mc_frustum_pass *pass, const mc_scene *scene, const mc_city *city,
                          uint32_t box_count, const mc_frustum_picture *picture, bool by_strands,
                          mc_strands *strands) {
    estimate around = get_estimate(city, scene, picture, by_strands);
    for (uint32_t i = 0; i < scene->frustum_count; i++) {
        const mc_frustum *frustum = &scene->frustums[i];
        bool belongs = frustum->from_box < box_count && frustum->to_box < box_count;
        uint32_t class = belongs ? classify(&around, frustum, strands) : NONE;
        pass->classes[i] = (uint8_t) class;
        if (class < STRANDS)
            pass->counts[class]++;
        else if (belongs)
            strands->count++;
    }
    for (int i = 0; i < MC_FRUSTUM_CLASS_COUNT; i++)
        strands->first += pass->counts[i];
}

// Class by class, each in its own order; strands behind them.
static void fill(const mc_frustum_pass *pass, mc_frustum *out, const mc_scene *scene) {
    mc_frustum *next[MC_FRUSTUM_CLASS_COUNT];
    for (int i = 0; i < MC_FRUSTUM_CLASS_COUNT; out += pass->counts[i++])
        next[i] = out;
    uint32_t first_piece = 0;
    for (uint32_t i = 0; i < scene->frustum_count; i++) {
        uint32_t class = pass->classes[i];
        if (class < STRANDS) {
            *next[class]++ = scene->frustums[i];
        } else if (class < NONE) {
            mc_frustum strand = scene->frustums[i];
            strand.first_piece = first_piece;
            strand.piece_count = class - STRANDS;
            first_piece += strand.piece_count;
            *out++ = strand;
        }
    }
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

mc_result mc_frustum_pass_prepare(mc_frustum_pass *pass, mc_frames *frames, const mc_frame *frame,
                                  const mc_scene *scene, const mc_city *city, uint32_t box_count,
                                  const mc_frustum_picture *picture, mc_error *error) {
    mc_result result = MC_OK;
    mc_strands strands = {0};
    memset(pass->counts, 0, sizeof pass->counts);
    pass->strands.strands = strands;
    if (!city) return MC_OK;
    if (!mc_reserve(&pass->classes, &pass->class_capacity, scene->frustum_count, 1))
        return mc_error_out_of_memory(error);
    uint64_t most = (uint64_t)scene->frustum_count * MOST_PIECES;
    bool by_strands =
        picture->by_strands && scene->frustum_count >= MANY &&
        mc_strand_pass_can_draw(&pass->strands, frames->gpu, most, picture->width, picture->height);
    count_classes(pass, scene, city, box_count, picture, by_strands, &strands);
    MC_TRY(copy_frustums(pass, frames, &pass->buffers[frame->index], scene, error));
    MC_TRY(mc_strand_pass_prepare(&pass->strands, frames, &strands, picture->width, picture->height,
                                  error));
fail:
    return result;
}

const mc_buffer *mc_frustum_pass_get_buffer(const mc_frustum_pass *pass, uint32_t frame_index) {
    return &pass->buffers[frame_index];
}

static void record_classes(const mc_frustum_pass *pass, const mc_bindings *bindings,
                           VkCommandBuffer commands, mc_pipeline *const pipelines[2],
                           float opacity) {
    uint32_t first_index = 0, first = 0;
    for (int i = 0; i < MC_FRUSTUM_CLASS_COUNT; i++) {
        const mesh *m = &meshes[i];
        uint32_t index_count = get_index_count(m);
        mc_frustum_draw draw = {.segment_count = m->segment_count,
                                .column_count = m->column_count,
                                .is_ring = m->is_ring,
                                .is_street = m->form == FORM_STREET,
                                .opacity = opacity};
        if (pass->counts[i] > 0) {
            mc_pipeline_record_bind(pipelines[m->is_thin], commands);
            mc_bindings_record_push(bindings, commands, &draw, sizeof draw);
            vkCmdDrawIndexed(commands, index_count, pass->counts[i], first_index, 0, first);
        }
        first_index += index_count;
        first += pass->counts[i];
    }
}

// Of all but streets, which come first, and strands, which are too many and come last.
static void record_heads(const mc_frustum_pass *pass, const mc_bindings *bindings,
                         VkCommandBuffer commands, mc_pipeline *pipeline, float opacity) {
    uint32_t first = pass->counts[0], count = 0;
    for (int i = 1; i < MC_FRUSTUM_CLASS_COUNT; i++)
        count += pass->counts[i];
    mc_frustum_draw draw = {.segment_count = 1, .opacity = opacity};
    if (count == 0) return;
    mc_pipeline_record_bind(pipeline, commands);
    mc_bindings_record_push(bindings, commands, &draw, sizeof draw);
    vkCmdDraw(commands, 6, count, 0, first);
}

void mc_frustum_pass_record_strands(const mc_frustum_pass *pass, const mc_gpu *gpu,
                                    const mc_bindings *bindings, VkCommandBuffer commands) {
    mc_strand_pass_record(&pass->strands, gpu, bindings, commands);
}

void mc_frustum_pass_record(const mc_frustum_pass *pass, const mc_gpu *gpu,
                            const mc_bindings *bindings, const mc_frame *frame,
                            const mc_target *target) {
    VkCommandBuffer commands = frame->commands;
    uint32_t count = pass->strands.strands.count;
    for (int i = 0; i < MC_FRUSTUM_CLASS_COUNT; i++)
        count += pass->counts[i];
    if (count == 0) return;
    mc_gpu_begin_label(gpu, commands, "frustums");
    vkCmdBindIndexBuffer(commands, pass->indices.handle, 0, VK_INDEX_TYPE_UINT32);
    record_classes(pass, bindings, commands, pass->hidden, THROUGH_OPACITY);
    record_heads(pass, bindings, commands, pass->heads[1], THROUGH_OPACITY);
    record_classes(pass, bindings, commands, pass->visible, 1.0f);
    record_heads(pass, bindings, commands, pass->heads[0], 1.0f);
    if (pass->strands.strands.count > 0) {
        mc_target_record_begin_deep(target, commands);
        mc_strand_pass_record_resolve(&pass->strands, gpu, bindings, frame, target->depth.view,
                                      THROUGH_OPACITY);
        mc_target_record_end_deep(target, commands);
    }
    mc_gpu_end_label(gpu, commands);
}
