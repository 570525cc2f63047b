// image.h - two-dimensional images, each with memory of its own.
//
// Threads: the one that owns the mc_gpu.
#pragma once
#include "engine/gpu/gpu.h"

typedef struct mc_image_desc {
    uint32_t width, height;
    uint32_t samples;
    VkFormat format;
    VkFormat second_format; // of a second view of the same texels; VK_FORMAT_UNDEFINED: none
    VkImageUsageFlags usage;
    VkImageAspectFlags aspect;
    const char *name;
} mc_image_desc;

// Zeroed: no image.
typedef struct mc_image {
    VkImage handle;
    VkDeviceMemory memory;
    VkImageView view, second_view;
    uint32_t width, height;
} mc_image;

// On failure `image` is zeroed.
mc_result mc_image_create(mc_gpu *gpu, const mc_image_desc *desc, mc_image *image, mc_error *error);
void mc_image_destroy(const mc_gpu *gpu, mc_image *image); // zeroed is fine

// Fills a colour image with rows of texels and leaves it ready to be sampled. Waits for the copy.
mc_result mc_image_upload(mc_gpu *gpu, const mc_image *image, const void *texels, size_t size,
                          mc_error *error);

typedef struct mc_image_barrier {
    VkImageLayout from, to;
    VkPipelineStageFlags2 source_stage, target_stage;
    VkAccessFlags2 source_access, target_access;
    VkImageAspectFlags aspect;
} mc_image_barrier;

// Makes what came before in `source_*` visible to `target_*` and changes the layout.
void mc_image_record_barrier(VkCommandBuffer commands, VkImage image,
                             const mc_image_barrier *barrier);
