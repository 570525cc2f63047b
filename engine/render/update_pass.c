#include "engine/render/update_pass.h"

#include "engine/gpu/device.h"
#include "engine/gpu/pipeline.h"

static const uint32_t update_comp[] = {
#include "update.comp.inc"
};

mc_result mc_update_pass_create(mc_update_pass *pass, mc_gpu *gpu, const mc_bindings *bindings,
                                mc_error *error) {
    return mc_pipeline_create_compute(gpu, MC_SHADER_CODE(update_comp), bindings->layout, "update",
                                      &pass->pipeline, error);
}

void mc_update_pass_destroy(mc_update_pass *pass, const mc_gpu *gpu) {
    if (pass->pipeline) vkDestroyPipeline(gpu->device, pass->pipeline, NULL);
    *pass = (mc_update_pass){0};
}

void mc_update_pass_record(const mc_update_pass *pass, const mc_gpu *gpu,
                           const mc_bindings *bindings, const mc_frame *frame,
                           const mc_update_params *params) {
    VkCommandBuffer commands = frame->commands;
    if (params->box_count == 0) return;
    mc_gpu_begin_label(gpu, commands, "update");
    const VkPipelineStageFlags2 readers =
        VK_PIPELINE_STAGE_2_VERTEX_SHADER_BIT | VK_PIPELINE_STAGE_2_FRAGMENT_SHADER_BIT |
        VK_PIPELINE_STAGE_2_COMPUTE_SHADER_BIT | VK_PIPELINE_STAGE_2_COPY_BIT;
    mc_buffer_record_barrier(commands, readers, VK_ACCESS_2_SHADER_STORAGE_WRITE_BIT,
                             VK_PIPELINE_STAGE_2_COMPUTE_SHADER_BIT,
                             VK_ACCESS_2_SHADER_STORAGE_WRITE_BIT);
    vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_COMPUTE, pass->pipeline);
    vkCmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_COMPUTE, bindings->layout, 0, 1,
                            &bindings->sets[frame->index], 0, NULL);
    vkCmdDispatch(commands, (params->box_count + MC_UPDATE_GROUP_SIZE - 1) / MC_UPDATE_GROUP_SIZE,
                  1, 1);
    mc_buffer_record_barrier(commands, VK_PIPELINE_STAGE_2_COMPUTE_SHADER_BIT,
                             VK_ACCESS_2_SHADER_STORAGE_WRITE_BIT, readers,
                             VK_ACCESS_2_SHADER_READ_BIT | VK_ACCESS_2_TRANSFER_READ_BIT);
    mc_gpu_end_label(gpu, commands);
}
