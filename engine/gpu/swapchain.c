#include "engine/gpu/swapchain.h"

#include "engine/base/memory.h"
#include "engine/gpu/device.h"

enum { LARGEST_IMAGE_COUNT = 16 };

struct mc_swapchain {
    mc_gpu *gpu;
    VkSwapchainKHR handle;
    VkFormat format;
    VkExtent2D extent;      // of the images
    uint32_t width, height; // of the framebuffer
    bool outdated;
    uint32_t image_count;
    VkImage images[LARGEST_IMAGE_COUNT];
    // One an image, not one a frame: presenting gives no sign of when it has let go of its
    // semaphore but for the image coming back.
    VkSemaphore finished[LARGEST_IMAGE_COUNT];
};

static mc_result choose_format(mc_swapchain *swapchain, VkSurfaceFormatKHR *chosen,
                               mc_error *error) {
    mc_result result = MC_OK;
    mc_gpu *gpu = swapchain->gpu;
    VkSurfaceFormatKHR formats[64];
    uint32_t count = sizeof formats / sizeof formats[0];
    VkResult listed =
        vkGetPhysicalDeviceSurfaceFormatsKHR(gpu->physical_device, gpu->surface, &count, formats);
    if (listed != VK_INCOMPLETE) MC_VK(listed);
    const VkFormat wanted[] = {VK_FORMAT_B8G8R8A8_UNORM, VK_FORMAT_R8G8B8A8_UNORM};
    for (uint32_t w = 0; w < 2; w++) {
        for (uint32_t i = 0; i < count; i++) {
            if (formats[i].format != wanted[w]) continue;
            if (formats[i].colorSpace != VK_COLOR_SPACE_SRGB_NONLINEAR_KHR) continue;
            *chosen = formats[i];
            return MC_OK;
        }
    }
    result = mc_fail(error, MC_ERROR_UNSUPPORTED,
                     "The window has no 8-bit sRGB format that %s can draw to", gpu->name);
fail:
    return result;
}

static void destroy_images(mc_swapchain *swapchain) {
    VkDevice device = swapchain->gpu->device;
    for (uint32_t i = 0; i < swapchain->image_count; i++)
        if (swapchain->finished[i]) vkDestroySemaphore(device, swapchain->finished[i], NULL);
    swapchain->image_count = 0;
    if (swapchain->handle) vkDestroySwapchainKHR(device, swapchain->handle, NULL);
    swapchain->handle = VK_NULL_HANDLE;
}

static uint32_t clamp(uint32_t value, uint32_t low, uint32_t high) {
    return value < low ? low : value > high ? high : value;
}

static VkCompositeAlphaFlagBitsKHR choose_alpha(VkCompositeAlphaFlagsKHR supported) {
    if (supported & VK_COMPOSITE_ALPHA_OPAQUE_BIT_KHR) return VK_COMPOSITE_ALPHA_OPAQUE_BIT_KHR;
    return (VkCompositeAlphaFlagBitsKHR)(supported & (~supported + 1)); // the lowest set bit
}

static mc_result name_images(mc_swapchain *swapchain, mc_error *error) {
    mc_result result = MC_OK;
    mc_gpu *gpu = swapchain->gpu;
    uint32_t count = LARGEST_IMAGE_COUNT;
    MC_VK(vkGetSwapchainImagesKHR(gpu->device, swapchain->handle, &count, swapchain->images));
    swapchain->image_count = count;
    for (uint32_t i = 0; i < count; i++)
        swapchain->finished[i] = VK_NULL_HANDLE;
    for (uint32_t i = 0; i < count; i++) {
        VkSemaphoreCreateInfo info = {.sType = VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO};
        MC_VK(vkCreateSemaphore(gpu->device, &info, NULL, &swapchain->finished[i]));
        mc_gpu_set_name(gpu, VK_OBJECT_TYPE_SEMAPHORE, MC_HANDLE(swapchain->finished[i]),
                        "swapchain finished %u", i);
        mc_gpu_set_name(gpu, VK_OBJECT_TYPE_IMAGE, MC_HANDLE(swapchain->images[i]),
                        "swapchain image %u", i);
    }
fail:
    return result;
}

// Leaves the swapchain without images, and outdated, where the window has no area.
static mc_result rebuild(mc_swapchain *swapchain, mc_error *error) {
    mc_result result = MC_OK;
    mc_gpu *gpu = swapchain->gpu;
    MC_VK(vkDeviceWaitIdle(gpu->device));
    VkSurfaceCapabilitiesKHR surface;
    MC_VK(vkGetPhysicalDeviceSurfaceCapabilitiesKHR(gpu->physical_device, gpu->surface, &surface));
    VkExtent2D extent = surface.currentExtent;
    if (extent.width == UINT32_MAX) { // the window takes the size of the images
        extent.width =
            clamp(swapchain->width, surface.minImageExtent.width, surface.maxImageExtent.width);
        extent.height =
            clamp(swapchain->height, surface.minImageExtent.height, surface.maxImageExtent.height);
    }
    destroy_images(swapchain);
    swapchain->outdated = true;
    if (extent.width == 0 || extent.height == 0) return MC_OK;
    if (!(surface.supportedUsageFlags & VK_IMAGE_USAGE_TRANSFER_DST_BIT)) {
        result = mc_fail(error, MC_ERROR_UNSUPPORTED, "%s can't copy pictures to this window",
                         gpu->name);
        goto fail;
    }
    VkSurfaceFormatKHR format = {0};
    MC_TRY(choose_format(swapchain, &format, error));
    uint32_t most = surface.maxImageCount > 0 ? surface.maxImageCount : LARGEST_IMAGE_COUNT;
    VkSwapchainCreateInfoKHR info = {
        .sType = VK_STRUCTURE_TYPE_SWAPCHAIN_CREATE_INFO_KHR,
        .surface = gpu->surface,
        .minImageCount = clamp(surface.minImageCount + 1, 1, most),
        .imageFormat = format.format,
        .imageColorSpace = format.colorSpace,
        .imageExtent = extent,
        .imageArrayLayers = 1,
        .imageUsage = VK_IMAGE_USAGE_TRANSFER_DST_BIT,
        .imageSharingMode = VK_SHARING_MODE_EXCLUSIVE,
        .preTransform = surface.currentTransform,
        .compositeAlpha = choose_alpha(surface.supportedCompositeAlpha),
        .presentMode = VK_PRESENT_MODE_FIFO_KHR, // the one that every driver has
        .clipped = VK_TRUE,
    };
    MC_VK(vkCreateSwapchainKHR(gpu->device, &info, NULL, &swapchain->handle));
    mc_gpu_set_name(gpu, VK_OBJECT_TYPE_SWAPCHAIN_KHR, MC_HANDLE(swapchain->handle), "swapchain");
    MC_TRY(name_images(swapchain, error));
    swapchain->extent = extent;
    swapchain->format = format.format;
    swapchain->outdated = false;
    return MC_OK;
fail:
    destroy_images(swapchain);
    return result;
}

mc_result mc_swapchain_create(mc_gpu *gpu, uint32_t width, uint32_t height,
                              mc_swapchain **swapchain, mc_error *error) {
    assert(gpu->surface);
    mc_swapchain *created = mc_alloc_zero(1, sizeof *created);
    if (!created) return mc_error_out_of_memory(error);
    created->gpu = gpu;
    mc_swapchain_resize(created, width, height);
    *swapchain = created;
    return MC_OK;
}

void mc_swapchain_destroy(mc_swapchain *swapchain) {
    if (!swapchain) return;
    (void)vkDeviceWaitIdle(swapchain->gpu->device);
    destroy_images(swapchain);
    mc_free(swapchain);
}

void mc_swapchain_resize(mc_swapchain *swapchain, uint32_t width, uint32_t height) {
    swapchain->width = width;
    swapchain->height = height;
    swapchain->outdated = true;
}

mc_result mc_swapchain_prepare(mc_swapchain *swapchain, bool *drawable, uint32_t *width,
                               uint32_t *height, mc_error *error) {
    *drawable = false;
    if (swapchain->width == 0 || swapchain->height == 0) return MC_OK;
    if (swapchain->outdated) {
        mc_result result = rebuild(swapchain, error);
        if (result != MC_OK) return result;
    }
    *drawable = swapchain->handle != VK_NULL_HANDLE;
    *width = swapchain->extent.width;
    *height = swapchain->extent.height;
    return MC_OK;
}

mc_result mc_swapchain_acquire(mc_swapchain *swapchain, VkSemaphore acquired,
                               mc_swapchain_image *image, mc_error *error) {
    mc_result result = MC_OK;
    mc_gpu *gpu = swapchain->gpu;
    *image = (mc_swapchain_image){0};
    VkResult got = vkAcquireNextImageKHR(gpu->device, swapchain->handle, UINT64_MAX, acquired,
                                         VK_NULL_HANDLE, &image->index);
    if (got == VK_ERROR_OUT_OF_DATE_KHR) {
        swapchain->outdated = true;
        return MC_OK;
    }
    // A suboptimal image is drawn once more: it has been acquired.
    if (got == VK_SUBOPTIMAL_KHR)
        swapchain->outdated = true;
    else
        MC_VK(got);
    image->image = swapchain->images[image->index];
    image->format = swapchain->format;
    image->finished = swapchain->finished[image->index];
fail:
    return result;
}

mc_result mc_swapchain_present(mc_swapchain *swapchain, const mc_swapchain_image *image,
                               mc_error *error) {
    mc_result result = MC_OK;
    mc_gpu *gpu = swapchain->gpu;
    VkPresentInfoKHR info = {
        .sType = VK_STRUCTURE_TYPE_PRESENT_INFO_KHR,
        .waitSemaphoreCount = 1,
        .pWaitSemaphores = &image->finished,
        .swapchainCount = 1,
        .pSwapchains = &swapchain->handle,
        .pImageIndices = &image->index,
    };
    VkResult presented = vkQueuePresentKHR(gpu->queue, &info);
    if (presented == VK_SUBOPTIMAL_KHR || presented == VK_ERROR_OUT_OF_DATE_KHR)
        swapchain->outdated = true;
    else
        MC_VK(presented);
fail:
    return result;
}
