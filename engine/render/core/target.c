#include "engine/render/core/target.h"

#include "engine/gpu/device.h"

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
        return mc_fail(error, MC_ERROR_UNSUPPORTED,
                       "A picture of %u x %u pixels can't be drawn: %s draws 1 to %u pixels "
                       "a side",
                       width, height, gpu->name, largest);
    mc_image_desc color = {.width = width,
                           .height = height,
                           .samples = 1,
                           .format = MC_TARGET_FORMAT,
                           .second_format = MC_TARGET_PLAIN_FORMAT,
                           .usage = VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT |
                                    VK_IMAGE_USAGE_SAMPLED_BIT | VK_IMAGE_USAGE_TRANSFER_SRC_BIT |
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
    depth.samples = 1;
    depth.usage = VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT;
    depth.name = "target plain depth";
    if (samples > 1) MC_TRY(mc_image_create(gpu, &depth, &target->plain_depth, error));
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
    mc_frames_retire_image(frames, &target->plain_depth);
    mc_frames_retire_image(frames, &target->mean);
    mc_frames_retire_image(frames, &target->backdrop);
    mc_frames_retire_buffer(frames, &target->readback);
    *target = (mc_target){0};
}

mc_result mc_target_prepare_mean(mc_target *target, mc_gpu *gpu, mc_error *error) {
    if (target->mean.handle) return MC_OK;
    mc_image_desc mean = {.width = target->width,
                          .height = target->height,
                          .samples = 1,
                          .format = MC_TARGET_MEAN_FORMAT,
                          .usage = VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT | VK_IMAGE_USAGE_SAMPLED_BIT,
                          .aspect = VK_IMAGE_ASPECT_COLOR_BIT,
                          .name = "target mean"};
    return mc_image_create(gpu, &mean, &target->mean, error);
}

mc_result mc_target_prepare_backdrop(mc_target *target, mc_gpu *gpu, mc_error *error) {
    if (target->backdrop.handle) return MC_OK;
    mc_image_desc backdrop = {
        .width = target->width,
        .height = target->height,
        .samples = 1,
        .format = MC_TARGET_FORMAT,
        .usage = VK_IMAGE_USAGE_TRANSFER_SRC_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT |
                 VK_IMAGE_USAGE_SAMPLED_BIT, // for the view that each image has
        .aspect = VK_IMAGE_ASPECT_COLOR_BIT,
        .name = "target backdrop"};
    return mc_image_create(gpu, &backdrop, &target->backdrop, error);
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

static VkRect2D get_area(const mc_target *target) {
    VkRect2D all = {{0, 0}, {target->width, target->height}};
    return target->area.extent.width > 0 ? target->area : all;
}

// `color` or `depth` NULL: none.
static void record_rendering(const mc_target *target, VkCommandBuffer commands,
                             const VkRenderingAttachmentInfo *color,
                             const VkRenderingAttachmentInfo *depth) {
    VkViewport viewport = {0.0f, 0.0f, (float)target->width, (float)target->height, 0.0f, 1.0f};
    VkRect2D scissor = get_area(target);
    VkRenderingInfo info = {
        .sType = VK_STRUCTURE_TYPE_RENDERING_INFO,
        .renderArea = scissor,
        .layerCount = 1,
        .colorAttachmentCount = color ? 1 : 0,
        .pColorAttachments = color,
        .pDepthAttachment = depth,
    };
    vkCmdBeginRendering(commands, &info);
    vkCmdSetViewport(commands, 0, 1, &viewport);
    vkCmdSetScissor(commands, 0, 1, &scissor);
}

void mc_target_record_begin(const mc_target *target, VkCommandBuffer commands) {
    bool many = target->many.handle != VK_NULL_HANDLE;
    record_discard(commands, &target->color, false,
                   VK_PIPELINE_STAGE_2_ALL_TRANSFER_BIT | VK_PIPELINE_STAGE_2_FRAGMENT_SHADER_BIT);
    if (many) record_discard(commands, &target->many, false, VK_PIPELINE_STAGE_2_NONE);
    // Depth is resolved as colour is.
    if (many)
        record_discard(commands, &target->plain_depth, true,
                       VK_PIPELINE_STAGE_2_COLOR_ATTACHMENT_OUTPUT_BIT);
    record_discard(commands, &target->depth, true, VK_PIPELINE_STAGE_2_FRAGMENT_SHADER_BIT);
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
        .resolveMode = many ? VK_RESOLVE_MODE_SAMPLE_ZERO_BIT : VK_RESOLVE_MODE_NONE,
        .resolveImageView = many ? target->plain_depth.view : VK_NULL_HANDLE,
        .resolveImageLayout =
            many ? VK_IMAGE_LAYOUT_DEPTH_ATTACHMENT_OPTIMAL : VK_IMAGE_LAYOUT_UNDEFINED,
        .loadOp = VK_ATTACHMENT_LOAD_OP_CLEAR, // to 0, the far plane
        .storeOp = many ? VK_ATTACHMENT_STORE_OP_DONT_CARE : VK_ATTACHMENT_STORE_OP_STORE,
    };
    record_rendering(target, commands, &color, &depth);
}

void mc_target_record_end(const mc_target *target, VkCommandBuffer commands) {
    (void)target;
    vkCmdEndRendering(commands);
}

// Makes what was written to the depth readable by a test against it.
static void record_depth_barrier(const mc_target *target, VkCommandBuffer commands) {
    const mc_image *depth = target->plain_depth.handle ? &target->plain_depth : &target->depth;
    mc_image_barrier barrier = {
        .from = VK_IMAGE_LAYOUT_DEPTH_ATTACHMENT_OPTIMAL,
        .to = VK_IMAGE_LAYOUT_DEPTH_ATTACHMENT_OPTIMAL,
        .source_stage = depth_stages | VK_PIPELINE_STAGE_2_COLOR_ATTACHMENT_OUTPUT_BIT,
        .source_access =
            VK_ACCESS_2_DEPTH_STENCIL_ATTACHMENT_WRITE_BIT | VK_ACCESS_2_COLOR_ATTACHMENT_WRITE_BIT,
        .target_stage = depth_stages,
        .target_access = depth_access,
        .aspect = VK_IMAGE_ASPECT_DEPTH_BIT,
    };
    mc_image_record_barrier(commands, depth->handle, &barrier);
}

// Over what is there; `depth` NULL: none.
static void record_begin_loaded(const mc_target *target, VkCommandBuffer commands, VkImageView view,
                                const VkRenderingAttachmentInfo *depth) {
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
    record_rendering(target, commands, &color, depth);
}

static VkRenderingAttachmentInfo get_loaded_depth(const mc_target *target) {
    bool many = target->plain_depth.handle != VK_NULL_HANDLE;
    return (VkRenderingAttachmentInfo){
        .sType = VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_INFO,
        .imageView = many ? target->plain_depth.view : target->depth.view,
        .imageLayout = VK_IMAGE_LAYOUT_DEPTH_ATTACHMENT_OPTIMAL,
        .loadOp = VK_ATTACHMENT_LOAD_OP_LOAD,
        .storeOp = VK_ATTACHMENT_STORE_OP_STORE,
    };
}

void mc_target_record_begin_rims(const mc_target *target, VkCommandBuffer commands) {
    VkRenderingAttachmentInfo depth = get_loaded_depth(target);
    record_depth_barrier(target, commands);
    record_begin_loaded(target, commands, target->color.view, &depth);
}

void mc_target_record_end_rims(const mc_target *target, VkCommandBuffer commands) {
    (void)target;
    vkCmdEndRendering(commands);
}

// Between being drawn to and being a texture.
static void record_turn(VkCommandBuffer commands, const mc_image *image, bool is_texture) {
    const VkPipelineStageFlags2 draws = VK_PIPELINE_STAGE_2_COLOR_ATTACHMENT_OUTPUT_BIT;
    const VkPipelineStageFlags2 reads = VK_PIPELINE_STAGE_2_FRAGMENT_SHADER_BIT;
    const VkImageLayout drawn = VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL;
    const VkImageLayout read = VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL;
    mc_image_barrier barrier = {
        .from = is_texture ? drawn : read,
        .to = is_texture ? read : drawn,
        .source_stage = is_texture ? draws : reads,
        .source_access = is_texture ? VK_ACCESS_2_COLOR_ATTACHMENT_WRITE_BIT : VK_ACCESS_2_NONE,
        .target_stage = is_texture ? reads : draws,
        .target_access = is_texture ? VK_ACCESS_2_SHADER_SAMPLED_READ_BIT : color_access,
        .aspect = VK_IMAGE_ASPECT_COLOR_BIT,
    };
    mc_image_record_barrier(commands, image->handle, &barrier);
}

void mc_target_record_begin_mean(const mc_target *target, VkCommandBuffer commands, bool is_first) {
    record_turn(commands, &target->color, true);
    if (is_first)
        record_discard(commands, &target->mean, false, VK_PIPELINE_STAGE_2_FRAGMENT_SHADER_BIT);
    else
        record_turn(commands, &target->mean, false);
    VkRenderingAttachmentInfo color = {
        .sType = VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_INFO,
        .imageView = target->mean.view,
        .imageLayout = VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL,
        .loadOp = is_first ? VK_ATTACHMENT_LOAD_OP_CLEAR : VK_ATTACHMENT_LOAD_OP_LOAD,
        .storeOp = VK_ATTACHMENT_STORE_OP_STORE,
    };
    record_rendering(target, commands, &color, NULL);
}

void mc_target_record_end_mean(const mc_target *target, VkCommandBuffer commands) {
    vkCmdEndRendering(commands);
    record_turn(commands, &target->mean, true);
}

void mc_target_record_begin_show(const mc_target *target, VkCommandBuffer commands) {
    record_discard(commands, &target->color, false,
                   VK_PIPELINE_STAGE_2_FRAGMENT_SHADER_BIT | VK_PIPELINE_STAGE_2_ALL_TRANSFER_BIT);
    VkRenderingAttachmentInfo color = {
        .sType = VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_INFO,
        .imageView = target->color.view,
        .imageLayout = VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL,
        .loadOp = VK_ATTACHMENT_LOAD_OP_DONT_CARE,
        .storeOp = VK_ATTACHMENT_STORE_OP_STORE,
    };
    record_rendering(target, commands, &color, NULL);
}

static void record_depth_turn(const mc_target *target, VkCommandBuffer commands, bool is_sampled) {
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
    record_depth_turn(target, commands, true);
    record_begin_loaded(target, commands, target->color.view, NULL);
}

void mc_target_record_end_deep(const mc_target *target, VkCommandBuffer commands) {
    vkCmdEndRendering(commands);
    record_depth_turn(target, commands, false);
    VkRenderingAttachmentInfo depth = get_loaded_depth(target);
    record_begin_loaded(target, commands, target->color.view, &depth);
}

void mc_target_record_to_textures(const mc_target *target, VkCommandBuffer commands) {
    record_turn(commands, &target->color, true);
    record_depth_turn(target, commands, true);
}

void mc_target_record_begin_depth(const mc_target *target, VkCommandBuffer commands) {
    record_discard(commands, &target->depth, true, VK_PIPELINE_STAGE_2_FRAGMENT_SHADER_BIT);
    VkRenderingAttachmentInfo depth = get_loaded_depth(target);
    depth.loadOp = VK_ATTACHMENT_LOAD_OP_CLEAR; // to 0, where all is drawn
    record_rendering(target, commands, NULL, &depth);
}

void mc_target_record_begin_plain(const mc_target *target, VkCommandBuffer commands) {
    record_discard(commands, &target->color, false, VK_PIPELINE_STAGE_2_ALL_TRANSFER_BIT);
    VkRenderingAttachmentInfo color = {
        .sType = VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_INFO,
        .imageView = target->color.second_view,
        .imageLayout = VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL,
        .loadOp = VK_ATTACHMENT_LOAD_OP_DONT_CARE,
        .storeOp = VK_ATTACHMENT_STORE_OP_STORE,
    };
    record_rendering(target, commands, &color, NULL);
}

static void record_copy(const mc_target *target, VkCommandBuffer commands, VkImage from,
                        VkImage to) {
    VkImageSubresourceLayers layers = {.aspectMask = VK_IMAGE_ASPECT_COLOR_BIT, .layerCount = 1};
    VkRect2D area = get_area(target);
    VkOffset3D offset = {area.offset.x, area.offset.y, 0};
    VkImageCopy region = {.srcSubresource = layers,
                          .srcOffset = offset,
                          .dstSubresource = layers,
                          .dstOffset = offset,
                          .extent = {area.extent.width, area.extent.height, 1}};
    vkCmdCopyImage(commands, from, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL, to,
                   VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, 1, &region);
}

void mc_target_record_keep(const mc_target *target, VkCommandBuffer commands) {
    const VkPipelineStageFlags2 copies = VK_PIPELINE_STAGE_2_ALL_TRANSFER_BIT;
    mc_image_barrier before = {
        .from = VK_IMAGE_LAYOUT_UNDEFINED,
        .to = VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL,
        .source_stage = copies,
        .target_stage = copies,
        .target_access = VK_ACCESS_2_TRANSFER_WRITE_BIT,
        .aspect = VK_IMAGE_ASPECT_COLOR_BIT,
    };
    mc_image_barrier after = {
        .from = VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL,
        .to = VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL,
        .source_stage = copies,
        .source_access = VK_ACCESS_2_TRANSFER_WRITE_BIT,
        .target_stage = copies,
        .target_access = VK_ACCESS_2_TRANSFER_READ_BIT,
        .aspect = VK_IMAGE_ASPECT_COLOR_BIT,
    };
    mc_target_record_finish(target, commands);
    mc_image_record_barrier(commands, target->backdrop.handle, &before);
    record_copy(target, commands, target->color.handle, target->backdrop.handle);
    mc_image_record_barrier(commands, target->backdrop.handle, &after);
}

void mc_target_record_begin_kept(const mc_target *target, VkCommandBuffer commands) {
    mc_target_record_paste(target, commands, &target->backdrop);
    record_discard(commands, &target->depth, true, VK_PIPELINE_STAGE_2_FRAGMENT_SHADER_BIT);
    VkRenderingAttachmentInfo depth = get_loaded_depth(target);
    depth.loadOp = VK_ATTACHMENT_LOAD_OP_CLEAR;
    record_begin_loaded(target, commands, target->color.view, &depth);
}

void mc_target_record_paste(const mc_target *target, VkCommandBuffer commands,
                            const mc_image *picture) {
    mc_image_barrier before = {
        .from = VK_IMAGE_LAYOUT_UNDEFINED,
        .to = VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL,
        .source_stage = VK_PIPELINE_STAGE_2_ALL_TRANSFER_BIT |
                        VK_PIPELINE_STAGE_2_COLOR_ATTACHMENT_OUTPUT_BIT |
                        VK_PIPELINE_STAGE_2_FRAGMENT_SHADER_BIT,
        .source_access = VK_ACCESS_2_COLOR_ATTACHMENT_WRITE_BIT,
        .target_stage = VK_PIPELINE_STAGE_2_ALL_TRANSFER_BIT,
        .target_access = VK_ACCESS_2_TRANSFER_WRITE_BIT,
        .aspect = VK_IMAGE_ASPECT_COLOR_BIT,
    };
    mc_image_record_barrier(commands, target->color.handle, &before);
    record_copy(target, commands, picture->handle, target->color.handle);
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
    record_begin_loaded(target, commands, target->color.view, NULL);
}

void mc_target_record_end_over(const mc_target *target, VkCommandBuffer commands) {
    (void)target;
    vkCmdEndRendering(commands);
}

void mc_target_record_begin_ui(const mc_target *target, VkCommandBuffer commands) {
    record_begin_loaded(target, commands, target->color.second_view, NULL);
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

void mc_target_read(const mc_target *target, uint8_t *rgba) {
    const uint8_t *bgra = target->readback.mapped;
    size_t count = (size_t)target->width * target->height;
    for (size_t i = 0; i < count; i++) {
        rgba[i * 4] = bgra[i * 4 + 2];
        rgba[i * 4 + 1] = bgra[i * 4 + 1];
        rgba[i * 4 + 2] = bgra[i * 4];
        rgba[i * 4 + 3] = 255;
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
