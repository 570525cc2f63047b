#include "engine/gpu/buffer.h"

#include "engine/gpu/device.h"
#include "engine/gpu/transfer.h"
#include <string.h>

mc_result mc_gpu_allocate(const mc_gpu *gpu, const VkMemoryRequirements *requirements,
                          const VkMemoryPropertyFlags *wanted, uint32_t wanted_count,
                          const VkMemoryDedicatedAllocateInfo *dedicated, VkDeviceMemory *memory,
                          VkMemoryPropertyFlags *flags, mc_error *error) {
    mc_result result = MC_OK;
    VkResult allocated = VK_ERROR_OUT_OF_DEVICE_MEMORY;
    for (uint32_t w = 0; w < wanted_count; w++) {
        for (uint32_t type = 0; type < gpu->memory.memoryTypeCount; type++) {
            *flags = gpu->memory.memoryTypes[type].propertyFlags;
            if (!(requirements->memoryTypeBits & 1u << type)) continue;
            if ((*flags & wanted[w]) != wanted[w]) continue;
            VkMemoryAllocateInfo info = {
                .sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
                .pNext = dedicated,
                .allocationSize = requirements->size,
                .memoryTypeIndex = type,
            };
            // The window to the GPU's memory may be small: when full, the next kind will do.
            allocated = vkAllocateMemory(gpu->device, &info, NULL, memory);
            if (allocated == VK_SUCCESS) return MC_OK;
            *memory = VK_NULL_HANDLE;
        }
    }
    MC_VK(allocated);
fail:
    return result;
}

static uint32_t get_wanted(mc_memory_kind kind, VkMemoryPropertyFlags wanted[3]) {
    const VkMemoryPropertyFlags device = VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT;
    const VkMemoryPropertyFlags mapped =
        VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;
    switch (kind) {
    case MC_MEMORY_DEVICE:
        wanted[0] = device;
        wanted[1] = 0;
        return 2;
    case MC_MEMORY_DYNAMIC:
        wanted[0] = device | mapped;
        wanted[1] = mapped;
        return 2;
    case MC_MEMORY_READBACK:
        wanted[0] = mapped | VK_MEMORY_PROPERTY_HOST_CACHED_BIT;
        wanted[1] = mapped;
        return 2;
    }
    return 0;
}

mc_result mc_buffer_create(mc_gpu *gpu, VkDeviceSize size, VkBufferUsageFlags usage,
                           mc_memory_kind kind, const char *name, mc_buffer *buffer,
                           mc_error *error) {
    mc_result result = MC_OK;
    *buffer = (mc_buffer){.size = size > 0 ? size : 16};
    VkBufferCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO,
        .size = buffer->size,
        .usage = usage,
        .sharingMode = VK_SHARING_MODE_EXCLUSIVE,
    };
    MC_VK(vkCreateBuffer(gpu->device, &info, NULL, &buffer->handle));
    VkMemoryRequirements requirements;
    vkGetBufferMemoryRequirements(gpu->device, buffer->handle, &requirements);
    VkMemoryDedicatedAllocateInfo dedicated = {
        .sType = VK_STRUCTURE_TYPE_MEMORY_DEDICATED_ALLOCATE_INFO, .buffer = buffer->handle};
    VkMemoryPropertyFlags wanted[3], flags = 0;
    uint32_t wanted_count = get_wanted(kind, wanted);
    MC_TRY(mc_gpu_allocate(gpu, &requirements, wanted, wanted_count, &dedicated, &buffer->memory,
                           &flags, error));
    MC_VK(vkBindBufferMemory(gpu->device, buffer->handle, buffer->memory, 0));
    const VkMemoryPropertyFlags mapped =
        VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;
    bool may_map = kind != MC_MEMORY_DEVICE || !(gpu->without & MC_GPU_MAPPED_MEMORY);
    if ((flags & mapped) == mapped && may_map)
        MC_VK(vkMapMemory(gpu->device, buffer->memory, 0, VK_WHOLE_SIZE, 0, &buffer->mapped));
    mc_gpu_set_name(gpu, VK_OBJECT_TYPE_BUFFER, MC_HANDLE(buffer->handle), "%s", name);
    mc_gpu_set_name(gpu, VK_OBJECT_TYPE_DEVICE_MEMORY, MC_HANDLE(buffer->memory), "%s memory",
                    name);
    return MC_OK;
fail:
    mc_buffer_destroy(gpu, buffer);
    return result;
}

mc_result mc_buffer_create_view(mc_gpu *gpu, mc_buffer *buffer, VkFormat format,
                                uint32_t texel_size, mc_error *error) {
    mc_result result = MC_OK;
    if (buffer->size / texel_size > gpu->limits.maxTexelBufferElements)
        return mc_fail(error, MC_ERROR_UNSUPPORTED,
                       "%s can't address as much as this city or picture needs (%u texels)",
                       gpu->name, gpu->limits.maxTexelBufferElements);
    VkBufferViewCreateInfo info = {.sType = VK_STRUCTURE_TYPE_BUFFER_VIEW_CREATE_INFO,
                                   .buffer = buffer->handle,
                                   .format = format,
                                   .range = VK_WHOLE_SIZE};
    MC_VK(vkCreateBufferView(gpu->device, &info, NULL, &buffer->view));
    mc_gpu_set_name(gpu, VK_OBJECT_TYPE_BUFFER_VIEW, MC_HANDLE(buffer->view), "texels");
fail:
    return result;
}

mc_result mc_buffer_create_column(mc_gpu *gpu, mc_buffer *buffer, VkFormat format,
                                  uint32_t texel_size, mc_error *error) {
    if (!gpu->reads_texels) return MC_OK;
    return mc_buffer_create_view(gpu, buffer, format, texel_size, error);
}

void mc_buffer_destroy(const mc_gpu *gpu, mc_buffer *buffer) {
    if (buffer->view) vkDestroyBufferView(gpu->device, buffer->view, NULL);
    if (buffer->handle) vkDestroyBuffer(gpu->device, buffer->handle, NULL);
    if (buffer->memory) vkFreeMemory(gpu->device, buffer->memory, NULL); // unmaps too
    *buffer = (mc_buffer){0};
}

void mc_buffer_record_barrier(VkCommandBuffer commands, VkPipelineStageFlags2 source_stage,
                              VkAccessFlags2 source_access, VkPipelineStageFlags2 target_stage,
                              VkAccessFlags2 target_access) {
    VkMemoryBarrier2 barrier = {.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER_2,
                                .srcStageMask = source_stage,
                                .srcAccessMask = source_access,
                                .dstStageMask = target_stage,
                                .dstAccessMask = target_access};
    VkDependencyInfo dependency = {.sType = VK_STRUCTURE_TYPE_DEPENDENCY_INFO,
                                   .memoryBarrierCount = 1,
                                   .pMemoryBarriers = &barrier};
    vkCmdPipelineBarrier2(commands, &dependency);
}

typedef struct copy {
    VkBuffer source, target;
    VkBufferCopy region;
} copy;

static void record_copy(VkCommandBuffer commands, const void *user) {
    const copy *copied = user;
    vkCmdCopyBuffer(commands, copied->source, copied->target, 1, &copied->region);
    // Waiting tells the CPU only; later submissions read what was copied in any shader.
    mc_buffer_record_barrier(commands, VK_PIPELINE_STAGE_2_COPY_BIT, VK_ACCESS_2_TRANSFER_WRITE_BIT,
                             VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT,
                             VK_ACCESS_2_MEMORY_READ_BIT | VK_ACCESS_2_MEMORY_WRITE_BIT);
}

mc_result mc_buffer_upload(mc_gpu *gpu, const mc_buffer *buffer, VkDeviceSize offset,
                           const void *data, size_t size, mc_error *error) {
    if (size == 0) return MC_OK;
    assert(offset + size <= buffer->size);
    if (buffer->mapped) {
        memcpy((char *)buffer->mapped + offset, data, size);
        return MC_OK;
    }
    mc_buffer staging;
    mc_result result = mc_buffer_create(gpu, size, VK_BUFFER_USAGE_TRANSFER_SRC_BIT,
                                        MC_MEMORY_READBACK, "staging", &staging, error);
    if (result != MC_OK) return result;
    assert(staging.mapped); // READBACK memory always is
    memcpy(staging.mapped, data, size);
    copy copied = {staging.handle, buffer->handle, {.dstOffset = offset, .size = size}};
    result = mc_transfer_run(gpu, record_copy, &copied, error);
    mc_buffer_destroy(gpu, &staging);
    return result;
}

VkDeviceSize mc_buffer_get_largest_storage(const mc_gpu *gpu) {
    VkDeviceSize bound = gpu->limits.maxStorageBufferRange;
    return bound < gpu->largest_buffer_size ? bound : gpu->largest_buffer_size;
}

uint64_t mc_buffer_get_largest_column(const mc_gpu *gpu, uint32_t element_size) {
    uint64_t most = mc_buffer_get_largest_storage(gpu) / element_size;
    uint64_t texels = gpu->limits.maxTexelBufferElements;
    return gpu->reads_texels && texels < most ? texels : most;
}

uint64_t mc_buffer_get_largest_read_column(const mc_gpu *gpu, uint32_t element_size) {
    uint64_t most = gpu->largest_buffer_size / element_size;
    uint64_t texels = gpu->limits.maxTexelBufferElements;
    if (!gpu->reads_texels) return mc_buffer_get_largest_storage(gpu) / element_size;
    return texels < most ? texels : most;
}
