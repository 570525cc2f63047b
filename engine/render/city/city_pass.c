#include "engine/render/city/city_pass.h"

#include "engine/base/memory.h"
#include "engine/gpu/device.h"
#include "engine/gpu/pipeline.h"

#include "city.frag.inc"
#include "city.vert.inc"
#include "city_bounds.frag.inc"
#include "city_bounds.vert.inc"

// Vertices as in shaders/city.vert: 0..3 the roof from its far corner, 4..6 the ground. Each
// triangle begins with a vertex that only its own face begins with: 0 the roof, 4 and 6 the walls.
static const uint32_t box_indices[MC_BOX_INDEX_COUNT] = {0, 3, 2, 0, 2, 1, 4, 1, 2,
                                                         4, 2, 5, 6, 5, 2, 6, 2, 3};

// Of the rectangle around a box, by two of its vertices' bits: right, below.
static const uint32_t bounds_indices[MC_BOUNDS_INDEX_COUNT] = {0, 2, 1, 1, 2, 3};

// The same for each box of a draw.
static mc_result create_indices(mc_gpu *gpu, const uint32_t *of_box, uint32_t count,
                                const char *name, mc_buffer *buffer, mc_error *error) {
    mc_result result = MC_OK;
    uint32_t *indices = mc_alloc((size_t)MC_DRAW_CHUNK * count, sizeof *indices);
    if (!indices) return mc_error_out_of_memory(error);
    for (uint32_t box = 0; box < MC_DRAW_CHUNK; box++)
        for (uint32_t i = 0; i < count; i++)
            indices[box * count + i] = box * MC_BOX_VERTEX_COUNT + of_box[i];
    size_t size = (size_t)MC_DRAW_CHUNK * count * sizeof *indices;
    MC_TRY(mc_buffer_create(gpu, size,
                            VK_BUFFER_USAGE_INDEX_BUFFER_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT,
                            MC_MEMORY_DEVICE, name, buffer, error));
    MC_TRY(mc_buffer_upload(gpu, buffer, 0, indices, size, error));
fail:
    mc_free(indices);
    return result;
}

mc_result mc_city_pass_create(mc_city_pass *pass, mc_gpu *gpu, const mc_bindings *bindings,
                              uint32_t samples, mc_error *error) {
    mc_result result = MC_OK;
    mc_graphics_desc desc = mc_bindings_get_pipeline(bindings, samples, MC_SHADER_CODE(city_vert),
                                                     MC_SHADER_CODE(city_frag));
    desc.cull_back = true;
    desc.blend = true;
    desc.name = "city translucent";
    MC_TRY(mc_pipeline_create_graphics(gpu, &desc, &pass->translucent, error));
    desc.blend = false;
    desc.depth_write = true;
    desc.constant_count = 1;
    for (uint32_t kind = 0; kind < MC_LIGHT_KIND_COUNT; kind++) {
        desc.constants = &kind;
        desc.depth_before = false;
        desc.name = "city opaque";
        MC_TRY(mc_pipeline_create_graphics(gpu, &desc, &pass->opaque[kind], error));
        desc.depth_before = true;
        desc.name = "city districts";
        MC_TRY(mc_pipeline_create_graphics(gpu, &desc, &pass->districts[kind], error));
    }
    desc.depth_before = false;
    desc.constant_count = 0;
    desc.fragment = (mc_shader_code){0};
    desc.name = "city depth";
    MC_TRY(mc_pipeline_create_graphics(gpu, &desc, &pass->depth, error));
    MC_TRY(
        create_indices(gpu, box_indices, MC_BOX_INDEX_COUNT, "box indices", &pass->indices, error));
    if (samples > 1) return MC_OK;
    desc = mc_bindings_get_pipeline(bindings, samples, MC_SHADER_CODE(city_bounds_vert),
                                    MC_SHADER_CODE(city_bounds_frag));
    desc.blend = true;
    desc.name = "city bounds";
    MC_TRY(mc_pipeline_create_graphics(gpu, &desc, &pass->bounds, error));
    MC_TRY(create_indices(gpu, bounds_indices, MC_BOUNDS_INDEX_COUNT, "bounds indices",
                          &pass->bounds_indices, error));
    return MC_OK;
fail:
    mc_city_pass_destroy(pass, gpu);
    return result;
}

void mc_city_pass_destroy(mc_city_pass *pass, const mc_gpu *gpu) {
    for (uint32_t i = 0; i < MC_LIGHT_KIND_COUNT; i++) {
        mc_pipeline_destroy(pass->opaque[i]);
        mc_pipeline_destroy(pass->districts[i]);
    }
    mc_pipeline_destroy(pass->depth);
    mc_pipeline_destroy(pass->translucent);
    mc_pipeline_destroy(pass->bounds);
    mc_buffer_destroy(gpu, &pass->indices);
    mc_buffer_destroy(gpu, &pass->bounds_indices);
    *pass = (mc_city_pass){0};
}

// `index_count`: of a box.
static void record_boxes(const mc_bindings *bindings, VkCommandBuffer commands, mc_city_draw draw,
                         uint32_t count, uint32_t index_count) {
    mc_bindings_record_push(bindings, commands, &draw, sizeof draw);
    for (uint32_t first = 0; first < count; first += MC_DRAW_CHUNK) {
        uint32_t boxes = count - first < MC_DRAW_CHUNK ? count - first : MC_DRAW_CHUNK;
        vkCmdDrawIndexed(commands, boxes * index_count, 1, 0,
                         (int32_t)(first * MC_BOX_VERTEX_COUNT), 0);
    }
}

// Rays of light cost so much that no pixel is to have them twice. A GPU is taken to sort that out.
static bool needs_depth_first(const mc_gpu *gpu, uint32_t light_kind) {
    return light_kind != MC_LIGHT_NONE && mc_gpu_is_software(gpu);
}

static void record_begin(const mc_city_pass *pass, const mc_gpu *gpu, VkCommandBuffer commands,
                         mc_pipeline *pipeline, const char *label) {
    mc_gpu_begin_label(gpu, commands, label);
    mc_pipeline_record_bind(pipeline, commands);
    vkCmdBindIndexBuffer(commands, pass->indices.handle, 0, VK_INDEX_TYPE_UINT32);
}

void mc_city_pass_record_opaque(const mc_city_pass *pass, const mc_gpu *gpu,
                                const mc_bindings *bindings, VkCommandBuffer commands,
                                const mc_draw_plan *plan, uint32_t building_count,
                                uint32_t district_count, uint32_t light_kind) {
    mc_city_draw buildings = {.first = plan->opaque_first,
                              .source = plan->opaque_from_list ? MC_SOURCE_LIST : MC_SOURCE_ALL,
                              .kind = MC_DRAW_OPAQUE};
    mc_city_draw districts = {.last = building_count + district_count - 1,
                              .kind = MC_DRAW_DISTRICTS};
    record_begin(pass, gpu, commands, pass->opaque[light_kind], "city opaque");
    if (needs_depth_first(gpu, light_kind)) {
        mc_pipeline_record_bind(pass->depth, commands);
        record_boxes(bindings, commands, buildings, plan->opaque_count, MC_BOX_INDEX_COUNT);
        mc_pipeline_record_bind(pass->opaque[light_kind], commands);
    }
    record_boxes(bindings, commands, buildings, plan->opaque_count, MC_BOX_INDEX_COUNT);
    mc_pipeline_record_bind(pass->districts[light_kind], commands);
    record_boxes(bindings, commands, districts, district_count, MC_BOX_INDEX_COUNT);
    mc_gpu_end_label(gpu, commands);
}

// Either the faces or the rectangles around them: how many indices that is a box.
static uint32_t record_begin_translucent(const mc_city_pass *pass, const mc_gpu *gpu,
                                         VkCommandBuffer commands, bool by_bounds) {
    record_begin(pass, gpu, commands, by_bounds ? pass->bounds : pass->translucent,
                 "city translucent");
    if (!by_bounds) return MC_BOX_INDEX_COUNT;
    vkCmdBindIndexBuffer(commands, pass->bounds_indices.handle, 0, VK_INDEX_TYPE_UINT32);
    return MC_BOUNDS_INDEX_COUNT;
}

void mc_city_pass_record_translucent(const mc_city_pass *pass, const mc_gpu *gpu,
                                     const mc_bindings *bindings, VkCommandBuffer commands,
                                     const mc_draw_plan *plan, bool by_bounds) {
    if (plan->translucent_count == 0) return;
    uint32_t index_count = record_begin_translucent(pass, gpu, commands, by_bounds);
    mc_city_draw draw = {.source = MC_SOURCE_LIST, .kind = MC_DRAW_TRANSLUCENT};
    record_boxes(bindings, commands, draw, plan->translucent_count, index_count);
    mc_gpu_end_label(gpu, commands);
}

static void record_kept(const mc_bindings *bindings, VkCommandBuffer commands,
                        const mc_kept_boxes *kept, mc_kept_draws draws, uint32_t kind) {
    mc_city_draw draw = {.first = draws.first_box, .source = MC_SOURCE_KEPT, .kind = kind};
    mc_bindings_record_push(bindings, commands, &draw, sizeof draw);
    VkDeviceSize offset =
        sizeof(mc_indirect_head) + (VkDeviceSize)draws.first_draw * sizeof(mc_indirect_draw);
    // One by one: several at once are an optional feature.
    for (uint32_t i = 0; i < draws.draw_count; i++)
        vkCmdDrawIndexedIndirect(commands, kept->draws.handle,
                                 offset + i * sizeof(mc_indirect_draw), 1, 0);
}

void mc_city_pass_record_kept_opaque(const mc_city_pass *pass, const mc_gpu *gpu,
                                     const mc_bindings *bindings, VkCommandBuffer commands,
                                     const mc_kept_boxes *kept, uint32_t light_kind) {
    record_begin(pass, gpu, commands, pass->opaque[light_kind], "city kept opaque");
    mc_kept_draws draws = mc_kept_boxes_get_opaque(kept);
    if (needs_depth_first(gpu, light_kind)) {
        mc_pipeline_record_bind(pass->depth, commands);
        record_kept(bindings, commands, kept, draws, MC_DRAW_OPAQUE);
        mc_pipeline_record_bind(pass->opaque[light_kind], commands);
    }
    record_kept(bindings, commands, kept, draws, MC_DRAW_OPAQUE);
    mc_gpu_end_label(gpu, commands);
}

void mc_city_pass_record_kept_translucent(const mc_city_pass *pass, const mc_gpu *gpu,
                                          const mc_bindings *bindings, VkCommandBuffer commands,
                                          const mc_kept_boxes *kept, bool by_bounds) {
    (void)record_begin_translucent(pass, gpu, commands, by_bounds); // the cull pass has counted
    record_kept(bindings, commands, kept, mc_kept_boxes_get_translucent(kept), MC_DRAW_TRANSLUCENT);
    mc_gpu_end_label(gpu, commands);
}
