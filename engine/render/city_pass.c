#include "engine/render/city_pass.h"

#include "engine/base/memory.h"
#include "engine/gpu/device.h"
#include "engine/gpu/pipeline.h"
#include "engine/render/target.h"

// Boxes in one draw. More draws of fewer boxes keep the index buffer small, and also what a
// software driver allocates for a draw's vertices: tens of megabytes at a time would be mapped anew
// each time.
enum { CHUNK = 1 << 14 };

static const uint32_t city_vert[] = {
#include "city.vert.inc"
};
static const uint32_t city_frag[] = {
#include "city.frag.inc"
};

// Vertices as in shaders/city.vert: 0..3 the roof from its far corner, 4..6 the ground. Each
// triangle begins with a vertex that only its own face begins with: 0 the roof, 4 and 6 the walls.
static const uint32_t box_indices[MC_BOX_INDEX_COUNT] = {0, 3, 2, 0, 2, 1, 4, 1, 2,
                                                         4, 2, 5, 6, 5, 2, 6, 2, 3};

static mc_result create_indices(mc_city_pass *pass, mc_gpu *gpu, mc_error *error) {
    mc_result result = MC_OK;
    uint32_t *indices = mc_alloc((size_t)CHUNK * MC_BOX_INDEX_COUNT, sizeof *indices);
    if (!indices) return mc_error_out_of_memory(error);
    for (uint32_t box = 0; box < CHUNK; box++)
        for (uint32_t i = 0; i < MC_BOX_INDEX_COUNT; i++)
            indices[box * MC_BOX_INDEX_COUNT + i] = box * MC_BOX_VERTEX_COUNT + box_indices[i];
    size_t size = (size_t)CHUNK * MC_BOX_INDEX_COUNT * sizeof *indices;
    MC_TRY(mc_buffer_create(gpu, size,
                            VK_BUFFER_USAGE_INDEX_BUFFER_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT,
                            MC_MEMORY_DEVICE, "box indices", &pass->indices, error));
    MC_TRY(mc_buffer_upload(gpu, &pass->indices, 0, indices, size, error));
fail:
    mc_free(indices);
    return result;
}

mc_result mc_city_pass_create(mc_city_pass *pass, mc_gpu *gpu, const mc_bindings *bindings,
                              uint32_t samples, mc_error *error) {
    mc_result result = MC_OK;
    mc_graphics_desc desc = {.vertex = MC_SHADER_CODE(city_vert),
                             .fragment = MC_SHADER_CODE(city_frag),
                             .layout = bindings->layout,
                             .color_format = MC_TARGET_FORMAT,
                             .depth_format = MC_TARGET_DEPTH_FORMAT,
                             .samples = samples,
                             .depth_test = true,
                             .depth_write = true,
                             .cull_back = true,
                             .name = "city opaque"};
    MC_TRY(mc_pipeline_create_graphics(gpu, &desc, &pass->opaque, error));
    desc.depth_write = false;
    desc.blend = true;
    desc.name = "city translucent";
    MC_TRY(mc_pipeline_create_graphics(gpu, &desc, &pass->translucent, error));
    MC_TRY(create_indices(pass, gpu, error));
    return MC_OK;
fail:
    mc_city_pass_destroy(pass, gpu);
    return result;
}

void mc_city_pass_destroy(mc_city_pass *pass, const mc_gpu *gpu) {
    if (pass->opaque) vkDestroyPipeline(gpu->device, pass->opaque, NULL);
    if (pass->translucent) vkDestroyPipeline(gpu->device, pass->translucent, NULL);
    mc_buffer_destroy(gpu, &pass->indices);
    *pass = (mc_city_pass){0};
}

static void record_boxes(const mc_bindings *bindings, VkCommandBuffer commands, mc_city_draw draw,
                         uint32_t count) {
    mc_bindings_record_push(bindings, commands, &draw, sizeof draw);
    for (uint32_t first = 0; first < count; first += CHUNK) {
        uint32_t boxes = count - first < CHUNK ? count - first : CHUNK;
        vkCmdDrawIndexed(commands, boxes * MC_BOX_INDEX_COUNT, 1, 0,
                         (int32_t)(first * MC_BOX_VERTEX_COUNT), 0);
    }
}

void mc_city_pass_record_opaque(const mc_city_pass *pass, const mc_gpu *gpu,
                                const mc_bindings *bindings, VkCommandBuffer commands,
                                const mc_draw_plan *plan, uint32_t building_count,
                                uint32_t district_count) {
    mc_gpu_begin_label(gpu, commands, "city opaque");
    vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, pass->opaque);
    vkCmdBindIndexBuffer(commands, pass->indices.handle, 0, VK_INDEX_TYPE_UINT32);
    mc_city_draw buildings = {
        .first = plan->opaque_first, .use_list = plan->opaque_from_list, .kind = MC_DRAW_OPAQUE};
    mc_city_draw districts = {.first = building_count, .kind = MC_DRAW_DISTRICTS};
    record_boxes(bindings, commands, buildings, plan->opaque_count);
    record_boxes(bindings, commands, districts, district_count);
    mc_gpu_end_label(gpu, commands);
}

void mc_city_pass_record_translucent(const mc_city_pass *pass, const mc_gpu *gpu,
                                     const mc_bindings *bindings, VkCommandBuffer commands,
                                     const mc_draw_plan *plan) {
    if (plan->translucent_count == 0) return;
    mc_gpu_begin_label(gpu, commands, "city translucent");
    vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, pass->translucent);
    vkCmdBindIndexBuffer(commands, pass->indices.handle, 0, VK_INDEX_TYPE_UINT32);
    mc_city_draw draw = {.use_list = 1, .kind = MC_DRAW_TRANSLUCENT};
    record_boxes(bindings, commands, draw, plan->translucent_count);
    mc_gpu_end_label(gpu, commands);
}
