#include "engine/gpu/image.h"

#include "engine/gpu/buffer.h"
#include "engine/gpu/device.h"
#include "engine/gpu/transfer.h"
#include <string.h>

static mc_result create_view(mc_gpu *gpu, const mc_image_desc *desc, VkImage image, VkFormat format,
                             VkImageView *view, mc_error *error) {
    mc_result result = MC_OK;
    VkImageViewCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO,
        .image = image,
        .viewType = VK_IMAGE_VIEW_TYPE_2D,
        .format = format,
        .subresourceRange = {.aspectMask = desc->aspect, .levelCount = 1, .layerCount = 1},
    };
    MC_VK(vkCreateImageView(gpu->device, &info, NULL, view));
    mc_gpu_set_name(gpu, VK_OBJECT_TYPE_IMAGE_VIEW, MC_HANDLE(*view), "%s view", desc->name);
fail:
    return result;
}

mc_result mc_image_create(mc_gpu *gpu, const mc_image_desc *desc, mc_image *image,
                          mc_error *error) {
    mc_result result = MC_OK;
    *image = (mc_image){.width = desc->width, .height = desc->height};
    bool two = desc->second_format != VK_FORMAT_UNDEFINED;
    VkFormat formats[] = {desc->format, desc->second_format};
    VkImageFormatListCreateInfo list = {.sType = VK_STRUCTURE_TYPE_IMAGE_FORMAT_LIST_CREATE_INFO,
                                        .viewFormatCount = 2,
                                        .pViewFormats = formats};
    VkImageCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO,
        .pNext = two ? &list : NULL,
        .flags = two ? VK_IMAGE_CREATE_MUTABLE_FORMAT_BIT : 0,
        .imageType = VK_IMAGE_TYPE_2D,
        .format = desc->format,
        .extent = {desc->width, desc->height, 1},
        .mipLevels = 1,
        .arrayLayers = 1,
        .samples = (VkSampleCountFlagBits)desc->samples,
        .tiling = VK_IMAGE_TILING_OPTIMAL,
        .usage = desc->usage,
        .sharingMode = VK_SHARING_MODE_EXCLUSIVE,
        .initialLayout = VK_IMAGE_LAYOUT_UNDEFINED,
    };
    MC_VK(vkCreateImage(gpu->device, &info, NULL, &image->handle));
    mc_gpu_set_name(gpu, VK_OBJECT_TYPE_IMAGE, MC_HANDLE(image->handle), "%s", desc->name);
    VkMemoryRequirements requirements;
    vkGetImageMemoryRequirements(gpu->device, image->handle, &requirements);
    VkMemoryDedicatedAllocateInfo dedicated = {
        .sType = VK_STRUCTURE_TYPE_MEMORY_DEDICATED_ALLOCATE_INFO, .image = image->handle};
    VkMemoryPropertyFlags wanted[] = {VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT, 0}, flags;
    MC_TRY(
        mc_gpu_allocate(gpu, &requirements, wanted, 2, &dedicated, &image->memory, &flags, error));
    mc_gpu_set_name(gpu, VK_OBJECT_TYPE_DEVICE_MEMORY, MC_HANDLE(image->memory), "%s memory",
                    desc->name);
    MC_VK(vkBindImageMemory(gpu->device, image->handle, image->memory, 0));
    MC_TRY(create_view(gpu, desc, image->handle, desc->format, &image->view, error));
    if (two)
        MC_TRY(
            create_view(gpu, desc, image->handle, desc->second_format, &image->second_view, error));
    return MC_OK;
fail:
    mc_image_destroy(gpu, image);
    return result;
}

void mc_image_destroy(const mc_gpu *gpu, mc_image *image) {
    if (image->view) vkDestroyImageView(gpu->device, image->view, NULL);
    if (image->second_view) vkDestroyImageView(gpu->device, image->second_view, NULL);
    if (image->handle) vkDestroyImage(gpu->device, image->handle, NULL);
    if (image->memory) vkFreeMemory(gpu->device, image->memory, NULL);
    *image = (mc_image){0};
}

void mc_image_record_barrier(VkCommandBuffer commands, VkImage image,
                             const mc_image_barrier *barrier) {
    VkImageMemoryBarrier2 image_barrier = {
        .sType = VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER_2,
        .srcStageMask = barrier->source_stage,
        .srcAccessMask = barrier->source_access,
        .dstStageMask = barrier->target_stage,
        .dstAccessMask = barrier->target_access,
        .oldLayout = barrier->from,
        .newLayout = barrier->to,
        .srcQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
        .dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
        .image = image,
        .subresourceRange = {.aspectMask = barrier->aspect, .levelCount = 1, .layerCount = 1},
    };
    VkDependencyInfo dependency = {.sType = VK_STRUCTURE_TYPE_DEPENDENCY_INFO,
                                   .imageMemoryBarrierCount = 1,
                                   .pImageMemoryBarriers = &image_barrier};
    vkCmdPipelineBarrier2(commands, &dependency);
}

typedef struct fill {
    VkBuffer source;
    const mc_image *image;
} fill;

static void record_fill(VkCommandBuffer commands, const void *user) {
    const fill *filled = user;
    mc_image_barrier before = {
        .from = VK_IMAGE_LAYOUT_UNDEFINED,
        .to = VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL,
        .target_stage = VK_PIPELINE_STAGE_2_COPY_BIT,
        .target_access = VK_ACCESS_2_TRANSFER_WRITE_BIT,
        .aspect = VK_IMAGE_ASPECT_COLOR_BIT,
    };
    mc_image_record_barrier(commands, filled->image->handle, &before);
    VkBufferImageCopy region = {
        .imageSubresource = {.aspectMask = VK_IMAGE_ASPECT_COLOR_BIT, .layerCount = 1},
        .imageExtent = {filled->image->width, filled->image->height, 1}};
    vkCmdCopyBufferToImage(commands, filled->source, filled->image->handle,
                           VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, 1, &region);
    mc_image_barrier after = {
        .from = VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL,
        .to = VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL,
        .source_stage = VK_PIPELINE_STAGE_2_COPY_BIT,
        .source_access = VK_ACCESS_2_TRANSFER_WRITE_BIT,
        .target_stage = VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT,
        .target_access = VK_ACCESS_2_MEMORY_READ_BIT,
        .aspect = VK_IMAGE_ASPECT_COLOR_BIT,
    };
    mc_image_record_barrier(commands, filled->image->handle, &after);
}

mc_result mc_image_upload(mc_gpu *gpu, const mc_image *image, const void *texels, size_t size,
                          mc_error *error) {
    mc_buffer staging;
    mc_result result = mc_buffer_create(gpu, size, VK_BUFFER_USAGE_TRANSFER_SRC_BIT,
                                        MC_MEMORY_READBACK, "staging", &staging, error);
    if (result != MC_OK) return result;
    memcpy(staging.mapped, texels, size);
    fill filled = {staging.handle, image};
    result = mc_transfer_run(gpu, record_fill, &filled, error);
    mc_buffer_destroy(gpu, &staging);
    return result;
}
