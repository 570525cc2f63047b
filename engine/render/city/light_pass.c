#include "engine/render/city/light_pass.h"

#include "engine/gpu/device.h"
#include "engine/gpu/pipeline.h"
#include <math.h>

#include "heights.comp.inc"
#include "heights_large.comp.inc"
#include "sun.comp.inc"

enum { LARGE_GROUP_COUNT = 128 };

#define WORD_COUNT (MC_HEIGHT_SHADOWS + MC_HEIGHT_SIDE * MC_HEIGHT_SIDE)

// As in shaders/arriving.glsl.
#define SUN_AZIMUTH 2.5
#define SUN_WIDTH 0.07

enum { SUN_POINT_COUNT = 8 };

mc_result mc_light_pass_create(mc_light_pass *pass, mc_gpu *gpu, const mc_bindings *bindings,
                               mc_error *error) {
    mc_result result = MC_OK;
    *pass = (mc_light_pass){0};
    MC_TRY(mc_buffer_create(gpu, WORD_COUNT * sizeof(uint32_t),
                            VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT |
                                VK_BUFFER_USAGE_UNIFORM_TEXEL_BUFFER_BIT,
                            MC_MEMORY_DEVICE, "heights", &pass->heights, error));
    MC_TRY(
        mc_buffer_create_column(gpu, &pass->heights, VK_FORMAT_R32_SFLOAT, sizeof(float), error));
    MC_TRY(mc_pipeline_create_compute(gpu, MC_SHADER_CODE(heights_comp), bindings->layout,
                                      "heights", &pass->small, error));
    MC_TRY(mc_pipeline_create_compute(gpu, MC_SHADER_CODE(heights_large_comp), bindings->layout,
                                      "heights large", &pass->large, error));
    MC_TRY(mc_pipeline_create_compute(gpu, MC_SHADER_CODE(sun_comp), bindings->layout, "sun",
                                      &pass->sun, error));
    return MC_OK;
fail:
    mc_light_pass_destroy(pass, gpu);
    return result;
}

void mc_light_pass_destroy(mc_light_pass *pass, const mc_gpu *gpu) {
    mc_pipeline_destroy(pass->small);
    mc_pipeline_destroy(pass->large);
    mc_pipeline_destroy(pass->sun);
    mc_buffer_destroy(gpu, &pass->heights);
    *pass = (mc_light_pass){0};
}

static float clamp(float value, float high) {
    return value > 0.0f ? fminf(value, high) : 0.0f; // NaN becomes 0
}

// Where the ray through a corner of the picture leaves the city's height `y`, within the city:
// beyond the horizon at its far side.
static void find_ground(const mc_frame_uniforms *uniforms, const mc_city *city, float pixel_x,
                        float pixel_y, float y, float place[2]) {
    float ray[3];
    for (int i = 0; i < 3; i++)
        ray[i] =
            uniforms->ray_origin[i] + pixel_x * uniforms->ray_x[i] + pixel_y * uniforms->ray_y[i];
    float away = (y - uniforms->eye[1]) / ray[1];
    if (!(away > 0.0f)) away = 1e6f * (city->width + city->depth);
    place[0] = clamp(uniforms->eye[0] + away * ray[0], city->width);
    place[1] = clamp(uniforms->eye[2] + away * ray[2], city->depth);
}

void mc_light_set(mc_frame_uniforms *uniforms, const mc_city *city, uint32_t drawing,
                  uint32_t drawing_count, uint32_t ray_count) {
    float low[2] = {city->width, city->depth}, high[2] = {0.0f, 0.0f};
    float top = city->highest_top;
    for (uint32_t i = 0; i < 8; i++) {
        float place[2];
        find_ground(uniforms, city, i & 1 ? uniforms->viewport[0] : 0.0f,
                    i & 2 ? uniforms->viewport[1] : 0.0f, i & 4 ? top : 0.0f, place);
        for (int k = 0; k < 2; k++) {
            low[k] = fminf(low[k], place[k]);
            high[k] = fmaxf(high[k], place[k]);
        }
    }
    // An eye above the city may see all around it.
    for (int k = 0; k < 2; k++) {
        float eye = uniforms->eye[k * 2], side = k == 0 ? city->width : city->depth;
        if (eye > 0.0f && eye < side) {
            low[k] = fminf(low[k], eye);
            high[k] = fmaxf(high[k], eye);
        }
        low[k] = clamp(low[k] - top / MC_SUN_TANGENT, side);
        high[k] = clamp(high[k] + top / MC_SUN_TANGENT, side);
    }
    float sides[2] = {fmaxf(high[0] - low[0], 1e-3f * city->width),
                      fmaxf(high[1] - low[1], 1e-3f * city->depth)};
    uniforms->light_place[0] = low[0];
    uniforms->light_place[1] = low[1];
    uniforms->light_place[2] = (float)MC_HEIGHT_SIDE / sides[0];
    uniforms->light_place[3] = (float)MC_HEIGHT_SIDE / sides[1];
    uniforms->light_map[0] = (float)MC_HEIGHT_SIDE;
    uniforms->light_map[1] = fmaxf(sides[0], sides[1]) / (float)MC_HEIGHT_SIDE;
    uniforms->light_map[2] = top;
    uniforms->light[0] = (float)drawing;
    uniforms->light[1] = (float)ray_count;
    // More points than half of 16 are not told apart in a picture.
    uniforms->light[2] = (float)(drawing_count >= 2 * SUN_POINT_COUNT ? drawing / 2 : drawing);
}

uint32_t mc_light_get_kind(const mc_light_use *use) {
    if (!use->uniforms) return MC_LIGHT_NONE;
    return use->uniforms->light[1] > 1.0f ? MC_LIGHT_MARCHED : MC_LIGHT_SWEPT;
}

static void record_heights(mc_light_pass *pass, const mc_gpu *gpu, const mc_bindings *bindings,
                           const mc_frame_uniforms *uniforms, uint32_t building_count,
                           VkCommandBuffer commands) {
    const VkPipelineStageFlags2 compute = VK_PIPELINE_STAGE_2_COMPUTE_SHADER_BIT;
    const VkPipelineStageFlags2 transfer = VK_PIPELINE_STAGE_2_ALL_TRANSFER_BIT;
    const VkAccessFlags2 access =
        VK_ACCESS_2_SHADER_STORAGE_READ_BIT | VK_ACCESS_2_SHADER_STORAGE_WRITE_BIT;
    mc_height_draw draw = {.x = uniforms->light_place[0],
                           .z = uniforms->light_place[1],
                           .scale_x = uniforms->light_place[2],
                           .scale_z = uniforms->light_place[3],
                           .count = building_count};
    mc_buffer_record_barrier(commands, compute | VK_PIPELINE_STAGE_2_FRAGMENT_SHADER_BIT,
                             VK_ACCESS_2_SHADER_STORAGE_WRITE_BIT, transfer,
                             VK_ACCESS_2_TRANSFER_WRITE_BIT);
    vkCmdFillBuffer(commands, pass->heights.handle, 0, MC_HEIGHT_SHADOWS * sizeof(uint32_t), 0);
    mc_buffer_record_barrier(commands, transfer, VK_ACCESS_2_TRANSFER_WRITE_BIT, compute, access);
    mc_pipeline_record_bind(pass->small, commands);
    uint32_t most = mc_pipeline_get_most_invocations(gpu, MC_UPDATE_GROUP_SIZE);
    for (uint32_t rest = building_count; rest > 0;) {
        uint32_t part = rest < most ? rest : most;
        draw.first = building_count - rest;
        if (draw.first > 0) mc_buffer_record_barrier(commands, compute, access, compute, access);
        mc_bindings_record_push(bindings, commands, &draw, sizeof draw);
        vkCmdDispatch(commands, (part + MC_UPDATE_GROUP_SIZE - 1) / MC_UPDATE_GROUP_SIZE, 1, 1);
        rest -= part;
    }
    mc_buffer_record_barrier(commands, compute, access, compute, access);
    mc_pipeline_record_bind(pass->large, commands);
    vkCmdDispatch(commands, LARGE_GROUP_COUNT, 1, 1);
}

static double get_fraction(double value) {
    return value - floor(value);
}

// Lines away from a point of the sun, along the axis of the map that it is nearest to.
static mc_sun_draw get_sun_draw(const mc_frame_uniforms *uniforms) {
    const int32_t last = MC_HEIGHT_SIDE - 1;
    double point = (double)uniforms->light[2];
    double aside = get_fraction(0.5 + point * 0.618034) - 0.5;
    double above = get_fraction(0.5 + point * 0.754878) - 0.5;
    double azimuth = SUN_AZIMUTH + aside * 2.0 * SUN_WIDTH;
    double tangent = (double)MC_SUN_TANGENT * (1.0 + above * 2.0 * SUN_WIDTH);
    double x = cos(azimuth) * (double)uniforms->light_place[2]; // texels in a unit on the ground
    double z = sin(azimuth) * (double)uniforms->light_place[3];
    bool is_along_x = fabs(x) >= fabs(z);
    double along = is_along_x ? x : z, across = is_along_x ? z : x;
    int32_t stride = is_along_x ? MC_HEIGHT_SIDE : 1;
    double slope = -across / fabs(along);
    if (fabs(slope) < 1e-6) slope = 1e-6;                   // lines' ends are divided by it
    int32_t aslant = (int32_t)ceil(fabs(slope) * last) + 1; // a line's end is beside its beginning
    return (mc_sun_draw){.first = along > 0 ? last * stride : 0,
                         .major = along > 0 ? -stride : stride,
                         .minor = is_along_x ? 1 : MC_HEIGHT_SIDE,
                         .first_line = slope > 0 ? -aslant : 0,
                         .line_count = (uint32_t)(MC_HEIGHT_SIDE + aslant),
                         .slope = (float)slope,
                         .drop = (float)(tangent / fabs(along))};
}

void mc_light_pass_record(mc_light_pass *pass, const mc_gpu *gpu, const mc_bindings *bindings,
                          const mc_light_use *use, uint32_t building_count,
                          VkCommandBuffer commands) {
    const VkPipelineStageFlags2 compute = VK_PIPELINE_STAGE_2_COMPUTE_SHADER_BIT;
    const VkPipelineStageFlags2 fragment = VK_PIPELINE_STAGE_2_FRAGMENT_SHADER_BIT;
    const VkAccessFlags2 access =
        VK_ACCESS_2_SHADER_STORAGE_READ_BIT | VK_ACCESS_2_SHADER_STORAGE_WRITE_BIT;
    uint32_t kind = mc_light_get_kind(use);
    bool is_new = use->key != pass->key;
    if (kind == MC_LIGHT_NONE || building_count == 0) return;
    bool sweeps = kind == MC_LIGHT_SWEPT && (is_new || pass->sun_point != use->uniforms->light[2]);
    if (!is_new && !sweeps) return;
    mc_gpu_begin_label(gpu, commands, "light");
    if (is_new) record_heights(pass, gpu, bindings, use->uniforms, building_count, commands);
    pass->sun_point = sweeps ? use->uniforms->light[2] : -1.0f;
    pass->key = use->key;
    if (sweeps) {
        mc_sun_draw draw = get_sun_draw(use->uniforms);
        // Earlier drawings may still read what is overwritten; heights are read as texels.
        mc_buffer_record_barrier(commands, compute | fragment, VK_ACCESS_2_SHADER_STORAGE_WRITE_BIT,
                                 compute, access | VK_ACCESS_2_SHADER_SAMPLED_READ_BIT);
        mc_pipeline_record_bind(pass->sun, commands);
        mc_bindings_record_push(bindings, commands, &draw, sizeof draw);
        vkCmdDispatch(commands, (draw.line_count + MC_UPDATE_GROUP_SIZE - 1) / MC_UPDATE_GROUP_SIZE,
                      1, 1);
    }
    mc_buffer_record_barrier(commands, compute, VK_ACCESS_2_SHADER_STORAGE_WRITE_BIT, fragment,
                             VK_ACCESS_2_SHADER_STORAGE_READ_BIT |
                                 VK_ACCESS_2_SHADER_SAMPLED_READ_BIT);
    mc_gpu_end_label(gpu, commands);
}
