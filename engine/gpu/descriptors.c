#include "engine/gpu/descriptors.h"

#include "engine/gpu/device.h"

enum { BINDINGS_MAX = 48 };

mc_result mc_descriptor_sets_create(mc_gpu *gpu, const VkDescriptorSetLayoutBinding *bindings,
                                    uint32_t binding_count, uint32_t set_count, const char *name,
                                    mc_descriptor_sets *sets, mc_error *error) {
    mc_result result = MC_OK;
    VkDescriptorPoolSize sizes[BINDINGS_MAX];
    VkDescriptorSetLayout layouts[MC_DESCRIPTOR_SETS_MAX];
    assert(binding_count <= BINDINGS_MAX && set_count <= MC_DESCRIPTOR_SETS_MAX);
    *sets = (mc_descriptor_sets){0};
    VkDescriptorSetLayoutCreateInfo layout = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO,
        .bindingCount = binding_count,
        .pBindings = bindings};
    MC_VK(vkCreateDescriptorSetLayout(gpu->device, &layout, NULL, &sets->layout));
    for (uint32_t i = 0; i < binding_count; i++)
        sizes[i] = (VkDescriptorPoolSize){bindings[i].descriptorType,
                                          bindings[i].descriptorCount * set_count};
    VkDescriptorPoolCreateInfo pool = {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO,
                                       .maxSets = set_count,
                                       .poolSizeCount = binding_count,
                                       .pPoolSizes = sizes};
    MC_VK(vkCreateDescriptorPool(gpu->device, &pool, NULL, &sets->pool));
    for (uint32_t i = 0; i < set_count; i++)
        layouts[i] = sets->layout;
    VkDescriptorSetAllocateInfo allocate = {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO,
                                            .descriptorPool = sets->pool,
                                            .descriptorSetCount = set_count,
                                            .pSetLayouts = layouts};
    MC_VK(vkAllocateDescriptorSets(gpu->device, &allocate, sets->items));
    mc_gpu_set_name(gpu, VK_OBJECT_TYPE_DESCRIPTOR_SET_LAYOUT, MC_HANDLE(sets->layout),
                    "%s set layout", name);
    mc_gpu_set_name(gpu, VK_OBJECT_TYPE_DESCRIPTOR_POOL, MC_HANDLE(sets->pool), "%s pool", name);
    for (uint32_t i = 0; i < set_count; i++)
        mc_gpu_set_name(gpu, VK_OBJECT_TYPE_DESCRIPTOR_SET, MC_HANDLE(sets->items[i]), "%s set %u",
                        name, i);
    return MC_OK;
fail:
    mc_descriptor_sets_destroy(sets, gpu);
    return result;
}

mc_result mc_sampler_create(mc_gpu *gpu, VkFilter filter, const char *name, VkSampler *sampler,
                            mc_error *error) {
    mc_result result = MC_OK;
    VkSamplerCreateInfo info = {.sType = VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO,
                                .magFilter = filter,
                                .minFilter = filter,
                                .addressModeU = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE,
                                .addressModeV = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE,
                                .addressModeW = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE};
    MC_VK(vkCreateSampler(gpu->device, &info, NULL, sampler));
    mc_gpu_set_name(gpu, VK_OBJECT_TYPE_SAMPLER, MC_HANDLE(*sampler), "%s sampler", name);
fail:
    return result;
}

mc_result mc_descriptor_sets_create_sampled(mc_gpu *gpu, uint32_t set_count, const char *name,
                                            VkSampler *sampler, mc_descriptor_sets *sets,
                                            mc_error *error) {
    mc_result result = MC_OK;
    MC_TRY(mc_sampler_create(gpu, VK_FILTER_NEAREST, name, sampler, error));
    VkDescriptorSetLayoutBinding item = {.descriptorType =
                                             VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER,
                                         .descriptorCount = 1,
                                         .stageFlags = VK_SHADER_STAGE_FRAGMENT_BIT,
                                         .pImmutableSamplers = sampler};
    MC_TRY(mc_descriptor_sets_create(gpu, &item, 1, set_count, name, sets, error));
fail:
    return result;
}

void mc_descriptor_sets_write_image(const mc_descriptor_sets *sets, const mc_gpu *gpu, uint32_t set,
                                    uint32_t binding, VkDescriptorType type, VkImageView view,
                                    VkImageLayout layout) {
    VkDescriptorImageInfo image = {.imageView = view, .imageLayout = layout};
    VkWriteDescriptorSet write = {.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
                                  .dstSet = sets->items[set],
                                  .dstBinding = binding,
                                  .descriptorCount = 1,
                                  .descriptorType = type,
                                  .pImageInfo = &image};
    vkUpdateDescriptorSets(gpu->device, 1, &write, 0, NULL);
}

void mc_descriptor_sets_destroy(mc_descriptor_sets *sets, const mc_gpu *gpu) {
    if (sets->pool) vkDestroyDescriptorPool(gpu->device, sets->pool, NULL);
    if (sets->layout) vkDestroyDescriptorSetLayout(gpu->device, sets->layout, NULL);
    *sets = (mc_descriptor_sets){0};
}
