#include "engine/render/core/bindings.h"

#include "engine/gpu/device.h"
#include "engine/gpu/pipeline.h"
#include "engine/render/core/target.h"
#include "shaders/shared/flat_types.h"

#define PUSH_SIZE 128 // what every device has

_Static_assert(sizeof(mc_outline_draw) <= PUSH_SIZE, "outlines are push constants");

static const VkShaderStageFlags all_stages =
    VK_SHADER_STAGE_VERTEX_BIT | VK_SHADER_STAGE_FRAGMENT_BIT | VK_SHADER_STAGE_COMPUTE_BIT;

static bool holds_floats(uint32_t binding) {
    return binding == MC_BINDING_BOX_TEXELS || binding == MC_BINDING_COLOR_TEXELS ||
           binding == MC_BINDING_HEIGHT_TEXELS || binding == MC_BINDING_STRAND_PIECE_TEXELS;
}

static VkDescriptorType get_type(uint32_t binding) {
    if (binding >= MC_BINDING_FIRST_TEXELS) return VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER;
    return binding == MC_BINDING_FRAME ? VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER
                                       : VK_DESCRIPTOR_TYPE_STORAGE_BUFFER;
}

static mc_result create_nothing(mc_gpu *gpu, VkFormat format, mc_buffer *buffer, mc_error *error) {
    const uint32_t size = 4 * sizeof(uint32_t);
    const VkBufferUsageFlags usage = VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT |
                                     VK_BUFFER_USAGE_STORAGE_BUFFER_BIT |
                                     VK_BUFFER_USAGE_UNIFORM_TEXEL_BUFFER_BIT;
    mc_result result =
        mc_buffer_create(gpu, size, usage, MC_MEMORY_DEVICE, "nothing", buffer, error);
    return result == MC_OK ? mc_buffer_create_view(gpu, buffer, format, size, error) : result;
}

// Vulkan promises four, but every device with 1.3 that is known has as many.
static mc_result check_count(const mc_gpu *gpu, mc_error *error) {
    uint32_t needed = MC_BINDING_FIRST_TEXELS - MC_BINDING_BOXES + MC_BINDING_FLAT_COLUMN_COUNT;
    uint32_t most = gpu->limits.maxPerStageDescriptorStorageBuffers;
    if (needed <= most) return MC_OK;
    return mc_fail(error, MC_ERROR_UNSUPPORTED,
                   "%s lets a shader use %u storage buffers; memcity needs %u", gpu->name, most,
                   needed);
}

mc_result mc_bindings_init(mc_bindings *bindings, mc_gpu *gpu, mc_error *error) {
    mc_result result = MC_OK;
    *bindings = (mc_bindings){0};
    VkDescriptorSetLayoutBinding items[MC_BINDING_COUNT];
    MC_TRY(check_count(gpu, error));
    MC_TRY(create_nothing(gpu, VK_FORMAT_R32G32B32A32_SFLOAT, &bindings->no_floats, error));
    MC_TRY(create_nothing(gpu, VK_FORMAT_R32G32B32A32_UINT, &bindings->no_words, error));
    for (uint32_t i = 0; i < MC_BINDING_COUNT; i++)
        items[i] = (VkDescriptorSetLayoutBinding){.binding = i,
                                                  .descriptorType = get_type(i),
                                                  .descriptorCount = 1,
                                                  .stageFlags = all_stages};
    MC_TRY(mc_descriptor_sets_create(gpu, items, MC_BINDING_COUNT, 2 * MC_FRAME_COUNT, "city",
                                     &bindings->sets, error));
    MC_TRY(mc_pipeline_create_layout(gpu, &bindings->sets.layout, 1, all_stages, PUSH_SIZE, "city",
                                     &bindings->layout, error));
    return MC_OK;
fail:
    mc_bindings_deinit(bindings, gpu);
    return result;
}

void mc_bindings_deinit(mc_bindings *bindings, const mc_gpu *gpu) {
    if (bindings->layout) vkDestroyPipelineLayout(gpu->device, bindings->layout, NULL);
    mc_descriptor_sets_destroy(&bindings->sets, gpu);
    mc_buffer_destroy(gpu, &bindings->no_floats);
    mc_buffer_destroy(gpu, &bindings->no_words);
    *bindings = (mc_bindings){0};
}

mc_result mc_bindings_extend(const mc_bindings *bindings, mc_gpu *gpu, VkDescriptorSetLayout set_1,
                             const char *name, VkPipelineLayout *layout, mc_error *error) {
    VkDescriptorSetLayout sets[] = {bindings->sets.layout, set_1};
    return mc_pipeline_create_layout(gpu, sets, 2, all_stages, PUSH_SIZE, name, layout, error);
}

void mc_bindings_write(const mc_bindings *bindings, const mc_gpu *gpu, uint32_t set,
                       const mc_buffer *const buffers[MC_BINDING_COUNT]) {
    VkDescriptorBufferInfo infos[MC_BINDING_COUNT];
    VkWriteDescriptorSet writes[MC_BINDING_COUNT];
    for (uint32_t i = 0; i < MC_BINDING_COUNT; i++) {
        const mc_buffer *buffer = buffers[i];
        bool is_there = buffer && (i < MC_BINDING_FIRST_TEXELS ? buffer->handle != VK_NULL_HANDLE
                                                               : buffer->view != VK_NULL_HANDLE);
        if (!is_there) buffer = holds_floats(i) ? &bindings->no_floats : &bindings->no_words;
        // Of what is longer only texels are read, and what is written is bound in parts.
        VkDeviceSize most = gpu->limits.maxStorageBufferRange;
        VkDeviceSize range = buffer->size > most ? most : VK_WHOLE_SIZE;
        infos[i] = (VkDescriptorBufferInfo){.buffer = buffer->handle, .range = range};
        writes[i] = (VkWriteDescriptorSet){.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
                                           .dstSet = bindings->sets.items[set],
                                           .dstBinding = i,
                                           .descriptorCount = 1,
                                           .descriptorType = get_type(i),
                                           .pBufferInfo = &infos[i],
                                           .pTexelBufferView = &buffer->view};
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
