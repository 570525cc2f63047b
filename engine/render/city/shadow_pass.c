#include "engine/render/city/shadow_pass.h"

#include "engine/gpu/device.h"
#include "engine/gpu/pipeline.h"

#include "shadow.frag.inc"
#include "shadow.vert.inc"

enum { LARGEST_BUILDING_COUNT = 1 << 15, QUAD_VERTEX_COUNT = 6 };

mc_result mc_shadow_pass_create(mc_shadow_pass *pass, mc_gpu *gpu, const mc_bindings *bindings,
                                uint32_t samples, mc_error *error) {
    mc_graphics_desc desc = mc_bindings_get_pipeline(bindings, samples, MC_SHADER_CODE(shadow_vert),
                                                     MC_SHADER_CODE(shadow_frag));
    desc.blend = true;
    // Corners go to the nearest place of a grid, and planes with them: by half a step each, of the
    // shadow and of the roof that it lies on, along both axes.
    desc.depth_slope = 2.0f / gpu->subpixels;
    desc.name = "shadow";
    return mc_pipeline_create_graphics(gpu, &desc, &pass->pipeline, error);
}

void mc_shadow_pass_destroy(mc_shadow_pass *pass) {
    mc_pipeline_destroy(pass->pipeline);
    *pass = (mc_shadow_pass){0};
}

static void record_quads(const mc_bindings *bindings, VkCommandBuffer commands,
                         const mc_shadow_draw *draw, uint32_t count) {
    mc_bindings_record_push(bindings, commands, draw, sizeof *draw);
    vkCmdDraw(commands, count * QUAD_VERTEX_COUNT, 1, 0, 0);
}

void mc_shadow_pass_record(const mc_shadow_pass *pass, const mc_gpu *gpu,
                           const mc_bindings *bindings, VkCommandBuffer commands, float opacity,
                           uint32_t building_count, uint32_t district_count) {
    if (opacity <= 0.0f) return;
    mc_gpu_begin_label(gpu, commands, "shadow");
    mc_pipeline_record_bind(pass->pipeline, commands);
    // A little above the roof that it lies on, which has the same plane.
    const float bias = 2e-5f;
    mc_shadow_draw city = {.first = building_count,
                           .reach = MC_SHADOW_CITY_REACH,
                           .opacity = 0.7f * opacity,
                           .bias = bias};
    if (district_count > 0) record_quads(bindings, commands, &city, 1);
    mc_shadow_draw buildings = {.reach = 0.4f, .opacity = opacity, .bias = bias};
    if (building_count <= LARGEST_BUILDING_COUNT)
        record_quads(bindings, commands, &buildings, building_count);
    mc_gpu_end_label(gpu, commands);
}
