#include "engine/render/city/cull_pass.h"

#include "engine/gpu/device.h"
#include "engine/gpu/pipeline.h"

#include "cull.comp.inc"
#include "cull_compact.comp.inc"
#include "cull_scan.comp.inc"

// Pixels of a box up to which it is cheaper to look for something in front than to draw it.
enum { OCCLUSION_LIMIT = 16 };

mc_result mc_cull_pass_create(mc_cull_pass *pass, mc_gpu *gpu, const mc_bindings *bindings,
                              mc_error *error) {
    mc_result result = MC_OK;
    MC_TRY(mc_pipeline_create_compute(gpu, MC_SHADER_CODE(cull_comp), bindings->layout, "cull mark",
                                      &pass->mark, error));
    MC_TRY(mc_pipeline_create_compute(gpu, MC_SHADER_CODE(cull_scan_comp), bindings->layout,
                                      "cull scan", &pass->scan, error));
    MC_TRY(mc_pipeline_create_compute(gpu, MC_SHADER_CODE(cull_compact_comp), bindings->layout,
                                      "cull compact", &pass->compact, error));
    return MC_OK;
fail:
    mc_cull_pass_destroy(pass);
    return result;
}

void mc_cull_pass_destroy(mc_cull_pass *pass) {
    mc_pipeline_destroy(pass->mark);
    mc_pipeline_destroy(pass->scan);
    mc_pipeline_destroy(pass->compact);
    *pass = (mc_cull_pass){0};
}

static void record_barrier(VkCommandBuffer commands) {
    mc_buffer_record_barrier(commands, VK_PIPELINE_STAGE_2_COMPUTE_SHADER_BIT,
                             VK_ACCESS_2_SHADER_STORAGE_WRITE_BIT,
                             VK_PIPELINE_STAGE_2_COMPUTE_SHADER_BIT,
                             VK_ACCESS_2_SHADER_READ_BIT | VK_ACCESS_2_SHADER_STORAGE_WRITE_BIT);
}

static mc_cull_draw get_draw(const mc_kept_boxes *kept, uint32_t count, bool by_bounds) {
    mc_kept_draws target = mc_kept_boxes_get_translucent(kept);
    return (mc_cull_draw){.count = count,
                          .block_count = (count + MC_CULL_BLOCK - 1) / MC_CULL_BLOCK,
                          .first_box = target.first_box,
                          .first_draw = target.first_draw,
                          .occlusion_limit = OCCLUSION_LIMIT,
                          .pixel_limit = MC_LAYER_PIXEL_LIMIT,
                          .index_count = by_bounds ? MC_BOUNDS_INDEX_COUNT : MC_BOX_INDEX_COUNT};
}

static uint32_t get_group_count(uint32_t count) {
    return (count + MC_CULL_GROUP_SIZE - 1) / MC_CULL_GROUP_SIZE;
}

// Of what is marked; push constants stay.
static void record_compact(const mc_cull_pass *pass, uint32_t count, VkCommandBuffer commands) {
    record_barrier(commands);
    mc_pipeline_record_bind(pass->scan, commands);
    vkCmdDispatch(commands, 1, 1, 1);
    record_barrier(commands);
    mc_pipeline_record_bind(pass->compact, commands);
    vkCmdDispatch(commands, get_group_count((count + 31) / 32), 1, 1);
}

void mc_cull_pass_record_compact(const mc_cull_pass *pass, const mc_gpu *gpu,
                                 const mc_bindings *bindings, const mc_kept_boxes *kept,
                                 uint32_t count, bool by_bounds, VkCommandBuffer commands) {
    mc_cull_draw draw = get_draw(kept, count, by_bounds);
    mc_gpu_begin_label(gpu, commands, "compact");
    mc_bindings_record_push(bindings, commands, &draw, sizeof draw);
    record_compact(pass, count, commands);
    mc_gpu_end_label(gpu, commands);
}

void mc_cull_pass_record(const mc_cull_pass *pass, const mc_gpu *gpu, const mc_bindings *bindings,
                         const mc_kept_boxes *kept, uint32_t count, uint32_t epoch, bool by_bounds,
                         VkCommandBuffer commands) {
    mc_cull_draw draw = get_draw(kept, count, by_bounds);
    draw.epoch = epoch;
    mc_gpu_begin_label(gpu, commands, "cull");
    if (epoch != 0) record_barrier(commands);
    mc_pipeline_record_bind(pass->mark, commands);
    uint32_t most = mc_pipeline_get_most_invocations(gpu, MC_CULL_GROUP_SIZE);
    for (uint32_t rest = count; rest > 0;) {
        uint32_t part = rest < most ? rest : most;
        draw.first = count - rest;
        if (draw.first > 0) record_barrier(commands);
        mc_bindings_record_push(bindings, commands, &draw, sizeof draw);
        vkCmdDispatch(commands, get_group_count(part), 1, 1);
        rest -= part;
    }
    record_compact(pass, count, commands);
    mc_gpu_end_label(gpu, commands);
}
