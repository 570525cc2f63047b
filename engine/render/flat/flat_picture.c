#include "engine/render/flat/flat_picture.h"

#include "engine/base/memory.h"
#include "engine/gpu/device.h"
#include "engine/render/core/target.h"
#include <string.h>

void mc_flat_picture_destroy(mc_flat_picture *picture, const mc_gpu *gpu) {
    mc_image_destroy(gpu, &picture->image);
    mc_free(picture->planes);
    *picture = (mc_flat_picture){0};
}

static mc_result resize(mc_flat_picture *picture, mc_frames *frames, uint32_t width,
                        uint32_t height, mc_error *error) {
    if (picture->image.handle && picture->image.width == width && picture->image.height == height)
        return MC_OK;
    mc_frames_retire_image(frames, &picture->image);
    picture->version = 0;
    mc_image_desc desc = {.width = width,
                          .height = height,
                          .samples = 1,
                          .format = MC_TARGET_FORMAT,
                          .usage =
                              VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT | VK_IMAGE_USAGE_TRANSFER_SRC_BIT,
                          .aspect = VK_IMAGE_ASPECT_COLOR_BIT,
                          .name = "flat picture"};
    return mc_image_create(frames->gpu, &desc, &picture->image, error);
}

// Bits decide: it may be drawn once too often, never too seldom.
static bool is_same(const mc_flat_picture *picture, const mc_flat_scene *scene,
                    const float background[3]) {
    size_t size = scene->plane_count * sizeof *scene->planes;
    return picture->version == scene->version && picture->plane_count == scene->plane_count &&
           // NOLINTNEXTLINE(bugprone-suspicious-memory-comparison)
           memcmp(picture->background, background, sizeof picture->background) == 0 &&
           (size == 0 || memcmp(picture->planes, scene->planes, size) == 0);
}

mc_result mc_flat_picture_prepare(mc_flat_picture *picture, mc_frames *frames,
                                  const mc_flat_scene *scene, const float background[3],
                                  uint32_t width, uint32_t height, bool *is_current,
                                  mc_error *error) {
    mc_result result = resize(picture, frames, width, height, error);
    *is_current = result == MC_OK && is_same(picture, scene, background);
    if (result != MC_OK || *is_current) return result;
    picture->version = 0;
    if (!mc_reserve(&picture->planes, &picture->plane_capacity, scene->plane_count,
                    sizeof *picture->planes))
        return mc_error_out_of_memory(error);
    if (scene->plane_count > 0)
        memcpy(picture->planes, scene->planes, scene->plane_count * sizeof *scene->planes);
    picture->plane_count = scene->plane_count;
    memcpy(picture->background, background, sizeof picture->background);
    picture->version = scene->version;
    return MC_OK;
}

void mc_flat_picture_record_begin(const mc_flat_picture *picture, VkCommandBuffer commands) {
    const mc_image *image = &picture->image;
    mc_image_barrier barrier = {
        .from = VK_IMAGE_LAYOUT_UNDEFINED,
        .to = VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL,
        .source_stage = VK_PIPELINE_STAGE_2_COPY_BIT, // into the frame before
        .target_stage = VK_PIPELINE_STAGE_2_COLOR_ATTACHMENT_OUTPUT_BIT,
        .target_access = VK_ACCESS_2_COLOR_ATTACHMENT_WRITE_BIT,
        .aspect = VK_IMAGE_ASPECT_COLOR_BIT,
    };
    mc_image_record_barrier(commands, image->handle, &barrier);
    VkViewport viewport = {0.0f, 0.0f, (float)image->width, (float)image->height, 0.0f, 1.0f};
    VkRect2D scissor = {{0, 0}, {image->width, image->height}};
    VkRenderingAttachmentInfo color = {
        .sType = VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_INFO,
        .imageView = image->view,
        .imageLayout = VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL,
        .loadOp = VK_ATTACHMENT_LOAD_OP_DONT_CARE,
        .storeOp = VK_ATTACHMENT_STORE_OP_STORE,
    };
    VkRenderingInfo info = {.sType = VK_STRUCTURE_TYPE_RENDERING_INFO,
                            .renderArea = scissor,
                            .layerCount = 1,
                            .colorAttachmentCount = 1,
                            .pColorAttachments = &color};
    vkCmdBeginRendering(commands, &info);
    vkCmdSetViewport(commands, 0, 1, &viewport);
    vkCmdSetScissor(commands, 0, 1, &scissor);
}

void mc_flat_picture_record_end(const mc_flat_picture *picture, VkCommandBuffer commands) {
    vkCmdEndRendering(commands);
    mc_image_barrier barrier = {
        .from = VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL,
        .to = VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL,
        .source_stage = VK_PIPELINE_STAGE_2_COLOR_ATTACHMENT_OUTPUT_BIT,
        .source_access = VK_ACCESS_2_COLOR_ATTACHMENT_WRITE_BIT,
        .target_stage = VK_PIPELINE_STAGE_2_COPY_BIT,
        .target_access = VK_ACCESS_2_TRANSFER_READ_BIT,
        .aspect = VK_IMAGE_ASPECT_COLOR_BIT,
    };
    mc_image_record_barrier(commands, picture->image.handle, &barrier);
}
