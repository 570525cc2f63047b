// gpu.h - the device: instance, physical device, queue, and the messages of the validation layers.
//
// Vulkan 1.3 with dynamic rendering and synchronization2, loaded through volk. One
// graphics-and-compute queue. With a software driver under glibc this also tunes malloc for the
// whole process, which then keeps up to 64 MB that were freed. Threads: one thread owns an mc_gpu
// and everything created from it.
#pragma once
#include "engine/base/base.h"
#include <volk.h>

typedef struct mc_gpu mc_gpu;
typedef struct mc_swapchain mc_swapchain;

// What a device may lack; tests do without it on devices that have it.
// docs/developing/where-to-look.md says what memcity does then.
enum {
    MC_GPU_INT64_ATOMICS = 1,
    MC_GPU_TEXELS = 2,  // more of them in a buffer than Vulkan promises
    MC_GPU_SAMPLES = 4, // four a pixel
    MC_GPU_TIMESTAMPS = 8,
    MC_GPU_MAPPED_MEMORY = 16, // memory near the GPU that the CPU sees
    MC_GPU_DEBUG_NAMES = 32,
};

typedef struct mc_gpu_desc {
    bool validation; // Khronos validation layer with synchronization validation, if installed
    bool abort_on_validation; // an error of the layer aborts (tests, debug builds)
    // A part of the name of the device to use, in either case; NULL: the fastest kind there is.
    const char *device_name;
    // What to do without though the device has it: names of the above, separated by commas, such as
    // "texels,int64-atomics". NULL: nothing.
    const char *without;
    // For a window: the instance extensions that its surface needs, and how to make the surface.
    // NULL: headless.
    const char *const *instance_extensions;
    uint32_t instance_extension_count;
    VkResult (*create_surface)(VkInstance instance, void *user, VkSurfaceKHR *surface);
    void *user;
    const mc_log *log; // copied
} mc_gpu_desc;

// MC_ERROR_BAD_DATA if `without` has a name that is none; MC_ERROR_UNSUPPORTED with a sentence that
// says what to install if there is no Vulkan, no device or none that is enough.
mc_result mc_gpu_create(const mc_gpu_desc *desc, mc_gpu **gpu, mc_error *error);
void mc_gpu_destroy(mc_gpu *gpu); // NULL is fine

const char *mc_gpu_get_device_name(const mc_gpu *gpu);
const char *mc_gpu_get_driver_name(const mc_gpu *gpu);   // with its version
bool mc_gpu_is_software(const mc_gpu *gpu);              // a CPU driver, such as lavapipe
uint32_t mc_gpu_get_validation_count(const mc_gpu *gpu); // warnings and errors of the layers so far
