#include "engine/render/core/target.h"

#include "engine/gpu/device.h"
#include <math.h>

static const VkPipelineStageFlags2 depth_stages =
    VK_PIPELINE_STAGE_2_EARLY_FRAGMENT_TESTS_BIT | VK_PIPELINE_STAGE_2_LATE_FRAGMENT_TESTS_BIT;
static const VkAccessFlags2 color_access =
    VK_ACCESS_2_COLOR_ATTACHMENT_READ_BIT | VK_ACCESS_2_COLOR_ATTACHMENT_WRITE_BIT;
static const VkAccessFlags2 depth_access =
    VK_ACCESS_2_DEPTH_STENCIL_ATTACHMENT_READ_BIT | VK_ACCESS_2_DEPTH_STENCIL_ATTACHMENT_WRITE_BIT;

static uint32_t get_largest_side(const mc_gpu *gpu) {
    uint32_t side = gpu->limits.maxImageDimension2D;
    uint32_t others[] = {gpu->limits.maxFramebufferWidth, gpu->limits.maxFramebufferHeight,
                         gpu->limits.maxViewportDimensions[0],
                         gpu->limits.maxViewportDimensions[1]};
    for (uint32_t i = 0; i < 4; i++)
        side = others[i] < side ? others[i] : side;
    return side;
}

mc_result mc_target_resize(mc_target *target, mc_frames *frames, uint32_t width, uint32_t height,
                           uint32_t samples, mc_error *error) {
    mc_result result = MC_OK;
    mc_gpu *gpu = frames->gpu;
    if (target->width == width && target->height == height && target->samples == samples)
        return MC_OK;
    mc_target_retire(target, frames);
    uint32_t largest = get_largest_side(gpu);
    if (width == 0 || height == 0 || width > largest || height > largest)
        return mc_error_set(error, MC_ERROR_UNSUPPORTED, MC_ERROR_NO_OFFSET,
                            "A picture of %u x %u pixels can't be drawn: %s draws 1 to %u pixels "
                            "a side",
                            width, height, gpu->name, largest);
    mc_image_desc color = {.width = width,
                           .height = height,
                           .samples = 1,
                           .format = MC_TARGET_FORMAT,
                           .second_format = MC_TARGET_PLAIN_FORMAT,
                           .usage = VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT |
                                    VK_IMAGE_USAGE_TRANSFER_SRC_BIT |
                                    VK_IMAGE_USAGE_TRANSFER_DST_BIT,
                           .aspect = VK_IMAGE_ASPECT_COLOR_BIT,
                           .name = "target colour"};
    mc_image_desc many = {.width = width,
                          .height = height,
                          .samples = samples,
                          .format = MC_TARGET_FORMAT,
                          .usage = VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT |
                                   VK_IMAGE_USAGE_TRANSIENT_ATTACHMENT_BIT,
                          .aspect = VK_IMAGE_ASPECT_COLOR_BIT,
                          .name = "target samples"};
    mc_image_desc depth = {.width = width,
                           .height = height,
                           .samples = samples,
                           .format = MC_TARGET_DEPTH_FORMAT,
                           .usage = VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT |
                                    (samples > 1 ? VK_IMAGE_USAGE_TRANSIENT_ATTACHMENT_BIT
                                                 : VK_IMAGE_USAGE_SAMPLED_BIT),
                           .aspect = VK_IMAGE_ASPECT_DEPTH_BIT,
                           .name = "target depth"};
    MC_TRY(mc_image_create(gpu, &color, &target->color, error));
    if (samples > 1) MC_TRY(mc_image_create(gpu, &many, &target->many, error));
    MC_TRY(mc_image_create(gpu, &depth, &target->depth, error));
    target->width = width;
    target->height = height;
    target->samples = samples;
    return MC_OK;
fail:
    mc_target_retire(target, frames);
    return result;
}

void mc_target_retire(mc_target *target, mc_frames *frames) {
    mc_frames_retire_image(frames, &target->color);
    mc_frames_retire_image(frames, &target->many);
    mc_frames_retire_image(frames, &target->depth);
    mc_frames_retire_buffer(frames, &target->readback);
    *target = (mc_target){0};
}

// What an attachment held is not needed, but earlier frames must have done with it.
static void record_discard(VkCommandBuffer commands, const mc_image *image, bool is_depth,
                           VkPipelineStageFlags2 also_after) {
    VkPipelineStageFlags2 stage =
        is_depth ? depth_stages : VK_PIPELINE_STAGE_2_COLOR_ATTACHMENT_OUTPUT_BIT;
    mc_image_barrier barrier = {
        .from = VK_IMAGE_LAYOUT_UNDEFINED,
        .to = is_depth ? VK_IMAGE_LAYOUT_DEPTH_ATTACHMENT_OPTIMAL
                       : VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL,
        .source_stage = stage | also_after,
        .source_access = is_depth ? VK_ACCESS_2_DEPTH_STENCIL_ATTACHMENT_WRITE_BIT
                                  : VK_ACCESS_2_COLOR_ATTACHMENT_WRITE_BIT,
        .target_stage = stage,
        .target_access = is_depth ? depth_access : color_access,
        .aspect = is_depth ? VK_IMAGE_ASPECT_DEPTH_BIT : VK_IMAGE_ASPECT_COLOR_BIT,
    };
    mc_image_record_barrier(commands, image->handle, &barrier);
}

// `depth` NULL: none.
static void record_rendering(const mc_target *target, VkCommandBuffer commands,
                             const VkRenderingAttachmentInfo *color,
                             const VkRenderingAttachmentInfo *depth) {
    VkViewport viewport = {0.0f, 0.0f, (float)target->width, (float)target->height, 0.0f, 1.0f};
    VkRect2D scissor = {{0, 0}, {target->width, target->height}};
    VkRenderingInfo info = {
        .sType = VK_STRUCTURE_TYPE_RENDERING_INFO,
        .renderArea = scissor,
        .layerCount = 1,
        .colorAttachmentCount = 1,
        .pColorAttachments = color,
        .pDepthAttachment = depth,
    };
    vkCmdBeginRendering(commands, &info);
    vkCmdSetViewport(commands, 0, 1, &viewport);
    vkCmdSetScissor(commands, 0, 1, &scissor);
}

void mc_target_record_begin(const mc_target *target, VkCommandBuffer commands) {
    bool many = target->many.handle != VK_NULL_HANDLE;
    record_discard(commands, &target->color, false, VK_PIPELINE_STAGE_2_ALL_TRANSFER_BIT);
    if (many) record_discard(commands, &target->many, false, VK_PIPELINE_STAGE_2_NONE);
    record_discard(commands, &target->depth, true, VK_PIPELINE_STAGE_2_NONE);
    // The background is drawn behind everything, so no colour needs to be cleared.
    VkRenderingAttachmentInfo color = {
        .sType = VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_INFO,
        .imageView = many ? target->many.view : target->color.view,
        .imageLayout = VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL,
        .resolveMode = many ? VK_RESOLVE_MODE_AVERAGE_BIT : VK_RESOLVE_MODE_NONE,
        .resolveImageView = many ? target->color.view : VK_NULL_HANDLE,
        .resolveImageLayout =
            many ? VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL : VK_IMAGE_LAYOUT_UNDEFINED,
        .loadOp = VK_ATTACHMENT_LOAD_OP_DONT_CARE,
        .storeOp = many ? VK_ATTACHMENT_STORE_OP_DONT_CARE : VK_ATTACHMENT_STORE_OP_STORE,
    };
    VkRenderingAttachmentInfo depth = {
        .sType = VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_INFO,
        .imageView = target->depth.view,
        .imageLayout = VK_IMAGE_LAYOUT_DEPTH_ATTACHMENT_OPTIMAL,
        .loadOp = VK_ATTACHMENT_LOAD_OP_CLEAR, // to 0, the far plane
        .storeOp = many ? VK_ATTACHMENT_STORE_OP_DONT_CARE : VK_ATTACHMENT_STORE_OP_STORE,
    };
    record_rendering(target, commands, &color, &depth);
}

void mc_target_record_end(const mc_target *target, VkCommandBuffer commands) {
    (void)target;
    vkCmdEndRendering(commands);
}

// Over what is there, with depth or without.
static void record_begin_loaded(const mc_target *target, VkCommandBuffer commands, VkImageView view,
                                bool with_depth) {
    mc_image_barrier barrier = {
        .from = VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL,
        .to = VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL,
        .source_stage = VK_PIPELINE_STAGE_2_COLOR_ATTACHMENT_OUTPUT_BIT,
        .source_access = VK_ACCESS_2_COLOR_ATTACHMENT_WRITE_BIT,
        .target_stage = VK_PIPELINE_STAGE_2_COLOR_ATTACHMENT_OUTPUT_BIT,
        .target_access = color_access,
        .aspect = VK_IMAGE_ASPECT_COLOR_BIT,
    };
    mc_image_record_barrier(commands, target->color.handle, &barrier);
    VkRenderingAttachmentInfo color = {
        .sType = VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_INFO,
        .imageView = view,
        .imageLayout = VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL,
        .loadOp = VK_ATTACHMENT_LOAD_OP_LOAD,
        .storeOp = VK_ATTACHMENT_STORE_OP_STORE,
    };
    VkRenderingAttachmentInfo depth = {
        .sType = VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_INFO,
        .imageView = target->depth.view,
        .imageLayout = VK_IMAGE_LAYOUT_DEPTH_ATTACHMENT_OPTIMAL,
        .loadOp = VK_ATTACHMENT_LOAD_OP_LOAD,
        .storeOp = VK_ATTACHMENT_STORE_OP_DONT_CARE,
    };
    record_rendering(target, commands, &color, with_depth ? &depth : NULL);
}

static void record_depth_barrier(const mc_target *target, VkCommandBuffer commands,
                                 bool is_sampled) {
    mc_image_barrier to_sample = {
        .from = VK_IMAGE_LAYOUT_DEPTH_ATTACHMENT_OPTIMAL,
        .to = VK_IMAGE_LAYOUT_DEPTH_READ_ONLY_OPTIMAL,
        .source_stage = depth_stages,
        .source_access = VK_ACCESS_2_DEPTH_STENCIL_ATTACHMENT_WRITE_BIT,
        .target_stage = VK_PIPELINE_STAGE_2_FRAGMENT_SHADER_BIT,
        .target_access = VK_ACCESS_2_SHADER_SAMPLED_READ_BIT,
        .aspect = VK_IMAGE_ASPECT_DEPTH_BIT,
    };
    mc_image_barrier to_attach = {
        .from = VK_IMAGE_LAYOUT_DEPTH_READ_ONLY_OPTIMAL,
        .to = VK_IMAGE_LAYOUT_DEPTH_ATTACHMENT_OPTIMAL,
        .source_stage = VK_PIPELINE_STAGE_2_FRAGMENT_SHADER_BIT,
        .target_stage = depth_stages,
        .target_access = depth_access,
        .aspect = VK_IMAGE_ASPECT_DEPTH_BIT,
    };
    mc_image_record_barrier(commands, target->depth.handle, is_sampled ? &to_sample : &to_attach);
}

void mc_target_record_begin_deep(const mc_target *target, VkCommandBuffer commands) {
    vkCmdEndRendering(commands);
    record_depth_barrier(target, commands, true);
    record_begin_loaded(target, commands, target->color.view, false);
}

void mc_target_record_end_deep(const mc_target *target, VkCommandBuffer commands) {
    vkCmdEndRendering(commands);
    record_depth_barrier(target, commands, false);
    record_begin_loaded(target, commands, target->color.view, true);
}

void mc_target_record_paste(const mc_target *target, VkCommandBuffer commands,
                            const mc_image *picture) {
    mc_image_barrier before = {
        .from = VK_IMAGE_LAYOUT_UNDEFINED,
        .to = VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL,
        .source_stage =
            VK_PIPELINE_STAGE_2_ALL_TRANSFER_BIT | VK_PIPELINE_STAGE_2_COLOR_ATTACHMENT_OUTPUT_BIT,
        .source_access = VK_ACCESS_2_COLOR_ATTACHMENT_WRITE_BIT,
        .target_stage = VK_PIPELINE_STAGE_2_ALL_TRANSFER_BIT,
        .target_access = VK_ACCESS_2_TRANSFER_WRITE_BIT,
        .aspect = VK_IMAGE_ASPECT_COLOR_BIT,
    };
    mc_image_record_barrier(commands, target->color.handle, &before);
    VkImageSubresourceLayers layers = {.aspectMask = VK_IMAGE_ASPECT_COLOR_BIT, .layerCount = 1};
    VkImageCopy region = {.srcSubresource = layers,
                          .dstSubresource = layers,
                          .extent = {target->width, target->height, 1}};
    vkCmdCopyImage(commands, picture->handle, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL,
                   target->color.handle, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, 1, &region);
    mc_image_barrier after = {
        .from = VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL,
        .to = VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL,
        .source_stage = VK_PIPELINE_STAGE_2_ALL_TRANSFER_BIT,
        .source_access = VK_ACCESS_2_TRANSFER_WRITE_BIT,
        .target_stage = VK_PIPELINE_STAGE_2_COLOR_ATTACHMENT_OUTPUT_BIT,
        .target_access = color_access,
        .aspect = VK_IMAGE_ASPECT_COLOR_BIT,
    };
    mc_image_record_barrier(commands, target->color.handle, &after);
}

void mc_target_record_begin_over(const mc_target *target, VkCommandBuffer commands) {
    record_begin_loaded(target, commands, target->color.view, false);
}

void mc_target_record_end_over(const mc_target *target, VkCommandBuffer commands) {
    (void)target;
    vkCmdEndRendering(commands);
}

void mc_target_record_begin_ui(const mc_target *target, VkCommandBuffer commands) {
    record_begin_loaded(target, commands, target->color.second_view, false);
}

void mc_target_record_end_ui(const mc_target *target, VkCommandBuffer commands) {
    (void)target;
    vkCmdEndRendering(commands);
}

void mc_target_record_finish(const mc_target *target, VkCommandBuffer commands) {
    mc_image_barrier barrier = {
        .from = VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL,
        .to = VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL,
        .source_stage = VK_PIPELINE_STAGE_2_COLOR_ATTACHMENT_OUTPUT_BIT,
        .source_access = VK_ACCESS_2_COLOR_ATTACHMENT_WRITE_BIT,
        .target_stage = VK_PIPELINE_STAGE_2_ALL_TRANSFER_BIT,
        .target_access = VK_ACCESS_2_TRANSFER_READ_BIT,
        .aspect = VK_IMAGE_ASPECT_COLOR_BIT,
    };
    mc_image_record_barrier(commands, target->color.handle, &barrier);
}

mc_result mc_target_prepare_readback(mc_target *target, mc_gpu *gpu, mc_error *error) {
    if (target->readback.handle) return MC_OK;
    return mc_buffer_create(gpu, (VkDeviceSize)target->width * target->height * 4,
                            VK_BUFFER_USAGE_TRANSFER_DST_BIT, MC_MEMORY_READBACK, "readback",
                            &target->readback, error);
}

void mc_target_record_readback(const mc_target *target, VkCommandBuffer commands) {
    VkBufferImageCopy region = {
        .imageSubresource = {.aspectMask = VK_IMAGE_ASPECT_COLOR_BIT, .layerCount = 1},
        .imageExtent = {target->width, target->height, 1}};
    vkCmdCopyImageToBuffer(commands, target->color.handle, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL,
                           target->readback.handle, 1, &region);
    mc_buffer_record_barrier(commands, VK_PIPELINE_STAGE_2_COPY_BIT, VK_ACCESS_2_TRANSFER_WRITE_BIT,
                             VK_PIPELINE_STAGE_2_HOST_BIT, VK_ACCESS_2_HOST_READ_BIT);
}

static void read_pixels(const mc_target *target, uint8_t *rgba) {
    const uint8_t *bgra = target->readback.mapped;
    size_t count = (size_t)target->width * target->height;
    for (size_t i = 0; i < count; i++) {
        rgba[i * 4] = bgra[i * 4 + 2];
        rgba[i * 4 + 1] = bgra[i * 4 + 1];
        rgba[i * 4 + 2] = bgra[i * 4];
        rgba[i * 4 + 3] = 255;
    }
}

// Linear light in steps that are finer than those of 8 bits, so that four of them add up to an
// index.
#define LINEAR_STEPS 4096

typedef struct light_tables {
    uint16_t decode[256];
    uint8_t encode[4 * LINEAR_STEPS];
} light_tables;

static void fill_tables(light_tables *tables) {
    for (int i = 0; i < 256; i++) {
        double c = i / 255.0;
        double light = c <= 0.04045 ? c / 12.92 : pow((c + 0.055) / 1.055, 2.4);
        tables->decode[i] = (uint16_t)(light * (LINEAR_STEPS - 1) + 0.5);
    }
    for (int i = 0; i < 4 * LINEAR_STEPS; i++) {
        double light = i / (4.0 * (LINEAR_STEPS - 1));
        double c = light <= 0.0031308 ? light * 12.92 : 1.055 * pow(light, 1 / 2.4) - 0.055;
        tables->encode[i] = (uint8_t)(fmin(c, 1) * 255 + 0.5);
    }
}

static void read_averages(const mc_target *target, uint8_t *rgba) {
    light_tables tables;
    fill_tables(&tables);
    size_t pitch = (size_t)target->width * 4;
    for (uint32_t y = 0; y < target->height / 2; y++) {
        const uint8_t *upper = (const uint8_t *)target->readback.mapped + y * 2 * pitch;
        const uint8_t *lower = upper + pitch;
        for (uint32_t x = 0; x < target->width / 2; x++, upper += 8, lower += 8, rgba += 4) {
            for (int i = 0; i < 3; i++) {
                uint32_t sum = (uint32_t)tables.decode[upper[i]] + tables.decode[upper[i + 4]] +
                               tables.decode[lower[i]] + tables.decode[lower[i + 4]];
                rgba[2 - i] = tables.encode[sum];
            }
            rgba[3] = 255;
        }
    }
}

void mc_target_read(const mc_target *target, uint32_t scale, uint8_t *rgba) {
    if (scale == 2) {
        read_averages(target, rgba);
    } else {
        read_pixels(target, rgba);
    }
}

void mc_target_record_copy(const mc_target *target, VkCommandBuffer commands, VkImage image,
                           VkFormat format) {
    mc_image_barrier before = {
        .from = VK_IMAGE_LAYOUT_UNDEFINED,
        .to = VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL,
        .source_stage = VK_PIPELINE_STAGE_2_ALL_TRANSFER_BIT, // where acquiring is waited for
        .target_stage = VK_PIPELINE_STAGE_2_ALL_TRANSFER_BIT,
        .target_access = VK_ACCESS_2_TRANSFER_WRITE_BIT,
        .aspect = VK_IMAGE_ASPECT_COLOR_BIT,
    };
    mc_image_record_barrier(commands, image, &before);
    VkImageSubresourceLayers layers = {.aspectMask = VK_IMAGE_ASPECT_COLOR_BIT, .layerCount = 1};
    if (format == MC_TARGET_PLAIN_FORMAT) {
        VkImageCopy region = {.srcSubresource = layers,
                              .dstSubresource = layers,
                              .extent = {target->width, target->height, 1}};
        vkCmdCopyImage(commands, target->color.handle, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL, image,
                       VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, 1, &region);
    } else {
        VkOffset3D end = {(int32_t)target->width, (int32_t)target->height, 1};
        VkImageBlit region = {.srcSubresource = layers,
                              .srcOffsets = {{0, 0, 0}, end},
                              .dstSubresource = layers,
                              .dstOffsets = {{0, 0, 0}, end}};
        vkCmdBlitImage(commands, target->color.handle, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL, image,
                       VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, 1, &region, VK_FILTER_NEAREST);
    }
    mc_image_barrier after = {
        .from = VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL,
        .to = VK_IMAGE_LAYOUT_PRESENT_SRC_KHR,
        .source_stage = VK_PIPELINE_STAGE_2_ALL_TRANSFER_BIT,
        .source_access = VK_ACCESS_2_TRANSFER_WRITE_BIT,
        .target_stage = VK_PIPELINE_STAGE_2_NONE, // the semaphore makes presenting wait
        .aspect = VK_IMAGE_ASPECT_COLOR_BIT,
    };
    mc_image_record_barrier(commands, image, &after);
}
