#include "engine/render/city/update_pass.h"

#include "engine/gpu/device.h"
#include "engine/gpu/pipeline.h"

#include "update.comp.inc"

enum { VARIANT_COUNT = sizeof((mc_update_pass){0}.pipelines) / sizeof(mc_pipeline *) };

mc_result mc_update_pass_create(mc_update_pass *pass, mc_gpu *gpu, const mc_box_windows *windows,
                                mc_error *error) {
    mc_result result = MC_OK;
    *pass = (mc_update_pass){0};
    for (uint32_t i = 0; i < VARIANT_COUNT && result == MC_OK; i++) {
        const uint32_t constants[] = {i & 1, i >> 1 & 1, i >> 2};
        result = mc_pipeline_create_variant(gpu, MC_SHADER_CODE(update_comp), constants, 3,
                                            windows->layout, "update", &pass->pipelines[i], error);
    }
    if (result != MC_OK) mc_update_pass_destroy(pass);
    return result;
}

void mc_update_pass_destroy(mc_update_pass *pass) {
    for (uint32_t i = 0; i < VARIANT_COUNT; i++)
        mc_pipeline_destroy(pass->pipelines[i]);
    *pass = (mc_update_pass){0};
}

// As the shader counts what is there at all.
static uint32_t get_variant(const mc_update_params *params, bool is_in_transition) {
    bool has_styles = (params->flags & MC_UPDATE_STYLE_FLAGS) != 0;
    return (has_styles ? 1u : 0u) + (is_in_transition ? 2u : 0u) +
           (params->more_selected_count > 0 ? 4u : 0u);
}

void mc_update_pass_record(const mc_update_pass *pass, const mc_gpu *gpu,
                           const mc_bindings *bindings, const mc_box_windows *windows,
                           const mc_frame *frame, const mc_update_params *params,
                           bool is_in_transition, uint32_t changed_count) {
    VkCommandBuffer commands = frame->commands;
    uint32_t count = is_in_transition ? params->box_count : params->building_count;
    bool by_list = changed_count != MC_NONE;
    if (by_list) count = changed_count;
    if (count == 0) return;
    mc_gpu_begin_label(gpu, commands, "update");
    const VkPipelineStageFlags2 readers =
        VK_PIPELINE_STAGE_2_VERTEX_SHADER_BIT | VK_PIPELINE_STAGE_2_FRAGMENT_SHADER_BIT |
        VK_PIPELINE_STAGE_2_COMPUTE_SHADER_BIT | VK_PIPELINE_STAGE_2_COPY_BIT;
    mc_buffer_record_barrier(commands, readers, VK_ACCESS_2_SHADER_STORAGE_WRITE_BIT,
                             VK_PIPELINE_STAGE_2_COMPUTE_SHADER_BIT,
                             VK_ACCESS_2_SHADER_STORAGE_WRITE_BIT);
    mc_pipeline_record_bind(pass->pipelines[get_variant(params, is_in_transition)], commands);
    vkCmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_COMPUTE, bindings->layout, 0, 1,
                            &bindings->sets.items[frame->index], 0, NULL);
    for (uint32_t first = 0; first < count; first += windows->size) {
        uint32_t part = count - first < windows->size ? count - first : windows->size;
        mc_update_draw draw = {.first = first, .is_list = by_list, .count = count};
        mc_bindings_record_push(bindings, commands, &draw, sizeof draw);
        mc_box_windows_record_bind(windows, commands, frame->index, first);
        vkCmdDispatch(commands, (part + MC_UPDATE_GROUP_SIZE - 1) / MC_UPDATE_GROUP_SIZE, 1, 1);
    }
    mc_buffer_record_barrier(commands, VK_PIPELINE_STAGE_2_COMPUTE_SHADER_BIT,
                             VK_ACCESS_2_SHADER_STORAGE_WRITE_BIT, readers,
                             VK_ACCESS_2_SHADER_READ_BIT | VK_ACCESS_2_TRANSFER_READ_BIT);
    mc_gpu_end_label(gpu, commands);
}
