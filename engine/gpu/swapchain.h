// swapchain.h - the images of a window.
//
// Pictures are drawn elsewhere and copied here, so that a window and an image file get the same
// pixels: the images take sRGB-encoded values as they are (a UNORM format) and are copy targets
// only. Shown in step with the display (FIFO). The drawing side (acquire, present) is used by
// engine/render. Threads: the one that owns the mc_gpu.
#pragma once
#include "engine/gpu/gpu.h"

// `width` and `height` are of the framebuffer, in pixels; 0 is fine (a minimised window): frames
// are then skipped.
mc_result mc_swapchain_create(mc_gpu *gpu, uint32_t width, uint32_t height,
                              mc_swapchain **swapchain, mc_error *error);
void mc_swapchain_destroy(mc_swapchain *swapchain); // waits for the device; NULL is fine

// The framebuffer's size has changed: images are rebuilt at the next frame.
void mc_swapchain_resize(mc_swapchain *swapchain, uint32_t width, uint32_t height);

// Makes the images fit the window if they don't, waiting for the device, and tells their size.
// false: there is nothing to draw to now (no area), which is no error.
mc_result mc_swapchain_prepare(mc_swapchain *swapchain, bool *drawable, uint32_t *width,
                               uint32_t *height, mc_error *error);

typedef struct mc_swapchain_image {
    VkImage image;        // VK_NULL_HANDLE: the window has just changed; skip this frame
    VkFormat format;      // B8G8R8A8_UNORM or R8G8B8A8_UNORM
    VkSemaphore finished; // to be signalled when the image may be shown
    uint32_t index;
} mc_swapchain_image;

// The image to draw next. `acquired` is signalled when that may begin.
mc_result mc_swapchain_acquire(mc_swapchain *swapchain, VkSemaphore acquired,
                               mc_swapchain_image *image, mc_error *error);
// Shows it, once image->finished is signalled.
mc_result mc_swapchain_present(mc_swapchain *swapchain, const mc_swapchain_image *image,
                               mc_error *error);
