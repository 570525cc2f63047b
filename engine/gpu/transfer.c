#include "engine/gpu/transfer.h"

#include "engine/gpu/device.h"

mc_result mc_transfer_run(mc_gpu *gpu, void (*record)(VkCommandBuffer commands, const void *user),
                          const void *user, mc_error *error) {
    mc_result result = MC_OK;
    VkCommandPool pool = VK_NULL_HANDLE;
    VkFence fence = VK_NULL_HANDLE;
    VkCommandBuffer commands;
    VkCommandPoolCreateInfo pool_info = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO,
        .flags = VK_COMMAND_POOL_CREATE_TRANSIENT_BIT,
        .queueFamilyIndex = gpu->queue_family,
    };
    MC_VK(vkCreateCommandPool(gpu->device, &pool_info, NULL, &pool));
    VkFenceCreateInfo fence_info = {.sType = VK_STRUCTURE_TYPE_FENCE_CREATE_INFO};
    MC_VK(vkCreateFence(gpu->device, &fence_info, NULL, &fence));
    VkCommandBufferAllocateInfo commands_info = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
        .commandPool = pool,
        .level = VK_COMMAND_BUFFER_LEVEL_PRIMARY,
        .commandBufferCount = 1,
    };
    MC_VK(vkAllocateCommandBuffers(gpu->device, &commands_info, &commands));
    mc_gpu_set_name(gpu, VK_OBJECT_TYPE_COMMAND_POOL, MC_HANDLE(pool), "transfer pool");
    mc_gpu_set_name(gpu, VK_OBJECT_TYPE_FENCE, MC_HANDLE(fence), "transfer fence");
    mc_gpu_set_name(gpu, VK_OBJECT_TYPE_COMMAND_BUFFER, MC_HANDLE(commands), "transfer commands");
    VkCommandBufferBeginInfo begin = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO,
                                      .flags = VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT};
    MC_VK(vkBeginCommandBuffer(commands, &begin));
    record(commands, user);
    MC_VK(vkEndCommandBuffer(commands));
    VkCommandBufferSubmitInfo submitted = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_SUBMIT_INFO,
                                           .commandBuffer = commands};
    VkSubmitInfo2 submit = {.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO_2,
                            .commandBufferInfoCount = 1,
                            .pCommandBufferInfos = &submitted};
    MC_VK(vkQueueSubmit2(gpu->queue, 1, &submit, fence));
    MC_VK(vkWaitForFences(gpu->device, 1, &fence, VK_TRUE, UINT64_MAX));
fail:
    if (fence) vkDestroyFence(gpu->device, fence, NULL);
    if (pool) vkDestroyCommandPool(gpu->device, pool, NULL);
    return result;
}
