#include "engine/render/core/bindings.h"

#include "engine/gpu/device.h"
#include "engine/render/core/target.h"

#define PUSH_SIZE 128 // what every device has

_Static_assert(sizeof(mc_outline_draw) <= PUSH_SIZE, "outlines are push constants");

static const VkShaderStageFlags all_stages =
    VK_SHADER_STAGE_VERTEX_BIT | VK_SHADER_STAGE_FRAGMENT_BIT | VK_SHADER_STAGE_COMPUTE_BIT;

static VkDescriptorType get_type(uint32_t binding) {
    if (binding >= MC_BINDING_FIRST_TEXELS) return VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER;
    return binding == MC_BINDING_FRAME ? VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER
                                       : VK_DESCRIPTOR_TYPE_STORAGE_BUFFER;
}

static mc_result create_layout(mc_gpu *gpu, const VkDescriptorSetLayout *sets, uint32_t set_count,
                               VkPipelineLayout *layout, mc_error *error) {
    mc_result result = MC_OK;
    VkPushConstantRange push = {.stageFlags = all_stages, .size = PUSH_SIZE};
    VkPipelineLayoutCreateInfo info = {.sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO,
                                       .setLayoutCount = set_count,
                                       .pSetLayouts = sets,
                                       .pushConstantRangeCount = 1,
                                       .pPushConstantRanges = &push};
    MC_VK(vkCreatePipelineLayout(gpu->device, &info, NULL, layout));
fail:
    return result;
}

mc_result mc_bindings_init(mc_bindings *bindings, mc_gpu *gpu, mc_error *error) {
    mc_result result = MC_OK;
    *bindings = (mc_bindings){0};
    VkDescriptorSetLayoutBinding items[MC_BINDING_COUNT];
    for (uint32_t i = 0; i < MC_BINDING_COUNT; i++)
        items[i] = (VkDescriptorSetLayoutBinding){.binding = i,
                                                  .descriptorType = get_type(i),
                                                  .descriptorCount = 1,
                                                  .stageFlags = all_stages};
    MC_TRY(mc_descriptor_sets_create(gpu, items, MC_BINDING_COUNT, 2 * MC_FRAME_COUNT, "city",
                                     &bindings->sets, error));
    MC_TRY(create_layout(gpu, &bindings->sets.layout, 1, &bindings->layout, error));
    mc_gpu_set_name(gpu, VK_OBJECT_TYPE_PIPELINE_LAYOUT, MC_HANDLE(bindings->layout),
                    "city pipeline layout");
    return MC_OK;
fail:
    mc_bindings_deinit(bindings, gpu);
    return result;
}

void mc_bindings_deinit(mc_bindings *bindings, const mc_gpu *gpu) {
    if (bindings->layout) vkDestroyPipelineLayout(gpu->device, bindings->layout, NULL);
    mc_descriptor_sets_destroy(&bindings->sets, gpu);
    *bindings = (mc_bindings){0};
}

mc_result mc_bindings_extend(const mc_bindings *bindings, mc_gpu *gpu, VkDescriptorSetLayout set_1,
                             const char *name, VkPipelineLayout *layout, mc_error *error) {
    VkDescriptorSetLayout sets[] = {bindings->sets.layout, set_1};
    mc_result result = create_layout(gpu, sets, 2, layout, error);
    if (result == MC_OK)
        mc_gpu_set_name(gpu, VK_OBJECT_TYPE_PIPELINE_LAYOUT, MC_HANDLE(*layout), "%s", name);
    return result;
}

void mc_bindings_write(const mc_bindings *bindings, const mc_gpu *gpu, uint32_t set,
                       const mc_buffer *const buffers[MC_BINDING_COUNT]) {
    VkDescriptorBufferInfo infos[MC_BINDING_COUNT];
    VkWriteDescriptorSet writes[MC_BINDING_COUNT];
    for (uint32_t i = 0; i < MC_BINDING_COUNT; i++) {
        infos[i] = (VkDescriptorBufferInfo){.buffer = buffers[i]->handle, .range = VK_WHOLE_SIZE};
        writes[i] = (VkWriteDescriptorSet){.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
                                           .dstSet = bindings->sets.items[set],
                                           .dstBinding = i,
                                           .descriptorCount = 1,
                                           .descriptorType = get_type(i),
                                           .pBufferInfo = &infos[i],
                                           .pTexelBufferView = &buffers[i]->view};
    }
    vkUpdateDescriptorSets(gpu->device, MC_BINDING_COUNT, writes, 0, NULL);
}

mc_graphics_desc mc_bindings_get_pipeline(const mc_bindings *bindings, uint32_t samples,
                                          mc_shader_code vertex, mc_shader_code fragment) {
    return (mc_graphics_desc){.vertex = vertex,
                              .fragment = fragment,
                              .layout = bindings->layout,
                              .color_format = MC_TARGET_FORMAT,
                              .depth_format = MC_TARGET_DEPTH_FORMAT,
                              .samples = samples,
                              .depth_test = true};
}

void mc_bindings_record_push(const mc_bindings *bindings, VkCommandBuffer commands,
                             const void *constants, uint32_t size) {
    vkCmdPushConstants(commands, bindings->layout, all_stages, 0, size, constants);
}
