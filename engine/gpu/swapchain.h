// swapchain.h - the images of a window. The drawing side (acquire, present) is used by
// engine/render.
#pragma once
#include "engine/gpu/gpu.h"

// `width` and `height` are of the framebuffer, in pixels; 0 is fine (a minimised window): frames
// are then skipped.
mc_result mc_swapchain_create(mc_gpu *gpu, uint32_t width, uint32_t height,
                              mc_swapchain **swapchain, mc_error *error);
void mc_swapchain_destroy(mc_swapchain *swapchain); // NULL is fine

// The framebuffer's size has changed: images are rebuilt at the next frame.
void mc_swapchain_resize(mc_swapchain *swapchain, uint32_t width, uint32_t height);
