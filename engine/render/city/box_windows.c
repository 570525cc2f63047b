#include "engine/render/city/box_windows.h"

#include "engine/gpu/device.h"

_Static_assert((int)MC_BOX_WINDOW_MOST *(int)MC_FRAME_COUNT <= (int)MC_DESCRIPTOR_SETS_MAX,
               "a set each");

// What a group of the glass pass takes; those of the update pass take fewer. Any multiple of it
// begins where a storage buffer may be bound.
enum { STEP = MC_SPLAT_GROUP_SIZE * MC_SPLAT_BOXES };

_Static_assert(STEP % MC_UPDATE_GROUP_SIZE == 0, "windows are whole groups");
_Static_assert(STEP * sizeof(mc_color) % 256 == 0, "the largest alignment that a device may want");

static uint32_t get_size(const mc_gpu *gpu) {
    uint64_t size = mc_buffer_get_largest_storage(gpu) / sizeof(mc_box);
    uint64_t most = mc_pipeline_get_most_invocations(gpu, MC_UPDATE_GROUP_SIZE);
    if (size > most) size = most;
    return size < STEP ? STEP : (uint32_t)(size - size % STEP);
}

uint64_t mc_box_windows_get_most(const mc_gpu *gpu) {
    uint64_t most = (uint64_t)MC_BOX_WINDOW_MOST * get_size(gpu);
    return most < UINT32_MAX ? most : UINT32_MAX;
}

mc_result mc_box_windows_init(mc_box_windows *windows, mc_gpu *gpu, const mc_bindings *bindings,
                              mc_error *error) {
    mc_result result = MC_OK;
    *windows = (mc_box_windows){.size = get_size(gpu)};
    VkDescriptorSetLayoutBinding items[MC_BINDING_WINDOW_COUNT];
    for (uint32_t i = 0; i < MC_BINDING_WINDOW_COUNT; i++)
        items[i] =
            (VkDescriptorSetLayoutBinding){.binding = i,
                                           .descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
                                           .descriptorCount = 1,
                                           .stageFlags = VK_SHADER_STAGE_COMPUTE_BIT};
    MC_TRY(mc_descriptor_sets_create(gpu, items, MC_BINDING_WINDOW_COUNT,
                                     MC_BOX_WINDOW_MOST * MC_FRAME_COUNT, "box windows",
                                     &windows->sets, error));
    MC_TRY(mc_bindings_extend(bindings, gpu, windows->sets.layout, "box windows", &windows->layout,
                              error));
    return MC_OK;
fail:
    mc_box_windows_deinit(windows, gpu);
    return result;
}

void mc_box_windows_deinit(mc_box_windows *windows, const mc_gpu *gpu) {
    if (windows->layout) vkDestroyPipelineLayout(gpu->device, windows->layout, NULL);
    mc_descriptor_sets_destroy(&windows->sets, gpu);
    *windows = (mc_box_windows){0};
}

static VkDescriptorSet get_set(const mc_box_windows *windows, uint32_t frame_index,
                               uint32_t window) {
    return windows->sets.items[frame_index * MC_BOX_WINDOW_MOST + window];
}

void mc_box_windows_write(const mc_box_windows *windows, const mc_gpu *gpu, uint32_t frame_index,
                          const mc_buffer *boxes, const mc_buffer *colors) {
    const mc_buffer *buffers[MC_BINDING_WINDOW_COUNT] = {
        [MC_BINDING_WINDOW_BOXES] = boxes, [MC_BINDING_WINDOW_COLORS] = colors};
    const VkDeviceSize sizes[MC_BINDING_WINDOW_COUNT] = {
        [MC_BINDING_WINDOW_BOXES] = sizeof(mc_box), [MC_BINDING_WINDOW_COLORS] = sizeof(mc_color)};
    for (uint32_t k = 0; k < MC_BOX_WINDOW_MOST; k++) {
        VkDescriptorBufferInfo infos[MC_BINDING_WINDOW_COUNT];
        VkWriteDescriptorSet writes[MC_BINDING_WINDOW_COUNT];
        for (uint32_t i = 0; i < MC_BINDING_WINDOW_COUNT; i++) {
            VkDeviceSize range = windows->size * sizes[i], offset = k * range;
            if (offset >= buffers[i]->size) return;
            if (range > buffers[i]->size - offset) range = buffers[i]->size - offset;
            infos[i] = (VkDescriptorBufferInfo){buffers[i]->handle, offset, range};
            writes[i] = (VkWriteDescriptorSet){.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
                                               .dstSet = get_set(windows, frame_index, k),
                                               .dstBinding = i,
                                               .descriptorCount = 1,
                                               .descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
                                               .pBufferInfo = &infos[i]};
        }
        vkUpdateDescriptorSets(gpu->device, MC_BINDING_WINDOW_COUNT, writes, 0, NULL);
    }
}

void mc_box_windows_record_bind(const mc_box_windows *windows, VkCommandBuffer commands,
                                uint32_t frame_index, uint32_t first) {
    VkDescriptorSet set = get_set(windows, frame_index, first / windows->size);
    vkCmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_COMPUTE, windows->layout, 1, 1, &set,
                            0, NULL);
}
